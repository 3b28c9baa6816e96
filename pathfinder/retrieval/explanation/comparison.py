"""Compare two results: new and dropped papers, changes of rank, and the similarity of the two lists."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.types import Paper, SearchResult

Key: TypeAlias = int | str
"""Row of a paper in the corpus, or the id of a paper from a live source, whose row may belong to a different paper in
another search.
"""

KeyOf: TypeAlias = Callable[[SearchResult, int], Key]
"""Function from a result and the position of a candidate in it to the key of its paper."""

RBO_PERSISTENCE = 0.9
"""Probability that a reader continues to the next paper; at this value, the first ten papers carry 86% of the weight.
"""

HOW_TO_READ = (
    "Rank-biased overlap: the overlap of the two lists, with more weight on the top ranks (Webber, Moffat "
    "& Zobel 2010, p = 0.9). Kendall's tau: how well the two orders of the shared papers agree, 1 if they are the "
    "same, -1 if one is the reverse of the other."
)
"""What the measures of two lists mean, for readers."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Ranks of one paper in two results."""

    paper: Paper
    left: int | None
    """Rank, counted from 1; `None` if the paper is not among the hits."""
    right: int | None
    left_in_pool: int | None
    """Rank among all candidates; `None` if the paper was not found at all."""
    right_in_pool: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Differences between two results."""

    shifts: tuple[Shift, ...]
    """All papers listed in either result: first those in the right result, in its order, then those that only the left
    result lists.
    """
    k: int
    """Length of the longer list."""
    overlap: float | None
    """Number of shared papers divided by the length of the longer list, in [0, 1]; `None` if both lists are empty."""
    rank_biased_overlap: float | None
    """Overlap weighted towards the first ranks, in [0, 1]; `None` if one list is empty."""
    kendall_tau: float | None
    """Rank correlation of the shared papers, from -1 (reversed) to 1 (same order); `None` for fewer than two papers."""

    @property
    def new(self) -> tuple[Shift, ...]:
        """Papers that only the right result lists."""
        return tuple(shift for shift in self.shifts if shift.left is None)

    @property
    def dropped_papers(self) -> tuple[Shift, ...]:
        """Papers that only the left result lists."""
        return tuple(shift for shift in self.shifts if shift.right is None)

    @property
    def description(self) -> str:
        """One-line summary."""
        if self.overlap is None:
            return "Neither result lists any papers."
        n_shared = len(self.shifts) - len(self.new) - len(self.dropped_papers)
        parts = [f"{n_shared} of {self.k} papers shared, {len(self.new)} new, {len(self.dropped_papers)} dropped"]
        if self.rank_biased_overlap is not None:
            parts.append(f"rank-biased overlap {self.rank_biased_overlap:.2f}")
        if self.kendall_tau is not None:
            parts.append(f"Kendall's tau for the shared papers {self.kendall_tau:+.2f}")
        return " · ".join(parts)


def compare(left: SearchResult, right: SearchResult) -> Comparison:
    """Compare the hits of two results from the same corpus: one question with two settings, or two questions.

    Raises `UsageError` for results from different corpora, because their papers cannot be matched.
    """
    if left.corpus != right.corpus:
        names = f"{left.corpus.name} ({left.corpus.version}) and {right.corpus.name} ({right.corpus.version})"
        raise UsageError(f"both results must come from the same corpus, got {names}: search again in one corpus only")
    return _compare(left, right, _row_or_id)


def compare_by_id(left: SearchResult, right: SearchResult) -> Comparison:
    """Compare the hits of two results from any two corpora, or from two versions of one; papers with the same id count
    as the same paper.
    """
    return _compare(left, right, lambda result, place: result.candidates.papers[place].paper_id)


def _compare(left: SearchResult, right: SearchResult, key_of: KeyOf) -> Comparison:
    before_in_pool, after_in_pool = _pool_ranks(left, key_of), _pool_ranks(right, key_of)
    before, after = _ranks(left, key_of), _ranks(right, key_of)
    papers = {
        key: hit.paper
        for result, ranks in ((right, after), (left, before))
        for key, hit in zip(ranks, result.hits, strict=True)
    }
    shifts = tuple(
        Shift(paper, before.get(key), after.get(key), before_in_pool.get(key), after_in_pool.get(key))
        for key, paper in papers.items()
    )
    k = max(len(before), len(after))
    shared_keys = before.keys() & after.keys()
    return Comparison(
        shifts,
        k,
        len(shared_keys) / k if k else None,
        rank_biased_overlap([*before], [*after]),
        kendall_tau([before[key] for key in shared_keys], [after[key] for key in shared_keys]),
    )


def rank_biased_overlap(
    left: Sequence[Key], right: Sequence[Key], persistence: float = RBO_PERSISTENCE
) -> float | None:
    """Return the extrapolated rank-biased overlap (Webber et al. 2010, doi:10.1145/1852102.1852106, eq. 32)."""
    short, long = sorted((left, right), key=len)
    if not short:
        return None
    agreement = [len(set(short[:depth]) & set(long[:depth])) for depth in range(1, len(long) + 1)]
    at_short, at_long, s, n = agreement[len(short) - 1], agreement[-1], len(short), len(long)
    weights = persistence ** np.arange(1, n + 1)
    observed_sum = sum(x / d * weights[d - 1] for d, x in enumerate(agreement, start=1))
    extrapolated_sum = sum(at_short * (d - s) / (s * d) * weights[d - 1] for d in range(s + 1, n + 1))
    rest = ((at_long - at_short) / n + at_short / s) * weights[-1]
    return float((1 - persistence) / persistence * (observed_sum + extrapolated_sum) + rest)


def kendall_tau(left: Sequence[int], right: Sequence[int]) -> float | None:
    """Return (concordant - discordant pairs) / all pairs, for ranks without ties; `None` for fewer than two papers."""
    pairs = list(combinations(range(len(left)), 2))
    if not pairs:
        return None
    return sum(1 if (left[i] < left[j]) == (right[i] < right[j]) else -1 for i, j in pairs) / len(pairs)


def _row_or_id(result: SearchResult, place: int) -> Key:
    pool = result.candidates
    row = int(pool.rows[place])
    return row if row not in pool.live else pool.papers[place].paper_id


def _ranks(result: SearchResult, key_of: KeyOf) -> dict[Key, int]:
    places = {row: place for place, row in enumerate(result.candidates.rows.tolist())}
    return {key_of(result, places[hit.row]): rank for rank, hit in enumerate(result.hits, start=1)}


def _pool_ranks(result: SearchResult, key_of: KeyOf) -> dict[Key, int]:
    order = ranking(final_scores(result.candidates, result.request.weighting)).tolist()
    return {key_of(result, place): rank for rank, place in enumerate(order, start=1)}
