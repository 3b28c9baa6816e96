"""Counterfactual ranking: the smallest change to a single slider that puts a paper in the top k.

Each slider is moved separately. The score (in the preset `balanced`) or its logarithm (in `paper`) is linear in every
strength, so the strengths that put the paper in the top k form intervals, which are known in closed form
(`intervals_in_top`). The result is the strength nearest to the current one that lies in such an interval and can
be displayed; it is verified by ranking again. No model is called.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.retrieval.factors import factor_of, factors_of
from pathfinder.retrieval.weighting import active_factors, final_scores, ranking
from pathfinder.text.english import enumeration, ordinal
from pathfinder.types import Candidates, Floats, Preset, Weighting
from pathfinder.types.weighting import EPSILON


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

    Every score is a linear function of the strength, so paper j outranks paper i on a half-line that begins or ends
    where their scores are equal, at a_ij = (h_j - h_i) / (s_i - s_j). The sorted crossings divide [0, 1] into points
    and gaps; two binary searches count the papers ahead at each of them.
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


MIN_DECIMALS, MAX_DECIMALS = 2, 15
"""Minimum and maximum number of decimal places shown for a strength; more than two are shown only if no strength with
two lies in the interval.
"""

NOT_LOOKED_UP = "not measured in this search"
RERANKER_DECIDES = (
    "in the preset `paper`, the reranker decides the order of its pool of 250, and no other paper is considered"
)


@dataclass(frozen=True, slots=True)
class WeightChange:
    """New position of one slider, and the resulting rank of the paper."""

    slider: str
    """Name of the field in `Weighting`."""
    before: float
    after: float
    """Strength that puts the paper in the top k, verified by ranking again."""
    limit: float
    """End, nearer to `before`, of the interval that contains `after`, in closed form: no strength closer to `before`
    suffices.
    """
    rank: int
    """Rank of the paper after the change, counted from 1."""

    @property
    def description(self) -> str:
        """The change in words, such as "recency from 0 to 0.31; it then ranks 9th"."""
        change = f"{factor_of(self.slider).label} from {self.before:g} to {self.after:.15g}"
        return f"{change}; it then ranks {ordinal(self.rank)}"


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """Rank of a paper, and the changes that would put it in the top k."""

    rank: int
    """Current rank, counted from 1."""
    top_k: int
    changes: tuple[WeightChange, ...]
    """At most one change per slider, the smallest first; empty for a paper that is already in the top k."""
    fixed_sliders: tuple[tuple[str, str], ...]
    """Sliders that have no effect here, each with the reason why."""

    @property
    def description(self) -> str:
        """Rank and smallest change in one or two sentences, without the sliders that have no effect."""
        current = f"It ranks {ordinal(self.rank)}"
        if self.rank <= self.top_k:
            return f"{current}." if self.top_k == 1 else f"{current}: it is in the top {self.top_k}."
        target = "first" if self.top_k == 1 else f"in the top {self.top_k}"
        if self.changes:
            return f"{current}. The smallest change that puts it {target}: {self.changes[0].description}."
        return f"{current}. No change to a single slider puts it {target}."

    @property
    def fixed_description(self) -> str:
        """Sliders that have no effect, and why, in one sentence; empty if there are none."""
        by_reason: dict[str, tuple[str, ...]] = {}
        for slider, reason in self.fixed_sliders:
            by_reason[reason] = (*by_reason.get(reason, ()), factor_of(slider).label)
        groups = [f"{enumeration(sliders)} ({reason})" for reason, sliders in by_reason.items()]
        return f"Not moved: {'; '.join(groups)}." if groups else ""


def smallest_changes(candidates: Candidates, weighting: Weighting, position: int, top_k: int) -> Counterfactual:
    """Find the smallest change to each slider that puts the candidate at `position` in the top k.

    Raises `UsageError` for a position outside the candidates or a top k below 1.
    """
    if not 0 <= position < len(candidates):
        raise UsageError(f"position must lie in 0..{len(candidates) - 1}, got {position}: see result.candidates")
    if top_k < 1:
        raise UsageError(f"top_k must be at least 1, got {top_k}")
    rank = rank_of(candidates, weighting, position)
    sliders = [factor.setting for factor in factors_of(weighting)]
    reasons = {slider: reason for slider in sliders if (reason := _why_fixed(candidates, weighting, slider))}
    free = [slider for slider in sliders if slider not in reasons and rank > top_k]
    per_slider = (_smallest(candidates, weighting, slider, position, top_k) for slider in free)
    changes = sorted(
        (change for change in per_slider if change),
        key=lambda change: (abs(change.after - change.before), abs(change.limit - change.before)),
    )
    return Counterfactual(rank, top_k, tuple(changes), tuple(reasons.items()))


def _why_fixed(candidates: Candidates, weighting: Weighting, slider: str) -> str:
    """Return the reason why this slider has no effect here; empty if it may have an effect."""
    if slider == "rerank":
        return "" if candidates.rerank is not None else "no reranker ran"
    if weighting.preset is Preset.PAPER and weighting.rerank > 0 and candidates.rerank is not None:
        return RERANKER_DECIDES
    return (
        ""
        if factor_of(slider).name in active_factors(candidates, weighting.with_strength(slider, 1.0))
        else NOT_LOOKED_UP
    )


def _smallest(
    candidates: Candidates, weighting: Weighting, slider: str, position: int, top_k: int
) -> WeightChange | None:
    before = factor_of(slider).strength_in(weighting)
    for interval in sorted(
        _intervals(candidates, weighting, slider, position, top_k),
        key=lambda interval: max(interval.low - before, before - interval.high, 0.0),
    ):
        for after in _displayable_strengths(interval, before):
            rank = rank_of(candidates, weighting.with_strength(slider, after), position)
            if rank <= top_k:
                limit = interval.low if after > before else interval.high
                return WeightChange(slider, before, after, limit, rank)
    return None


def _intervals(
    candidates: Candidates, weighting: Weighting, slider: str, position: int, top_k: int
) -> tuple[StrengthInterval, ...]:
    if slider == "rerank" and weighting.preset is Preset.PAPER:
        # This slider acts as a switch: at any strength above 0, the reranker decides.
        return (StrengthInterval(0.0, 0.0),) if weighting.rerank > 0 else (StrengthInterval(0.0, 1.0, has_low=False),)
    return intervals_in_top(lines_of(candidates, weighting, slider), position, top_k)


def lines_of(candidates: Candidates, weighting: Weighting, slider: str) -> Lines:
    """Return the scores (in `paper`, their logarithms) as linear functions of a slider, whose factor must have been
    measured.
    """
    without = final_scores(candidates, weighting.with_strength(slider, 0.0))
    _, weights = active_factors(candidates, weighting.with_strength(slider, 1.0))[factor_of(slider).name]
    if weighting.preset is Preset.BALANCED:
        return Lines(without, np.log(EPSILON + weights))
    with np.errstate(divide="ignore"):  # the logarithm of 0 is minus infinity
        return Lines(np.log(without), np.log(weights))


def _displayable_strengths(interval: StrengthInterval, before: float) -> Iterator[float]:
    """Yield the strength in the interval that is nearest to `before`: first with two decimal places, then with more and
    more, and finally exact.
    """
    increases = before <= interval.low or before < interval.high
    end = max(interval.low, before) if increases else interval.high
    for decimals in range(MIN_DECIMALS, MAX_DECIMALS + 1):
        scale = 10**decimals
        nearest = floor(end * scale)
        for whole in (nearest, nearest + 1, nearest + 2) if increases else (nearest + 1, nearest, nearest - 1):
            strength = whole / scale
            if strength in interval and strength != before and 0 <= strength <= 1:
                yield strength
                break
    if end in interval:
        yield end
