"""The parts of a score as shown with each paper: how much of the score bar each fills, and its weight as text.

The length of each part shows how far it lifts the paper above the worst possible value, so the parts, laid end to end,
add up to how far the final score lies above the worst possible one. A full bar is the best that any paper could reach
with these weights.
"""

import math
from dataclasses import dataclass

from pathfinder.retrieval.factors import label_of
from pathfinder.retrieval.factors.registry import MATCH
from pathfinder.retrieval.weighting import RERANK, Contribution, contributions, strengths_of
from pathfinder.types import Preset, Score, Weighting
from pathfinder.types.weighting import EPSILON

FLOOR = math.log(EPSILON)
"""Lowest possible contribution of a factor at full strength."""


@dataclass(frozen=True, slots=True)
class BarPart:
    """A part of a score bar."""

    factor: str
    """Name of a factor, or `MATCH`."""
    length: float
    """Length as a share of the whole bar, [0, 1]."""


def bar_parts(score: Score, weighting: Weighting) -> tuple[BarPart, ...]:
    """Return the parts of a score bar in order; together they fill no more than the whole bar."""
    strengths, parts = _strengths(weighting), _parts(score, weighting)
    total = sum(strengths[part.factor] for part in parts)
    return tuple(
        BarPart(part.factor, _share(part, score, weighting) * strengths[part.factor] / total) for part in parts
    )


def describe_parts(score: Score, weighting: Weighting) -> str:
    """Name each part and its weight, from 0 (worst) to 1 (best); "Why here?" explains how the parts add up."""
    parts = _parts(score, weighting)
    if weighting.preset is Preset.PAPER and parts[0].factor == RERANK:
        return f"{label_of(RERANK)} {score.rerank:.2f}: its order stands"
    weights = {part.factor: score.weight(part.factor) for part in parts if part.factor != MATCH}
    is_cosine = weighting.preset is Preset.PAPER and score.dense is not None
    weights = {MATCH: score.dense if is_cosine else score.fused} | weights
    return " · ".join(f"{label_of(factor)} {weight:.2f}" for factor, weight in weights.items() if weight is not None)


def _parts(score: Score, weighting: Weighting) -> tuple[Contribution, ...]:
    """Return the contributions of the match and of the factors that are on."""
    strengths = _strengths(weighting)
    return tuple(part for part in contributions(score, weighting) if strengths[part.factor] > 0)


def _share(part: Contribution, score: Score, weighting: Weighting) -> float:
    """Return where a part lies between its worst and best possible values, in [0, 1]."""
    if weighting.preset is Preset.PAPER and part.factor == RERANK:
        return score.final - 1  # if the reranker decides the order, the score is 1 + its relevance
    strength = _strengths(weighting)[part.factor]
    worst, best = strength * FLOOR, strength * math.log(1 + EPSILON)
    return min(max((part.amount - worst) / (best - worst), 0.0), 1.0)


def _strengths(weighting: Weighting) -> dict[str, float]:
    return strengths_of(weighting) | {MATCH: 1.0}
