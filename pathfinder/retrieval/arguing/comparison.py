"""Two results side by side: which papers entered, which left, how far the others moved, how alike the lists are."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.types import Hit, Paper, SearchResult

RBO_PERSISTENCE = 0.9
"""How likely a reader goes on to the next paper: the first ten then bear 86% of the weight."""


@dataclass(frozen=True, slots=True)
class Shift:
    """One paper in two results."""

    paper: Paper
    left: int | None
    """Its rank, from 1; `None` when the result does not list it."""
    right: int | None
    left_in_pool: int | None
    """Its rank among the candidates, listed or not; `None` when it was not found at all."""
    right_in_pool: int | None

    @property
    def moved(self) -> int | None:
        """How many places it rose from left to right; `None` unless both list it."""
        return None if self.left is None or self.right is None else self.left - self.right


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs between two results."""

    shifts: tuple[Shift, ...]
    """Every paper that either lists, in the right one's order, then those that left in the left one's."""
    k: int
    """The length of the longer list."""
    overlap: float | None
    """Papers that both list, as a share of the longer list, [0, 1]; `None` when both are empty."""
    rank_biased_overlap: float | None
    """Overlap with more weight on the first places, [0, 1]; `None` when one is empty."""
    kendall_tau: float | None
    """Order of the shared papers, from -1, turned round, to 1, the same; `None` with fewer than two."""

    @property
    def entered(self) -> tuple[Shift, ...]:
        """Those that only the right result lists."""
        return tuple(shift for shift in self.shifts if shift.left is None)

    @property
    def dropped(self) -> tuple[Shift, ...]:
        """Those that only the left result lists."""
        return tuple(shift for shift in self.shifts if shift.right is None)

    @property
    def words(self) -> str:
        """In one line for the reader."""
        if self.overlap is None:
            return "Neither lists a paper."
        shared = len(self.shifts) - len(self.entered) - len(self.dropped)
        parts = [
            f"{shared} of {self.k} papers are shared, {len(self.entered)} entered, {len(self.dropped)} dropped out"
        ]
        if self.rank_biased_overlap is not None:
            parts.append(f"rank-biased overlap {self.rank_biased_overlap:.2f}")
        if self.kendall_tau is not None:
            parts.append(f"Kendall's tau of the shared {self.kendall_tau:+.2f}")
        return " · ".join(parts)


def compare(left: SearchResult, right: SearchResult) -> Comparison:
    """The hits of two results of one corpus: two settings of a question, or two questions.

    Raises `UsageError` for results of two corpora, whose papers cannot be told to be the same.
    """
    if left.corpus != right.corpus:
        names = f"{left.corpus.name} ({left.corpus.version}) and {right.corpus.name} ({right.corpus.version})"
        raise UsageError(f"both results must come from one corpus, got {names}: search again")
    before, after = _ranks(left.hits), _ranks(right.hits)
    before_in_pool, after_in_pool = _pool_ranks(left), _pool_ranks(right)
    papers = {hit.row: hit.paper for hit in (*right.hits, *left.hits)}
    shifts = tuple(
        Shift(paper, before.get(row), after.get(row), before_in_pool.get(row), after_in_pool.get(row))
        for row, paper in papers.items()
    )
    k = max(len(before), len(after))
    shared = before.keys() & after.keys()
    return Comparison(
        shifts,
        k,
        len(shared) / k if k else None,
        rank_biased_overlap([*before], [*after]),
        kendall_tau([before[row] for row in shared], [after[row] for row in shared]),
    )


def rank_biased_overlap(one: Sequence[int], other: Sequence[int], persistence: float = RBO_PERSISTENCE) -> float | None:
    """Webber, Moffat & Zobel 2010, doi:10.1145/1852102.1852106, extrapolated (eq. 32) for lists of unequal length."""
    short, long = sorted((one, other), key=len)
    if not short:
        return None
    agreement = [len(set(short[:depth]) & set(long[:depth])) for depth in range(1, len(long) + 1)]
    at_short, at_long, s, n = agreement[len(short) - 1], agreement[-1], len(short), len(long)
    weights = persistence ** np.arange(1, n + 1)
    seen = sum(x / d * weights[d - 1] for d, x in enumerate(agreement, start=1))
    guessed = sum(at_short * (d - s) / (s * d) * weights[d - 1] for d in range(s + 1, n + 1))
    rest = ((at_long - at_short) / n + at_short / s) * weights[-1]
    return float((1 - persistence) / persistence * (seen + guessed) + rest)


def kendall_tau(one: Sequence[int], other: Sequence[int]) -> float | None:
    """Pairs in the same order less pairs that are turned round, as a share of all; no ties in ranks."""
    pairs = list(combinations(range(len(one)), 2))
    if not pairs:
        return None
    return sum(1 if (one[i] < one[j]) == (other[i] < other[j]) else -1 for i, j in pairs) / len(pairs)


def _ranks(hits: tuple[Hit, ...]) -> dict[int, int]:
    """By the paper's row in the corpus."""
    return {hit.row: rank for rank, hit in enumerate(hits, start=1)}


def _pool_ranks(result: SearchResult) -> dict[int, int]:
    """Rank of every candidate, listed or not."""
    order = ranking(final_scores(result.candidates, result.request.weighting))
    return {int(row): rank for rank, row in enumerate(result.candidates.rows[order], start=1)}
