"""Score bar under a paper: the exact parts of its final score.

The length of each part shows how far it lifts the paper above the worst possible value, so the parts, laid end to end,
add up to how far the final score lies above the worst possible one. A full bar is the best that any paper could reach
with these weights.
"""

import math

from pathfinder.retrieval.factors import FACTORS, label_of
from pathfinder.retrieval.factors.registry import MATCH
from pathfinder.retrieval.weighting import RERANK, Contribution, contributions, strengths_of
from pathfinder.types import Preset, Score, Weighting
from pathfinder.types.weighting import EPSILON

_MATCH_COLOUR = "#0072B2"
_COLOURS = ("#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#F0E442", "#888888", "#882255", "#D55E00", "#332288")
"""Colours of Okabe & Ito, distinguishable with any colour vision, plus grey and P. Tol's wine and indigo for the three
remaining factors.
"""

FLOOR = math.log(EPSILON)
"""Lowest possible contribution of a factor at full strength."""


def score_bar(score: Score, weighting: Weighting) -> str:
    """Return the HTML of the bar and its caption; it contains only numbers and fixed words, so nothing is escaped."""
    strengths = _strengths(weighting)
    parts = tuple(part for part in contributions(score, weighting) if strengths[part.factor] > 0)
    words = _describe(score, weighting, parts)
    total = sum(strengths[part.factor] for part in parts)
    segments = "".join(
        f'<div style="width:{100 * _share(part, score, weighting) * strengths[part.factor] / total:.2f}%;'
        f'background:{colour_of(part.factor)}"></div>'
        for part in parts
    )
    return (
        f'<div role="img" aria-label="{words}">'
        '<div style="display:flex;height:8px;border-radius:4px;overflow:hidden;background:rgba(128,128,128,.2)">'
        f"{segments}</div>"
        f'<div style="font-size:.8rem;opacity:.75;margin-top:2px">{words}</div></div>'
    )


def _share(part: Contribution, score: Score, weighting: Weighting) -> float:
    """Return where a part lies between its worst and best possible values, in [0, 1]."""
    if weighting.preset is Preset.PAPER and part.factor == "rerank":
        return score.final - 1  # if the reranker decides the order, the score is 1 + r
    strength = _strengths(weighting)[part.factor]
    worst, best = strength * FLOOR, strength * math.log(1 + EPSILON)
    return min(max((part.amount - worst) / (best - worst), 0.0), 1.0)


def _strengths(weighting: Weighting) -> dict[str, float]:
    return strengths_of(weighting) | {"match": 1.0}


def colour_of(factor: str) -> str:
    """Return the colour of a factor's part, according to its position in the registry; plug-ins reuse the colours in
    turn.
    """
    return _MATCH_COLOUR if factor == MATCH else _COLOURS[FACTORS.names().index(factor) % len(_COLOURS)]


def _describe(score: Score, weighting: Weighting, parts: tuple[Contribution, ...]) -> str:
    """Name each part with its weight, from 0 (worst) to 1 (best); "Why here?" explains how the parts add up."""
    if weighting.preset is Preset.PAPER and parts[0].factor == RERANK:
        return f"{label_of(RERANK)} {score.rerank:.2f}: its order stands"
    weights = {part.factor: score.weight(part.factor) for part in parts if part.factor != MATCH}
    is_cosine = weighting.preset is Preset.PAPER and score.dense is not None
    weights = {MATCH: score.dense if is_cosine else score.fused} | weights
    return " · ".join(f"{label_of(factor)} {weight:.2f}" for factor, weight in weights.items())
