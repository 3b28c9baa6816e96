"""Reports the progress of a build, however it is displayed."""

from collections.abc import Collection, Iterable, Iterator
from typing import Protocol, TypeVar

_Item = TypeVar("_Item")


class Progress(Protocol):
    """Receives the progress of a build, stage by stage."""

    def start(self, stage: str, total: int | None) -> None:
        """Report the start of a stage with `total` steps, or `None` if the number is unknown."""

    def advance(self, n: int) -> None:
        """Report that `n` more steps of the stage are complete."""

    def expect(self, n: int) -> None:
        """Report that the stage has `n` more steps than were known when it began."""

    def finish(self) -> None:
        """Report the end of the stage."""

    def say(self, text: str) -> None:
        """Report something that the user should know before the build continues."""


class Silent:
    """Progress that is not shown anywhere."""

    def start(self, stage: str, total: int | None) -> None:
        """Do nothing."""

    def advance(self, n: int) -> None:
        """Do nothing."""

    def expect(self, n: int) -> None:
        """Do nothing."""

    def finish(self) -> None:
        """Do nothing."""

    def say(self, text: str) -> None:
        """Do nothing."""


def report_each(items: Iterable[_Item], progress: Progress) -> Iterator[_Item]:
    """Yield `items` and report each as one step."""
    for item in items:
        yield item
        progress.advance(1)


def stage_of(items: Collection[_Item], progress: Progress, stage: str) -> Iterator[_Item]:
    """Yield `items` as the steps of a stage of their own."""
    progress.start(stage, len(items))
    yield from report_each(items, progress)
    progress.finish()
