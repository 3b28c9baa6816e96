"""Intervals of one strength in [0, 1] over which a paper is in the top k, in closed form.

Every score is a linear function of the strength, so paper j outranks paper i on a half-line that begins or ends where
their scores are equal, at a_ij = (h_j - h_i) / (s_i - s_j). The sorted crossings divide [0, 1] into points and gaps;
two binary searches count the papers ahead at each of them.
"""

from dataclasses import dataclass

import numpy as np

from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.types import Candidates, Floats, Weighting


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Score of every candidate, `heights + strength * slopes`, shape (n,); minus infinity where it is the logarithm of
    0.

    At strength 0 the slopes are ignored, even where they are minus infinity.
    """

    heights: Floats
    slopes: Floats


@dataclass(frozen=True, slots=True)
class StrengthInterval:
    """Strengths from `low` to `high`; either end may be included or excluded."""

    low: float
    high: float
    has_low: bool = True
    has_high: bool = True

    def __contains__(self, strength: float) -> bool:
        return (self.low < strength < self.high) or (
            (self.has_low and strength == self.low) or (self.has_high and strength == self.high)
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Crossings:
    """Strengths at which the scores of other papers cross that of this paper: a paper in `up` outranks this one above
    its crossing, a paper in `down` below it.
    """

    always: int
    """Number of papers that outrank this one at every strength."""
    up: Floats
    up_first: Floats
    """Crossings in `up` with papers that precede this one in the fused order, and so outrank it at the crossing too."""
    down: Floats
    down_first: Floats


def rank_of(candidates: Candidates, weighting: Weighting, position: int) -> int:
    """Return the rank of the candidate at `position`, counted from 1."""
    return int(np.flatnonzero(ranking(final_scores(candidates, weighting)) == position)[0]) + 1


def intervals_in_top(lines: Lines, position: int, top_k: int) -> tuple[StrengthInterval, ...]:
    """Return the intervals of strength in [0, 1] over which the candidate at `position` is in the top k, in ascending
    order.
    """
    crossings = _crossings(lines, position)
    inner = [t[(t > 0) & (t < 1)] for t in (crossings.up, crossings.down)]
    points = np.unique(np.concatenate([[0.0, 1.0], *inner]))
    n_ahead = np.empty(2 * len(points) - 1, dtype=np.int64)  # a point, a gap, a point, ...
    n_ahead[::2], n_ahead[1::2] = _count_ahead_at(points, crossings), _count_ahead_between(points, crossings)
    height = lines.heights[position]
    n_ahead[0] = int((lines.heights > height).sum() + (lines.heights[:position] == height).sum())
    # Runs of points and gaps that are in the top k become intervals.
    edges = np.diff(np.concatenate([[False], n_ahead < top_k, [False]]).astype(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    return tuple(
        StrengthInterval(float(points[start // 2]), float(points[(end + 1) // 2]), start % 2 == 0, end % 2 == 0)
        for start, end in zip(starts, ends, strict=True)
    )


def _crossings(lines: Lines, position: int) -> _Crossings:
    is_first = np.arange(len(lines.heights)) < position
    is_finite = np.isfinite(lines.heights) & np.isfinite(lines.slopes)
    if not is_finite[position]:
        none = np.empty(0)
        return _Crossings(int((is_finite | is_first).sum()), none, none, none, none)
    lead = lines.heights[is_finite] - lines.heights[position]
    rise = lines.slopes[is_finite] - lines.slopes[position]
    is_first, is_flat = is_first[is_finite], rise == 0
    always = int((is_flat & ((lead > 0) | ((lead == 0) & is_first))).sum())
    with np.errstate(over="ignore"):  # nearly parallel lines cross far outside [0, 1]
        t = -lead[~is_flat] / rise[~is_flat]
    is_up, first = rise[~is_flat] > 0, is_first[~is_flat]
    return _Crossings(always, *(np.sort(t[which]) for which in (is_up, is_up & first, ~is_up, ~is_up & first)))


def _count_ahead_at(points: Floats, crossings: _Crossings) -> Floats:
    """Count the papers ahead at each point, shape (m,)."""
    n_passed = np.searchsorted(crossings.up, points, "left")
    ahead = len(crossings.down) - np.searchsorted(crossings.down, points, "right")
    return np.asarray(crossings.always + n_passed + ahead + _count_equal(crossings.up_first, points)) + _count_equal(
        crossings.down_first, points
    )


def _count_equal(crossings: Floats, points: Floats) -> Floats:
    return np.asarray(np.searchsorted(crossings, points, "right") - np.searchsorted(crossings, points, "left"))


def _count_ahead_between(points: Floats, crossings: _Crossings) -> Floats:
    """Count the papers ahead in the gap after each point except the last, shape (m - 1,)."""
    n_passed = np.searchsorted(crossings.up, points[:-1], "right")
    return np.asarray(
        crossings.always + n_passed + len(crossings.down) - np.searchsorted(crossings.down, points[1:], "left")
    )
