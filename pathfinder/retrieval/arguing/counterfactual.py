"""What would put this paper in the top k: the smallest change of one slider that does it.

Each slider is moved alone, the others held. In `balanced` the score is linear in every strength, in `paper`
its logarithm is, so the strengths that do it are intervals found in closed form (`sweep.py`); the one
nearest to the present strength is stepped into by the least amount that the reader can be shown, and every
answer is verified by ranking anew. No model is asked.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import floor

import numpy as np

from pathfinder.errors import UsageError
from pathfinder.retrieval.arguing.sweep import Interval, Lines, intervals_in_top, place_of
from pathfinder.retrieval.arguing.words import SLIDER_LABELS, listed, ordinal
from pathfinder.retrieval.weighting import EPSILON, STRENGTH_OF, factors, final_scores
from pathfinder.types import Candidates, Preset, Weighting

FEWEST_DECIMALS, MOST_DECIMALS = 2, 15
"""Of a strength as the reader is shown it; more than two only where the gap is narrower than that."""

NOT_LOOKED_UP = "not looked up in this search"
RERANK_STANDS = "in the preset `paper` the reranker's order stands; which 250 it orders is not tried"


@dataclass(frozen=True, slots=True)
class Change:
    """One slider moved, and where the paper stands then."""

    slider: str
    """The field of `Weighting`."""
    before: float
    after: float
    """Verified: with this strength the paper is in the top k."""
    limit: float
    """The end of the strengths that do it, in closed form: nothing nearer to `before` does."""
    rank: int
    """Where the paper then stands, from 1."""

    @property
    def words(self) -> str:
        """As in "time from 0 to 0.31, then it stands 9th"."""
        moved = f"{SLIDER_LABELS[self.slider]} from {self.before:g} to {self.after:.15g}"
        return f"{moved}, then it stands {ordinal(self.rank)}"


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """Where a paper stands, and what would bring it into the top k."""

    rank: int
    """Now, from 1."""
    top_k: int
    changes: tuple[Change, ...]
    """At most one a slider, the smallest first; none for a paper that is in the top k."""
    fixed: tuple[tuple[str, str], ...]
    """Sliders that cannot be moved, each with the reason."""

    @property
    def words(self) -> str:
        """One sentence for the reader, without what is fixed."""
        stands = f"It stands {ordinal(self.rank)}"
        if self.rank <= self.top_k:
            return f"{stands}." if self.top_k == 1 else f"{stands}: it is in the top {self.top_k}."
        there = "first" if self.top_k == 1 else f"in the top {self.top_k}"
        if self.changes:
            return f"{stands}. The smallest change that puts it {there}: {self.changes[0].words}."
        return f"{stands}. No change of one slider puts it {there}."

    @property
    def fixed_words(self) -> str:
        """Which sliders were left out, and why; empty when none was."""
        by_reason: dict[str, tuple[str, ...]] = {}
        for slider, reason in self.fixed:
            by_reason[reason] = (*by_reason.get(reason, ()), SLIDER_LABELS[slider])
        told = [f"{listed(sliders)} ({reason})" for reason, sliders in by_reason.items()]
        return f"Not moved: {'; '.join(told)}." if told else ""


def with_strength(weighting: Weighting, slider: str, strength: float) -> Weighting:
    """The weighting with one slider moved."""
    return replace(weighting, **{slider: strength})  # type: ignore[arg-type]


def what_would_it_take(candidates: Candidates, weighting: Weighting, position: int, top_k: int) -> Counterfactual:
    """The smallest change of each slider that brings the candidate at `position` into the top k.

    Raises `UsageError` for a position that no candidate has and a top k below 1.
    """
    if not 0 <= position < len(candidates):
        raise UsageError(f"position must lie in 0..{len(candidates) - 1}, got {position}: see result.candidates")
    if top_k < 1:
        raise UsageError(f"top_k must be at least 1, got {top_k}")
    rank = place_of(candidates, weighting, position)
    fixed = {slider: reason for slider in STRENGTH_OF.values() if (reason := _why_fixed(candidates, weighting, slider))}
    free = [slider for slider in STRENGTH_OF.values() if slider not in fixed and rank > top_k]
    tried = (_smallest(candidates, weighting, slider, position, top_k) for slider in free)
    changes = sorted((change for change in tried if change), key=_size)
    return Counterfactual(rank, top_k, tuple(changes), tuple(fixed.items()))


def _why_fixed(candidates: Candidates, weighting: Weighting, slider: str) -> str:
    """Why this slider moves nothing here; empty where it may."""
    if slider == "rerank":
        return "" if candidates.rerank is not None else "no reranker ran"
    if weighting.preset is Preset.PAPER and weighting.rerank > 0 and candidates.rerank is not None:
        return RERANK_STANDS
    return "" if _factor(slider) in factors(candidates, with_strength(weighting, slider, 1.0)) else NOT_LOOKED_UP


def _factor(slider: str) -> str:
    return next(factor for factor, strength in STRENGTH_OF.items() if strength == slider)


def _smallest(candidates: Candidates, weighting: Weighting, slider: str, position: int, top_k: int) -> Change | None:
    before: float = getattr(weighting, slider)
    for interval in sorted(
        _intervals(candidates, weighting, slider, position, top_k), key=lambda found: _distance(found, before)
    ):
        for after in _shown_strengths(interval, before):
            rank = place_of(candidates, with_strength(weighting, slider, after), position)
            if rank <= top_k:
                limit = interval.low if after > before else interval.high
                return Change(slider, before, after, limit, rank)
    return None


def _intervals(
    candidates: Candidates, weighting: Weighting, slider: str, position: int, top_k: int
) -> tuple[Interval, ...]:
    if slider == "rerank" and weighting.preset is Preset.PAPER:
        # A switch: any strength above 0 lets the reranker's order stand.
        return (Interval(0.0, 0.0),) if weighting.rerank > 0 else (Interval(0.0, 1.0, has_low=False),)
    return intervals_in_top(lines_of(candidates, weighting, slider), position, top_k)


def lines_of(candidates: Candidates, weighting: Weighting, slider: str) -> Lines:
    """The score as a line over one slider, its logarithm in `paper`; the slider's column must have been looked up."""
    without = final_scores(candidates, with_strength(weighting, slider, 0.0))
    _, weights = factors(candidates, with_strength(weighting, slider, 1.0))[_factor(slider)]
    if weighting.preset is Preset.BALANCED:
        return Lines(without, np.log(EPSILON + weights))
    with np.errstate(divide="ignore"):  # a product of nothing is minus infinity
        return Lines(np.log(without), np.log(weights))


def _size(change: Change) -> tuple[float, float]:
    return abs(change.after - change.before), abs(change.limit - change.before)


def _distance(interval: Interval, before: float) -> float:
    return max(interval.low - before, before - interval.high, 0.0)


def _shown_strengths(interval: Interval, before: float) -> Iterator[float]:
    """Strengths in the interval that are nearest to `before`, those with the fewest decimals first."""
    goes_up = before <= interval.low or before < interval.high
    end = max(interval.low, before) if goes_up else interval.high
    for decimals in range(FEWEST_DECIMALS, MOST_DECIMALS + 1):
        scale = 10**decimals
        nearest = floor(end * scale)
        for whole in (nearest, nearest + 1, nearest + 2) if goes_up else (nearest + 1, nearest, nearest - 1):
            strength = whole / scale
            if strength in interval and strength != before and 0 <= strength <= 1:
                yield strength
                break
    if end in interval:
        yield end
