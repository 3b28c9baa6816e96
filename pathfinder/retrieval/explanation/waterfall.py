"""Waterfall of a score: the exact contribution of each factor, one after the other.

In the preset `balanced` the contributions add up to the score. The preset `paper` multiplies, so its contributions are
logarithms and add up to the logarithm of the score (minus infinity if a factor is 0); a paper ranked by the reranker
has only the reranker's contribution.
"""

from dataclasses import dataclass

from pathfinder.retrieval.factors import FACTORS, factor_named
from pathfinder.retrieval.weighting import contributions
from pathfinder.types import Hit, Preset, Score, Weighting


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
        return _describe_match(score, weighting)
    if factor == "rerank" and weighting.preset is Preset.PAPER:
        return f"rerank {_format(score.rerank)}: ordered by the reranker"
    source = factor_named(factor)
    is_unknown = FACTORS.attempt(factor, lambda: source.is_unknown(hit.paper))
    unknown = " (unknown: median of the candidates)" if is_unknown is True else ""
    strength = source.strength_in(weighting)
    return f"{source.label} {_format(score.weight(factor))}{unknown} at strength {strength:g}"


def _describe_match(score: Score, weighting: Weighting) -> str:
    if weighting.preset is Preset.PAPER and score.dense is not None:
        return f"match {_format(score.dense)}: cosine between question and paper"
    sides = [
        f"meaning {_format(score.dense)}" if score.dense is not None else "",
        f"words {score.sparse:.1f}" if score.sparse is not None else "",
    ]
    parts = " and ".join(side for side in sides if side)
    return f"match {_format(score.fused)}" + (f": {parts}, fused" if parts else "")


def _format(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.2f}"
