"""Weights that move a paper up or down for its keywords, its age and its citations.

Preset `balanced`, over the fused score s (the best of the pool has 1, a miss 0), with strengths a_j:

    final = log(0.05 + s) + a_k log(0.05 + keyword) + a_t log(0.05 + recency) + a_c log(0.05 + citation)

so that each factor's contribution is exact. Preset `paper`, as published (arXiv:2408.01556, section 3):

    final = cosine * (keyword / best)^a_k * (recency / best)^a_t * (citation / best)^a_c

where `best` is the pool's largest value of that weight and a_j = 1 is the published product. The
published program gives a paper without any keyword a tenth and not nothing, so does `paper` here.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from pathfinder.retrieval.stages import StageLog
from pathfinder.types import (
    Candidates,
    CitationProfile,
    Floats,
    Hit,
    Preset,
    Score,
    SearchResult,
    Weighting,
)

EPSILON = 0.05
"""Keeps the logarithm finite: no single factor can cost more than log(0.05) = -3."""

DAYS_PER_YEAR = 365.25
RECENCY_SCALE_YEARS = 0.7
RECENCY_MIDPOINT_YEARS = {Preset.BALANCED: 5.0, Preset.PAPER: 0.0}
"""`paper` is eq. 1 as printed; `balanced` has the 5 years that the paper's text speaks of."""

CITATION_MIDPOINT, CITATION_SCALE = 300.0, 42.0
KEYWORD_FLOOR = 0.1
"""What `paper` gives a paper that has none of the keywords, before it is divided by the best."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """One factor's part in a paper's final score."""

    factor: str
    amount: float
    """A summand of the final score in `balanced`; the logarithm of a factor of it in `paper`."""


def recency_weights(age_years: Floats, midpoint_years: float) -> Floats:
    """`1 / (1 + exp((age - t0) / 0.7))`, arXiv:2408.01556 eq. 1; NaN stays NaN."""
    return np.asarray(expit((midpoint_years - age_years) / RECENCY_SCALE_YEARS))


def citation_weights(citation_count: Floats) -> Floats:
    """`1 / (1 + exp((300 - n) / 42))`, arXiv:2408.01556 eq. 2, unclipped; NaN stays NaN."""
    return np.asarray(expit((citation_count - CITATION_MIDPOINT) / CITATION_SCALE))


def neutral_where_unknown(weights: Floats) -> Floats:
    """NaN becomes the median of the known weights, 1 when none is known: never best, never worst."""
    unknown = np.isnan(weights)
    if not unknown.any():
        return weights
    return np.where(unknown, 1.0 if unknown.all() else np.median(weights[~unknown]), weights)


def reweigh(result: SearchResult, weighting: Weighting) -> SearchResult:
    """The same candidates in the order that `weighting` gives them: no model, no index, no network.

    The hits carry no outlier flags, and the result no assessment: other hits, another judgement.
    """
    log = StageLog()
    with log.stage("weighting") as stage:
        hits, stage.ran = weigh(result.candidates, weighting, result.request.top_k), in_words(weighting)
    return replace(
        result,
        request=replace(result.request, weighting=weighting),
        hits=hits,
        stages=(*(ran for ran in result.stages if ran.name != "weighting"), *log.stages),
        assessment=None,
    )


def weigh(candidates: Candidates, weighting: Weighting, top_k: int) -> tuple[Hit, ...]:
    """The best `top_k` candidates under `weighting`; equals stay in the order of the fused score."""
    factors = _factors(candidates, weighting)
    final = _final(candidates, factors, weighting)
    order = np.lexsort((np.arange(len(final)), -final))[:top_k]
    return tuple(_hit(candidates, int(i), float(final[i]), factors) for i in order)


def contributions(score: Score, weighting: Weighting) -> tuple[Contribution, ...]:
    """What `score.final` is made of. `balanced`: the amounts add up to it; `paper`: to its logarithm.

    In `paper` a cosine of 0 makes the product 0; its amount is then minus infinity.
    """
    if weighting.preset is Preset.PAPER:
        base, epsilon = Contribution("match", _log(_first_known(score.dense, score.fused))), 0.0
    else:
        base, epsilon = Contribution("match", _log(EPSILON + (score.fused or 0.0))), EPSILON
    strengths = {"keyword": weighting.keywords, "recency": weighting.recency, "citation": weighting.citations}
    values = {"keyword": score.keyword, "recency": score.recency, "citation": score.citation}
    known = {name: value for name, value in values.items() if value is not None}
    return base, *(Contribution(name, strengths[name] * _log(epsilon + value)) for name, value in known.items())


def _first_known(*values: float | None) -> float:
    return next((value for value in values if value is not None), 0.0)


def in_words(weighting: Weighting) -> str:
    """What moved the papers, for a badge: "balanced: keywords 1, recency 0.5"."""
    strengths = {"keywords": weighting.keywords, "recency": weighting.recency, "citations": weighting.citations}
    on = [f"{name} {strength:g}" for name, strength in strengths.items() if strength > 0]
    return f"{weighting.preset.value}: {', '.join(on) or 'no weights'}"


def _log(value: float) -> float:
    return float(np.log(value)) if value > 0 else -np.inf


def _factors(candidates: Candidates, weighting: Weighting) -> dict[str, tuple[float, Floats]]:
    """The switched-on factors by their name in `Score`: strength and weights."""
    midpoint = weighting.recency_midpoint_years
    if midpoint is None:
        midpoint = RECENCY_MIDPOINT_YEARS[weighting.preset]
    if weighting.citation_profile is CitationProfile.AGE_FAIR:
        citation = candidates.citation_percentile
    else:
        citation = citation_weights(candidates.citation_count)
    available = {
        "keyword": (weighting.keywords, candidates.keyword),
        "recency": (weighting.recency, recency_weights(candidates.age_years, midpoint)),
        "citation": (weighting.citations, citation),
    }
    factors = {name: (a, neutral_where_unknown(w)) for name, (a, w) in available.items() if a > 0}
    if weighting.preset is Preset.PAPER:
        return {name: (a, _share_of_best(w + KEYWORD_FLOOR * (name == "keyword"))) for name, (a, w) in factors.items()}
    return factors


def _share_of_best(weights: Floats) -> Floats:
    best = weights.max(initial=0.0)
    return weights / best if best > 0 else np.ones_like(weights)


def _final(candidates: Candidates, factors: dict[str, tuple[float, Floats]], weighting: Weighting) -> Floats:
    if weighting.preset is Preset.PAPER:
        final = _similarity(candidates)
        for strength, weights in factors.values():
            final = final * weights**strength
        return final
    final = np.log(EPSILON + candidates.fused)
    for strength, weights in factors.values():
        final = final + strength * np.log(EPSILON + weights)
    return final


def _similarity(candidates: Candidates) -> Floats:
    """The cosine; where meaning was not looked up, the match of words stands in."""
    return np.where(np.isnan(candidates.dense), candidates.fused, candidates.dense)


def _hit(candidates: Candidates, i: int, final: float, factors: dict[str, tuple[float, Floats]]) -> Hit:
    weights = {name: float(w[i]) for name, (_, w) in factors.items()}
    score = Score(
        final=final,
        dense=None if np.isnan(candidates.dense[i]) else float(candidates.dense[i]),
        sparse=None if np.isnan(candidates.sparse[i]) else float(candidates.sparse[i]),
        fused=float(candidates.fused[i]),
        **weights,
    )
    return Hit(candidates.papers[i], int(candidates.rows[i]), score)
