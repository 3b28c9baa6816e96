"""Waterfall of a score: the exact contribution of each factor, one after the other.

In the preset `balanced` the contributions add up to the score. The preset `paper` multiplies, so its contributions are
logarithms and add up to the logarithm of the score (minus infinity if a factor is 0); a paper ranked by the reranker
has only the reranker's contribution.

The bar shown with each paper: the length of a part is how far it lifts the paper above the worst possible value, so the
parts, laid end to end, add up to how far the score lies above the worst possible one. A full bar is the best that any
paper could reach with these weights.
"""

import math
from dataclasses import dataclass

from pathfinder.retrieval.factors import FACTORS, factor_named, label_of
from pathfinder.retrieval.factors.registry import MATCH
from pathfinder.retrieval.weighting import RERANK, Contribution, contributions, strengths_of
from pathfinder.types import Hit, Paper, Preset, Score, Weighting
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
    strengths = _strengths(weighting)
    parts = [part for part in contributions(score, weighting) if strengths[part.factor] > 0]
    total = sum(strengths[part.factor] for part in parts)
    lengths = (_share(part, score, weighting.preset, strengths[part.factor]) for part in parts)
    return tuple(
        BarPart(part.factor, length * strengths[part.factor] / total)
        for part, length in zip(parts, lengths, strict=True)
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
    strengths = _strengths(weighting)
    return tuple(part for part in contributions(score, weighting) if strengths[part.factor] > 0)


def _share(part: Contribution, score: Score, preset: Preset, strength: float) -> float:
    """Return where a part lies between its worst and best possible values, in [0, 1]."""
    if preset is Preset.PAPER and part.factor == RERANK:
        return score.final - 1  # if the reranker decides the order, the score is 1 + its relevance
    worst, best = strength * FLOOR, strength * math.log(1 + EPSILON)
    return min(max((part.amount - worst) / (best - worst), 0.0), 1.0)


def _strengths(weighting: Weighting) -> dict[str, float]:
    return strengths_of(weighting) | {MATCH: 1.0}


@dataclass(frozen=True, slots=True)
class WaterfallStep:
    """Contribution of one factor."""

    factor: str
    """Name of the factor, or `match` for the search itself."""
    amount: float
    """Contribution to the score or, if the steps are logarithms, to its logarithm."""
    total: float
    """Running sum, including this step."""
    description: str
    """Value and strength in words, such as "recency 0.81 at strength 0.5"."""


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Steps from 0 to the score."""

    steps: tuple[WaterfallStep, ...]
    is_logarithm: bool
    """True if the steps add up to the logarithm of the score, not to the score itself."""

    @property
    def total(self) -> float:
        """Sum of all steps, of which there is always at least one."""
        return self.steps[-1].total


def waterfall(hit: Hit, weighting: Weighting) -> Waterfall:
    """Return the contribution of every factor to the score of `hit`, in the order in which they are combined."""
    steps: list[WaterfallStep] = []
    total = 0.0
    for contribution in contributions(hit.score, weighting):
        total += contribution.amount
        steps.append(
            WaterfallStep(
                contribution.factor, contribution.amount, total, _describe(contribution.factor, hit, weighting)
            )
        )
    return Waterfall(tuple(steps), weighting.preset is Preset.PAPER)


def _describe(factor: str, hit: Hit, weighting: Weighting) -> str:
    score = hit.score
    if factor == "match":
        if weighting.preset is Preset.PAPER and score.dense is not None:
            return f"match {_format(score.dense)}: cosine between question and paper"
        sides = [
            f"meaning {_format(score.dense)}" if score.dense is not None else "",
            f"words {score.sparse:.1f}" if score.sparse is not None else "",
        ]
        parts = " and ".join(side for side in sides if side)
        return f"match {_format(score.fused)}" + (f": {parts}, fused" if parts else "")
    if factor == "rerank" and weighting.preset is Preset.PAPER:
        return f"rerank {_format(score.rerank)}: ordered by the reranker"
    source = factor_named(factor)
    unknown = " (unknown: median of the candidates)" if is_unknown(factor, hit.paper) else ""
    strength = source.strength_in(weighting)
    return f"{source.label} {_format(score.weight(factor))}{unknown} at strength {strength:g}"


def is_unknown(factor: str, paper: Paper) -> bool:
    """Whether a factor cannot be read off a paper, which then has the median of the candidates."""
    return factor != MATCH and FACTORS.attempt(factor, lambda: factor_named(factor).is_unknown(paper)) is True


def _format(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
