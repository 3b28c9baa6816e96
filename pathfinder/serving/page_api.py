"""The API alongside the page, its corpus and who may call it: the pages need these to write the calls that a reader can
copy.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pathfinder.errors import CorpusError
from pathfinder.serving.access import ServerAccess
from pathfinder.types import CorpusName


@dataclass(frozen=True, slots=True)
class PageApi:
    """The API at the address of the page."""

    access: ServerAccess
    corpus: Callable[[], CorpusName]
    """Function that returns the corpus from which calls are now answered, in the version now in its folder. A visitor
    to the page may have another corpus open, or a result from an earlier version on screen.
    """

    def has(self, corpus: CorpusName) -> bool:
        """Return whether the API has this corpus in this version, regardless of the year as of which it is read. The
        API has no corpus if its folder no longer holds one.
        """
        try:
            own = self.corpus()
        except CorpusError:
            return False
        return _version(corpus) == _version(own)


_ANNOUNCED_APIS: list[PageApi] = []
"""The API of this process; empty if it serves none."""


def announce(access: ServerAccess, corpus: Callable[[], CorpusName]) -> None:
    """Say that this process serves the API of `corpus` at the address of its page."""
    _ANNOUNCED_APIS[:] = [PageApi(access, corpus)]


def announced_api() -> PageApi | None:
    """Return the API at the address of the page; `None` if this process serves none."""
    return _ANNOUNCED_APIS[0] if _ANNOUNCED_APIS else None


def _version(corpus: CorpusName) -> str:
    return corpus.version.partition("@")[0]
