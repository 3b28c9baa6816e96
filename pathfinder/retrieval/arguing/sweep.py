"""Where a paper is in the top k while one strength runs from 0 to 1, in closed form.

Every score is a line over that strength, so another paper outranks this one on a half line, which begins or
ends where both are equal: a_ij = (h_j - h_i) / (s_i - s_j). Sorted, these crossings cut [0, 1] into points and
gaps; on each the number that outrank it is counted with two binary searches.
"""

from dataclasses import dataclass

import numpy as np

from pathfinder.retrieval.weighting import final_scores, ranking
from pathfinder.types import Candidates, Floats, Weighting


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The score of every candidate, `heights + strength * slopes`, shape (n,); minus infinity for a product of 0.

    At strength 0 the slopes do not count, also where they are minus infinity.
    """

    heights: Floats
    slopes: Floats


@dataclass(frozen=True, slots=True)
class Interval:
    """Strengths from `low` to `high`, each end in it or not."""

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
    """Where others pass the paper: those of `up` outrank it beyond, those of `down` before, `always` ever."""

    always: int
    up: Floats
    up_first: Floats
    """Those of `up` that come earlier in the fused order, and so outrank it at the crossing too."""
    down: Floats
    down_first: Floats


def place_of(candidates: Candidates, weighting: Weighting, position: int) -> int:
    """The rank of the candidate at `position`, from 1."""
    return int(np.flatnonzero(ranking(final_scores(candidates, weighting)) == position)[0]) + 1


def intervals_in_top(lines: Lines, position: int, top_k: int) -> tuple[Interval, ...]:
    """The strengths in [0, 1] at which the candidate at `position` is in the top k, from low to high."""
    crossings = _crossings(lines, position)
    inner = [t[(t > 0) & (t < 1)] for t in (crossings.up, crossings.down)]
    points = np.unique(np.concatenate([[0.0, 1.0], *inner]))
    outranked = np.empty(2 * len(points) - 1, dtype=np.int64)  # a point, a gap, a point, ...
    outranked[::2], outranked[1::2] = _at(points, crossings), _between(points, crossings)
    outranked[0] = _ahead_at_zero(lines.heights, position)
    return _joined(points, outranked < top_k)


def _crossings(lines: Lines, position: int) -> _Crossings:
    is_first = np.arange(len(lines.heights)) < position
    is_alive = np.isfinite(lines.heights) & np.isfinite(lines.slopes)
    if not is_alive[position]:
        none = np.empty(0)
        return _Crossings(int((is_alive | is_first).sum()), none, none, none, none)
    lead = lines.heights[is_alive] - lines.heights[position]
    rise = lines.slopes[is_alive] - lines.slopes[position]
    is_first, is_flat = is_first[is_alive], rise == 0
    always = int((is_flat & ((lead > 0) | ((lead == 0) & is_first))).sum())
    with np.errstate(over="ignore"):  # nearly parallel: they cross far outside [0, 1]
        t = -lead[~is_flat] / rise[~is_flat]
    is_up, first = rise[~is_flat] > 0, is_first[~is_flat]
    return _Crossings(always, *(np.sort(t[which]) for which in (is_up, is_up & first, ~is_up, ~is_up & first)))


def _at(points: Floats, crossings: _Crossings) -> Floats:
    """How many outrank the paper at each point, shape (m,)."""
    passed = np.searchsorted(crossings.up, points, "left")
    ahead = len(crossings.down) - np.searchsorted(crossings.down, points, "right")
    return np.asarray(crossings.always + passed + ahead + _equal(crossings.up_first, points)) + _equal(
        crossings.down_first, points
    )


def _equal(crossings: Floats, points: Floats) -> Floats:
    return np.asarray(np.searchsorted(crossings, points, "right") - np.searchsorted(crossings, points, "left"))


def _between(points: Floats, crossings: _Crossings) -> Floats:
    """How many outrank it in the gap after each point but the last, shape (m - 1,)."""
    passed = np.searchsorted(crossings.up, points[:-1], "right")
    return np.asarray(
        crossings.always + passed + len(crossings.down) - np.searchsorted(crossings.down, points[1:], "left")
    )


def _ahead_at_zero(heights: Floats, position: int) -> int:
    height = heights[position]
    return int((heights > height).sum() + (heights[:position] == height).sum())


def _joined(points: Floats, is_in: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> tuple[Interval, ...]:
    """Runs of points and gaps that are in, as intervals."""
    edges = np.diff(np.concatenate([[False], is_in, [False]]).astype(np.int8))
    starts, ends = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1) - 1
    return tuple(
        Interval(float(points[start // 2]), float(points[(end + 1) // 2]), start % 2 == 0, end % 2 == 0)
        for start, end in zip(starts, ends, strict=True)
    )
