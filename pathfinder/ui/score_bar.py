"""The bar under a paper: what its final score is made of, exactly.

Each part is drawn as far as it lifts the paper above the worst that it could have been, so the parts
lie end to end and their sum is the final score above the worst possible one. A full bar is the best
that any paper could reach with these weights.
"""

import math

from pathfinder.retrieval.arguing.words import LABELS
from pathfinder.retrieval.weighting import EPSILON, Contribution, contributions, strengths_of
from pathfinder.types import Preset, Score, Weighting

COLOURS = {
    "match": "#0072B2",
    "keyword": "#009E73",
    "recency": "#E69F00",
    "citation": "#CC79A7",
    "title_match": "#56B4E9",
    "position": "#F0E442",
    "coverage": "#888888",
    "diversity": "#882255",
    "rerank": "#D55E00",
}
"""Okabe & Ito's, told apart by every kind of colour vision; grey and P. Tol's wine for the two that they lack."""

FLOOR = math.log(EPSILON)
"""The least that a factor of full strength can contribute."""


def score_bar(score: Score, weighting: Weighting) -> str:
    """HTML of the bar and its caption; it holds numbers and fixed words only, so there is nothing to escape."""
    strengths = _strengths(weighting)
    parts = tuple(part for part in contributions(score, weighting) if strengths[part.factor] > 0)
    words = _in_words(score, weighting, parts)
    total = sum(strengths[part.factor] for part in parts)
    segments = "".join(
        f'<div style="width:{100 * _share(part, score, weighting) * strengths[part.factor] / total:.2f}%;'
        f'background:{COLOURS[part.factor]}"></div>'
        for part in parts
    )
    return (
        f'<div role="img" aria-label="{words}">'
        '<div style="display:flex;height:8px;border-radius:4px;overflow:hidden;background:rgba(128,128,128,.2)">'
        f"{segments}</div>"
        f'<div style="font-size:.8rem;opacity:.75;margin-top:2px">{words}</div></div>'
    )


def _share(part: Contribution, score: Score, weighting: Weighting) -> float:
    """How far up between the worst and the best of this part, [0, 1]."""
    if weighting.preset is Preset.PAPER and part.factor == "rerank":
        return score.final - 1  # where the reranker's order stands, the score is 1 + r
    strength = _strengths(weighting)[part.factor]
    worst, best = strength * FLOOR, strength * math.log(1 + EPSILON)
    return min(max((part.amount - worst) / (best - worst), 0.0), 1.0)


def _strengths(weighting: Weighting) -> dict[str, float]:
    return strengths_of(weighting) | {"match": 1.0}


def _in_words(score: Score, weighting: Weighting, parts: tuple[Contribution, ...]) -> str:
    if weighting.preset is Preset.PAPER:
        return f"score {score.final:.3f} = {_product_in_words(score, parts)}"
    made_of = " ".join(f"{part.amount:+.2f} {LABELS[part.factor]}" for part in parts)
    finds = [
        f"meaning {score.dense:.2f}" if score.dense is not None else "",
        f"words {score.sparse:.1f}" if score.sparse is not None else "",
    ]
    return " · ".join(part for part in (f"score {score.final:.2f} = {made_of}", *finds) if part)


def _product_in_words(score: Score, parts: tuple[Contribution, ...]) -> str:
    if parts[0].factor == "rerank":
        return f"1 + {LABELS['rerank']} {score.rerank:.2f}: the reranker's order stands"
    values = {part.factor: getattr(score, part.factor, None) for part in parts}
    values["match"] = score.dense if score.dense is not None else score.fused
    return " × ".join(f"{LABELS[factor]} {value:.2f}" for factor, value in values.items())
