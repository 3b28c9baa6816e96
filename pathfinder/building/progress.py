"""How a build tells how far it is, without knowing who listens."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

_Item = TypeVar("_Item")


class Progress(Protocol):
    """Hears of a build's stages, one after the other."""

    def start(self, stage: str, total: int | None) -> None:
        """A stage begins; it has `total` steps, or `None` when that is not known."""

    def advance(self, n: int) -> None:
        """`n` more steps of the stage are done."""

    def finish(self) -> None:
        """The stage is over."""

    def say(self, text: str) -> None:
        """Something that the reader of the build should know before it goes on."""


class Silent:
    """Tells nobody."""

    def start(self, stage: str, total: int | None) -> None:
        """Nothing is said."""

    def advance(self, n: int) -> None:
        """Nothing is said."""

    def finish(self) -> None:
        """Nothing is said."""

    def say(self, text: str) -> None:
        """Nothing is said."""


def counted(items: Iterable[_Item], progress: Progress) -> Iterator[_Item]:
    """Pass `items` on and tell of each."""
    for item in items:
        yield item
        progress.advance(1)
