"""The API alongside the page, its corpus and who may call it: the pages need to know for calls that a reader copies."""

from dataclasses import dataclass

from pathfinder.serving.access import ServerAccess
from pathfinder.types import CorpusName


@dataclass(frozen=True, slots=True)
class PageApi:
    """The API at the address of the page."""

    access: ServerAccess
    corpus: CorpusName
    """The corpus with which every call is answered; a visitor to the page may have another one open."""

    def has(self, corpus: CorpusName) -> bool:
        """Return whether the API has this corpus in this version, whatever the year as of which it is read."""
        return _version(corpus) == _version(self.corpus)


_SERVED: list[PageApi] = []
"""The API of this process; empty if it serves none."""


def announce(access: ServerAccess, corpus: CorpusName) -> None:
    """Say that this process serves the API of `corpus` at the address of its page."""
    _SERVED[:] = [PageApi(access, corpus)]


def served() -> PageApi | None:
    """Return the API at the address of the page; `None` if this process serves none."""
    return _SERVED[0] if _SERVED else None


def _version(corpus: CorpusName) -> str:
    return corpus.version.partition("@")[0]
