"""Papers of a shelf that a draft never cites, and citations of a draft that are not on the shelf."""

from collections.abc import Collection
from dataclasses import dataclass

from pathfinder.drafts.draft import ReviewDraft
from pathfinder.shelves.shelf import Shelf


@dataclass(frozen=True, slots=True)
class DraftCoverage:
    """A draft and a shelf compared: ids of papers."""

    uncited: tuple[str, ...]
    """On the shelf and not out, but never cited, in the order of the shelf."""
    off_shelf: tuple[str, ...]
    """Cited, but no longer on the shelf, or marked as out."""
    lost: tuple[str, ...]
    """Cited, but not in the corpus: removed, or dated later than the year as of which it is read."""
    n_without_citation: int
    """Number of sentences that cite no paper; only the reader's own may."""


def coverage_of(draft: ReviewDraft, shelf: Shelf, corpus_ids: Collection[str]) -> DraftCoverage:
    """Compare the citations of `draft` with `shelf`; `corpus_ids` are the ids of those papers that the corpus has."""
    cited_ids = draft.cited_ids
    return DraftCoverage(
        uncited=tuple(paper_id for paper_id in shelf.inside if paper_id not in cited_ids),
        off_shelf=tuple(paper_id for paper_id in cited_ids if paper_id not in shelf.inside),
        lost=tuple(paper_id for paper_id in cited_ids if paper_id not in corpus_ids),
        n_without_citation=sum(not sentence.citations for sentence in draft.sentences),
    )


def citation_numbers(draft: ReviewDraft, shelf: Shelf) -> dict[str, int]:
    """Return the number of each paper in the marks of the page: its place on the shelf, and, for papers that are cited
    but not on the shelf, the numbers that follow.
    """
    ids = dict.fromkeys((*shelf.paper_ids, *draft.cited_ids))
    return {paper_id: n for n, paper_id in enumerate(ids, start=1)}
