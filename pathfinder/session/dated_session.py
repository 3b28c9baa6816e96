"""An open corpus that can be viewed as of a given year."""

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from pathfinder.corpus.store import Corpus
from pathfinder.session.corpus_views import CorpusViews
from pathfinder.types import SearchResult

if TYPE_CHECKING:
    from pathfinder.fulltext.store import FullTexts


class DatedSession:
    """An open corpus, whole or as of a given year."""

    def __init__(self, corpus: Corpus) -> None:
        self._views = CorpusViews(corpus)
        self.view, self.corpus = self._views.whole, corpus

    @property
    def year(self) -> int | None:
        """The year as of which the corpus is open; `None` for the whole corpus."""
        return self.corpus.as_of.year if self.corpus.as_of else None

    @property
    def notes_on_year(self) -> tuple[str, ...]:
        """Notes on what the year leaves out, and on what still rests on all papers; none for the whole corpus."""
        from pathfinder.corpus.as_of import describe_as_of, still_later

        if self.year is None:
            return ()
        still = "; ".join(still_later(self.corpus))
        return (f"as of {self.year}: {describe_as_of(self.corpus)}", f"still as of today: {still}")

    def as_of(self, year: int | None) -> Self:
        """Return the same open corpus as of the end of `year`, as if no paper dated later, or undated, were in it; with
        `None`, the whole corpus.

        Words are weighted, citations are counted and ages are measured using only the remaining papers, and the map is
        drawn from them; `still_later` in `corpus/as_of.py` lists what rests on the whole corpus. The three years
        requested most recently stay open. Raises `UsageError` for anything but a year, and for a year before that of
        the first dated paper.
        """
        from pathfinder.corpus.as_of import corpus_as_of

        view = self._views.as_of(year, corpus_as_of)
        if view is self.view:
            return self
        other = copy(self)
        other.view, other.corpus = view, view.corpus
        return other

    def of(self, result: SearchResult) -> Self:
        """Return the same open corpus as of the year of `result`, so that nothing later is read for it."""
        return self.as_of(result.request.as_of)

    @property
    def full_texts(self) -> "FullTexts":
        """Full texts of the papers, as they are on disk now."""
        from pathfinder.fulltext.store import FullTexts

        texts = FullTexts.open(self.corpus.folder)
        if self.corpus.as_of is None:
            return texts
        paper_ids = set(self.corpus.papers.paper_ids())
        return replace(texts, texts={name: text for name, text in texts.texts.items() if name in paper_ids})
