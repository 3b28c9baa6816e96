"""Papers on a shelf that a draft never cites, and papers that it cites although they are not on the shelf."""

from collections.abc import Collection
from dataclasses import dataclass

from pathfinder.drafts.draft import ReviewDraft
from pathfinder.shelves.shelf import Shelf


@dataclass(frozen=True, slots=True)
class DraftCoverage:
    """Comparison of a draft with a shelf, as ids of papers."""

    uncited: tuple[str, ...]
    """Papers on the shelf that are not marked as out and are never cited, in the order of the shelf."""
    off_shelf: tuple[str, ...]
    """Papers that are cited, but are no longer on the shelf, or are marked as out."""
    lost: tuple[str, ...]
    """Papers that are cited, but are not in the corpus: they were removed, or are dated later than the year as of which
    the corpus is read.
    """
    n_without_citation: int
    """Number of sentences that cite no paper; only the reader's own sentences may do so."""


def coverage_of(draft: ReviewDraft, shelf: Shelf, corpus_ids: Collection[str]) -> DraftCoverage:
    """Compare the citations in `draft` with `shelf`; `corpus_ids` holds the ids of the papers in the corpus."""
    cited_ids = draft.cited_ids
    return DraftCoverage(
        uncited=tuple(paper_id for paper_id in shelf.inside if paper_id not in cited_ids),
        off_shelf=tuple(paper_id for paper_id in cited_ids if paper_id not in shelf.inside),
        lost=tuple(paper_id for paper_id in cited_ids if paper_id not in corpus_ids),
        n_without_citation=sum(not sentence.citations for sentence in draft.sentences),
    )


def citation_numbers(draft: ReviewDraft, shelf: Shelf) -> dict[str, int]:
    """Return the number by which the citation marks on the page refer to each paper: its place on the shelf or, for
    papers that are cited but not on the shelf, one of the numbers that follow.
    """
    ids = dict.fromkeys((*shelf.paper_ids, *draft.cited_ids))
    return {paper_id: n for n, paper_id in enumerate(ids, start=1)}
