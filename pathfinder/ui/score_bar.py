"""The bar under a paper: what its final score is made of, exactly.

Each part is drawn as far as it lifts the paper above the worst that it could have been, so the parts
lie end to end and their sum is the final score above the worst possible one. A full bar is the best
that any paper could reach with these weights.
"""

import math

from pathfinder.retrieval.weighting import EPSILON, Contribution, contributions
from pathfinder.types import Preset, Score, Weighting

COLOURS = {"match": "#0072B2", "keyword": "#009E73", "recency": "#E69F00", "citation": "#CC79A7"}
"""Okabe & Ito: told apart by every kind of colour vision."""

LABELS = {"match": "match", "keyword": "keywords", "recency": "time", "citation": "citations"}

FLOOR = math.log(EPSILON)
"""The least that a factor of full strength can contribute."""


def score_bar(score: Score, weighting: Weighting) -> str:
    """HTML of the bar and its caption; it holds numbers and fixed words only, so there is nothing to escape."""
    parts = contributions(score, weighting)
    strengths = {
        "match": 1.0,
        "keyword": weighting.keywords,
        "recency": weighting.recency,
        "citation": weighting.citations,
    }
    total = sum(strengths[part.factor] for part in parts)
    segments = "".join(
        f'<div style="width:{100 * _share(part, strengths[part.factor]) * strengths[part.factor] / total:.2f}%;'
        f'background:{COLOURS[part.factor]}"></div>'
        for part in parts
    )
    return (
        f'<div role="img" aria-label="{_in_words(score, weighting, parts)}">'
        '<div style="display:flex;height:8px;border-radius:4px;overflow:hidden;background:rgba(128,128,128,.2)">'
        f"{segments}</div>"
        f'<div style="font-size:.8rem;opacity:.75;margin-top:2px">{_in_words(score, weighting, parts)}</div></div>'
    )


def _share(part: Contribution, strength: float) -> float:
    """How far up between the worst and the best of this part, [0, 1]."""
    worst, best = strength * FLOOR, strength * math.log(1 + EPSILON)
    return min(max((part.amount - worst) / (best - worst), 0.0), 1.0)


def _in_words(score: Score, weighting: Weighting, parts: tuple[Contribution, ...]) -> str:
    values = {"match": score.fused, "keyword": score.keyword, "recency": score.recency, "citation": score.citation}
    if weighting.preset is Preset.PAPER:
        values["match"] = score.dense if score.dense is not None else score.fused
        made_of = " × ".join(f"{LABELS[part.factor]} {values[part.factor]:.2f}" for part in parts)
        return f"score {score.final:.3f} = {made_of}"
    made_of = " ".join(f"{part.amount:+.2f} {LABELS[part.factor]}" for part in parts)
    finds = [
        f"meaning {score.dense:.2f}" if score.dense is not None else "",
        f"words {score.sparse:.1f}" if score.sparse is not None else "",
    ]
    return f"score {score.final:.2f} = {made_of} · {' · '.join(found for found in finds if found)}"
