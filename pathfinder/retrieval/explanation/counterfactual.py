"""Counterfactual ranking: the smallest change to a single slider that puts a paper in the top k.

Each slider is moved separately. The score (in the preset `balanced`) or its logarithm (in `paper`) is linear in every
strength, so the strengths that put the paper in the top k form intervals, which are known in closed form
(`strength_intervals.py`). The result is the strength nearest to the current one that lies in such an interval and can
be displayed; it is verified by ranking again. No model is called.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.retrieval.explanation.strength_intervals import Lines, StrengthInterval, intervals_in_top, rank_of
from pathfinder.retrieval.factors import factor_of, factors_of
from pathfinder.retrieval.weighting import active_factors, final_scores
from pathfinder.text.english import enumeration, ordinal
from pathfinder.types import Candidates, Preset, Weighting
from pathfinder.types.weighting import EPSILON

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
    changes = sorted((change for change in per_slider if change), key=_size)
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


def _size(change: WeightChange) -> tuple[float, float]:
    return abs(change.after - change.before), abs(change.limit - change.before)


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
