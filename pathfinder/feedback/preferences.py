"""Pairs of papers, the first of which readers prefer, derived from their judgements.

A paper with a thumbs-up, or one that "should be higher", is preferred to every paper on its list that has neither; a
paper without a judgement is preferred to one with a thumbs-down. Papers above and below the judged paper are treated
alike. Pairs formed only with the papers above ("click > skip above", Joachims 2002, doi:10.1145/775047.775067) always
contradict the present order, so that even random judgements would seem to call for other weights.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from pathfinder.feedback.judgements import Judgement, ListedPaper, Remark, Target, Thumb

SAME_LIST = 0.5
"""Share of papers in common above which two lists count as results for the same question."""


@dataclass(frozen=True, slots=True)
class Preference:
    """Two papers on one list, the first of which a reader prefers."""

    search_id: str
    preferred_factors: Mapping[str, float]
    """Weights of the preferred paper's factors, in [0, 1]."""
    other_factors: Mapping[str, float]


def preferences(judgements: Iterable[Judgement]) -> tuple[Preference, ...]:
    """Derive the pairs from all judgements of papers; the two papers of a pair come from the list of one search."""
    by_search: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in judgements:
        if judgement.target is Target.PAPER:
            by_search[judgement.search_id].append(judgement)
    return tuple(pair for search_id, own_judgements in by_search.items() for pair in _pairs(search_id, own_judgements))


def same_question(judgements: Iterable[Judgement]) -> dict[str, str]:
    """Map each search to the first one with the same question, judging by their lists.

    A question is not stored, so two searches are taken to ask the same question if they share more than `SAME_LIST` of
    the papers on the shorter list, or if each is taken to ask the same question as a third search.
    """
    lists = {judgement.search_id: {paper.paper_id for paper in judgement.listed} for judgement in judgements}
    first: dict[str, str] = {}
    for search_id, papers in lists.items():
        alike = {first[other] for other in first if _are_alike(papers, lists[other])}
        earliest = next((earlier for earlier in first if earlier in alike), search_id)
        first |= {other: earliest for other, earlier in first.items() if earlier in alike}
        first[search_id] = earliest
    return first


def _are_alike(papers: Set[str], others: Set[str]) -> bool:
    return len(papers & others) > SAME_LIST * min(len(papers), len(others))


def _pairs(search_id: str, own_judgements: Sequence[Judgement]) -> Iterator[Preference]:
    shown_papers = own_judgements[-1].listed
    latest = {judgement.paper_id: _is_liked(judgement) for judgement in own_judgements}
    liked_ids = {paper_id for paper_id, is_liked in latest.items() if is_liked}
    disliked_ids = set(latest) - liked_ids
    for paper in shown_papers:
        if paper.paper_id in liked_ids:
            yield from (
                _preference(search_id, paper, other) for other in shown_papers if other.paper_id not in liked_ids
            )
        elif paper.paper_id in disliked_ids:
            yield from (_preference(search_id, other, paper) for other in shown_papers if other.paper_id not in latest)


def _is_liked(judgement: Judgement) -> bool:
    return judgement.thumb is Thumb.UP or judgement.remark is Remark.SHOULD_BE_HIGHER


def _preference(search_id: str, preferred_paper: ListedPaper, other: ListedPaper) -> Preference:
    return Preference(search_id, dict(preferred_paper.factors), dict(other.factors))
