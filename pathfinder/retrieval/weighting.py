"""The one sum that the order is made of.

Preset `balanced`, over the fused score s (the best of the pool has 1, a miss 0), with strengths a_j:

    final = log(0.05 + s) + sum_j a_j log(0.05 + w_j) + a_r log(0.05 + r)

where the w_j are the weights of keywords, time, citations, title, position, coverage and diversity, and
r is the reranker's score, 0 outside the reranked pool; a term whose stage did not run is left out. So each
factor's contribution is exact. Preset `paper`, as published (arXiv:2408.01556, section 3):

    final = cosine * product_j (w_j / best_j)^a_j

where `best_j` is the pool's largest value of that weight and a_j = 1 is the published product. The
published program gives a paper without any keyword a tenth and not nothing, so does `paper` here. Where a
reranker ran and a_r > 0 its order stands: of the best 250 by that product, those that were reranked come
first, with 1 + r in the product's place.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from pathfinder.retrieval.stages import StageLog
from pathfinder.types import (
    RERANK_POOL_SIZE,
    Candidates,
    CitationProfile,
    Floats,
    Hit,
    Preset,
    Rows,
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

STRENGTH_OF = {
    "keyword": "keywords",
    "recency": "recency",
    "citation": "citations",
    "title_match": "title",
    "position": "position",
    "coverage": "coverage",
    "diversity": "diversity",
    "rerank": "rerank",
}
"""Which field of `Weighting` is the strength of a factor, by the factor's name in `Score`."""


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
        hits = weigh(result.candidates, weighting, result.request.top_k)
        stage.ran = in_words(weighting, result.candidates)
    return replace(
        result,
        request=replace(result.request, weighting=weighting),
        hits=hits,
        stages=(*(ran for ran in result.stages if ran.name != "weighting"), *log.stages),
        assessment=None,
    )


def weigh(candidates: Candidates, weighting: Weighting, top_k: int) -> tuple[Hit, ...]:
    """The best `top_k` candidates under `weighting`; equals stay in the order of the fused score."""
    on = factors(candidates, weighting)
    final = _final(candidates, on, weighting)
    return tuple(_hit(candidates, int(i), float(final[i]), on) for i in ranking(final)[:top_k])


def contributions(score: Score, weighting: Weighting) -> tuple[Contribution, ...]:
    """What `score.final` is made of. `balanced`: the amounts add up to it; `paper`: to its logarithm.

    In `paper` a cosine of 0 makes the product 0; its amount is then minus infinity. A paper that stands where
    the reranker put it has that one contribution.
    """
    if weighting.preset is Preset.PAPER:
        if weighting.rerank > 0 and score.final >= 1 and score.rerank is not None:
            return (Contribution("rerank", _log(score.final)),)
        base, epsilon = Contribution("match", _log(_first_known(score.dense, score.fused))), 0.0
    else:
        base, epsilon = Contribution("match", _log(EPSILON + (score.fused or 0.0))), EPSILON
    strengths = strengths_of(weighting)
    if weighting.preset is Preset.PAPER:
        del strengths["rerank"]
    values = {name: getattr(score, name) for name in strengths}
    known = {name: value for name, value in values.items() if value is not None}
    return base, *(Contribution(name, strengths[name] * _log(epsilon + value)) for name, value in known.items())


def strengths_of(weighting: Weighting) -> dict[str, float]:
    """The strength of each factor, by the factor's name in `Score`."""
    return {factor: getattr(weighting, name) for factor, name in STRENGTH_OF.items()}


def _first_known(*values: float | None) -> float:
    return next((value for value in values if value is not None), 0.0)


def in_words(weighting: Weighting, candidates: Candidates | None = None) -> str:
    """What moved the papers, for a badge: "balanced: keywords 1, recency 0.5".

    With `candidates`, a weight that was not looked up for them is left out: it moved nothing.
    """
    factors_on = [factor for factor in STRENGTH_OF if factor != "rerank"]
    if candidates is not None:
        factors_on = [factor for factor in factors_on if getattr(candidates, factor, ()) is not None]
    strengths = {STRENGTH_OF[factor]: getattr(weighting, STRENGTH_OF[factor]) for factor in factors_on}
    on = [f"{name} {strength:g}" for name, strength in strengths.items() if strength > 0]
    return f"{weighting.preset.value}: {', '.join(on) or 'no weights'}"


def _log(value: float) -> float:
    return float(np.log(value)) if value > 0 else -np.inf


def factors(candidates: Candidates, weighting: Weighting) -> dict[str, tuple[float, Floats]]:
    """The switched-on factors that were looked up, by their name in `Score`: strength, and weights in [0, 1].

    `rerank` is among them in preset `balanced` only, which sums it.
    """
    midpoint = weighting.recency_midpoint_years
    if midpoint is None:
        midpoint = RECENCY_MIDPOINT_YEARS[weighting.preset]
    is_age_fair = weighting.citation_profile is CitationProfile.AGE_FAIR
    available = {
        "keyword": candidates.keyword,
        "recency": recency_weights(candidates.age_years, midpoint),
        "citation": candidates.citation_percentile if is_age_fair else citation_weights(candidates.citation_count),
        "title_match": candidates.title_match,
        "position": candidates.position,
        "coverage": candidates.coverage,
        "diversity": candidates.diversity,
    }
    strengths = strengths_of(weighting)
    known = {
        name: (strengths[name], neutral_where_unknown(weights))
        for name, weights in available.items()
        if weights is not None and strengths[name] > 0
    }
    if weighting.preset is Preset.PAPER:
        return {name: (a, _share_of_best(w + KEYWORD_FLOOR * (name == "keyword"))) for name, (a, w) in known.items()}
    if candidates.rerank is not None and weighting.rerank > 0:
        known["rerank"] = (weighting.rerank, np.nan_to_num(candidates.rerank))
    return known


def _share_of_best(weights: Floats) -> Floats:
    best = weights.max(initial=0.0)
    return weights / best if best > 0 else np.ones_like(weights)


def final_scores(candidates: Candidates, weighting: Weighting) -> Floats:
    """The final score of every candidate, shape (n,), in the candidates' order."""
    return _final(candidates, factors(candidates, weighting), weighting)


def _final(candidates: Candidates, factors: dict[str, tuple[float, Floats]], weighting: Weighting) -> Floats:
    if weighting.preset is Preset.PAPER:
        final = _similarity(candidates)
        for strength, weights in factors.values():
            final = final * weights**strength
        return _reranked_first(final, candidates.rerank) if weighting.rerank > 0 else final
    final = np.log(EPSILON + candidates.fused)
    for strength, weights in factors.values():
        final = final + strength * np.log(EPSILON + weights)
    return final


def _reranked_first(product: Floats, rerank: Floats | None) -> Floats:
    """`1 + r` for those of the best 250 by `product` that were reranked; the product, at most 1, for the others."""
    if rerank is None:
        return product
    chosen = np.zeros(len(product), dtype=np.bool_)
    chosen[ranking(product)[:RERANK_POOL_SIZE]] = True
    return np.where(chosen & ~np.isnan(rerank), 1.0 + np.nan_to_num(rerank), product)


def ranking(final: Floats) -> Rows:
    """Positions of the candidates, best first; equals stay in the order of the fused score, which they come in."""
    return np.lexsort((np.arange(len(final)), -final))


def _similarity(candidates: Candidates) -> Floats:
    """The cosine; where meaning was not looked up, the match of words stands in."""
    return np.where(np.isnan(candidates.dense), candidates.fused, candidates.dense)


def _hit(candidates: Candidates, i: int, final: float, factors: dict[str, tuple[float, Floats]]) -> Hit:
    weights = {name: float(w[i]) for name, (_, w) in factors.items()}
    if candidates.rerank is not None and "rerank" not in weights:
        weights["rerank"] = float(np.nan_to_num(candidates.rerank[i]))
    score = Score(
        final=final,
        dense=None if np.isnan(candidates.dense[i]) else float(candidates.dense[i]),
        sparse=None if np.isnan(candidates.sparse[i]) else float(candidates.sparse[i]),
        fused=float(candidates.fused[i]),
        **weights,
    )
    return Hit(
        candidates.papers[i],
        int(candidates.rows[i]),
        score,
        passages=candidates.passages[i] if candidates.passages else (),
        found_by=candidates.found_by[i] if candidates.found_by else (),
    )
