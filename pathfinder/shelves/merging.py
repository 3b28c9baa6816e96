"""Merges the shelves of two readers, and measures how far they agree."""

from dataclasses import dataclass, replace

from sklearn.metrics import cohen_kappa_score

from pathfinder.shelves.shelf import Shelf, ShelvedPaper, State


@dataclass(frozen=True, slots=True)
class StateDifference:
    """A paper to which two readers gave different states."""

    paper_id: str
    ours: State
    our_reason: str
    theirs: State
    their_reason: str


@dataclass(frozen=True, slots=True)
class MergedShelf:
    """Two shelves merged into one."""

    shelf: Shelf
    """All papers from both shelves: first those on ours, which keep their states, then those that are only on theirs.
    """
    n_shared: int
    """Number of papers that were on both shelves."""
    differences: tuple[StateDifference, ...]
    kappa: float | None
    """Cohen's kappa of the states of the shared papers; `None` if there are no such papers, or if all have the same
    state, for which kappa is undefined.
    """


def merge(ours: Shelf, theirs: Shelf) -> MergedShelf:
    """Merge their shelf into ours: our states are kept, notes are joined and tags are combined. The two reasons for a
    state are joined if the states are the same.
    """
    others = {paper.paper_id: paper for paper in theirs.papers}
    pairs = [(paper, others[paper.paper_id]) for paper in ours.papers if paper.paper_id in others]
    united_papers = {our.paper_id: _unite(our, their) for our, their in pairs}
    papers = {paper.paper_id: paper for paper in (*theirs.papers, *ours.papers)} | united_papers
    order = dict.fromkeys((*ours.paper_ids, *theirs.paper_ids))
    differences = tuple(
        StateDifference(our.paper_id, our.state, our.why, their.state, their.why)
        for our, their in pairs
        if our.state != their.state
    )
    shelf = replace(ours, papers=tuple(papers[paper_id] for paper_id in order))
    return MergedShelf(shelf, len(pairs), differences, _kappa(pairs))


def _unite(our: ShelvedPaper, their: ShelvedPaper) -> ShelvedPaper:
    note = joined_notes(our.note, their.note)
    why = _join(our.why, their.why, "; ") if our.state == their.state else our.why
    return replace(our, why=why, note=note, tags=tuple(sorted({*our.tags, *their.tags})))


def joined_notes(our: str, their: str) -> str:
    """Return our note followed by the paragraphs that only theirs has, so that joining the same note again changes
    nothing.

    Only words count: a format that changes spaces or line breaks makes no new paragraph.
    """
    return _join(our, their, "\n\n")


def _join(our: str, their: str, separator: str) -> str:
    if not our or not their or their.split() == our.split():
        return our or their
    our_parts = [[], *(part.split() for part in (our, *our.split(separator)))]
    return separator.join((our, *(part for part in their.split(separator) if part.split() not in our_parts)))


def _kappa(pairs: list[tuple[ShelvedPaper, ShelvedPaper]]) -> float | None:
    ours, theirs = [our.state.value for our, _ in pairs], [their.state.value for _, their in pairs]
    return float(cohen_kappa_score(ours, theirs)) if len({*ours, *theirs}) > 1 else None
