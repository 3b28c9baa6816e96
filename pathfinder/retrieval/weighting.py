"""Weighting: the formula that orders the papers.

Preset `balanced`, over the fused score s (1 for the best of the pool, 0 for a miss), with strengths a_j:

    final = log(0.05 + s) + sum_j a_j log(0.05 + w_j) + a_r log(0.05 + r)

Here w_j are the weights of the factors that are on (`retrieval/factors/own.py` has each formula), and r is the
reranker's score, 0 outside the reranked pool; terms of stages that did not run are left out. Because the score is a
sum, the contribution of each factor is exact. Preset `paper`, as published (arXiv:2408.01556, section 3):

    final = cosine * product_j (w_j / best_j)^a_j

Here `best_j` is the pool's largest value of that weight, and a_j = 1 gives the published product. The published program
gives a paper without any keyword a weight of one tenth instead of zero, and so does `paper` here. If a reranker ran and
a_r > 0, its order is final: among the best 250 by that product, the reranked papers come first, with 1 + r instead of
the product.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from pathfinder.plugins import PluginProblem
from pathfinder.retrieval.factors import RankingFactor, factors_of, weights_of
from pathfinder.retrieval.stages import StageLog, StageReport, substituted_stage, with_stages
from pathfinder.types import (
    RERANK_POOL_SIZE,
    Candidates,
    Floats,
    Hit,
    Preset,
    Rows,
    Score,
    SearchResult,
    Weighting,
)
from pathfinder.types.weighting import EPSILON, feature_of

RERANK = "rerank"
"""Name of the reranker's factor, which alone orders the reranked papers in the preset `paper`."""

DAYS_PER_YEAR = 365.25

KNOWN_LEAD = 1e6
"""Lead that papers named in the question have over all others; it affects the order but not the score shown."""
_OWN_FIELDS = frozenset(entry.name for entry in fields(Score))


@dataclass(frozen=True, slots=True)
class Contribution:
    """Contribution of one factor to a paper's final score."""

    factor: str
    amount: float
    """In `balanced`, a term of the sum that makes up the score; in `paper`, the logarithm of a factor in the product.
    """


def neutral_where_unknown(weights: Floats) -> Floats:
    """Replace NaN with the median of the known weights (1 if none is known), so that an unknown weight is never the
    best or the worst.
    """
    unknown = np.isnan(weights)
    if not unknown.any():
        return weights
    return np.where(unknown, 1.0 if unknown.all() else np.median(weights[~unknown]), weights)


def reweigh(result: SearchResult, weighting: Weighting) -> SearchResult:
    """Reorder the same candidates with `weighting`, without using a model, an index or the network.

    The hits have no outlier flags, and the result has no assessment: both depend on the hits, so those of `result` no
    longer hold.
    """
    log = StageLog()
    with log.stage("weighting") as stage:
        hits = weigh(result.candidates, weighting, result.request.top_k)
        stage.report = report_weights(weighting, result.candidates)
    result_in_order = replace(
        result,
        request=replace(result.request, weighting=weighting),
        hits=hits,
        assessment=None,
    )
    return with_stages(result_in_order, log)


def weigh(candidates: Candidates, weighting: Weighting, top_k: int) -> tuple[Hit, ...]:
    """Return the best `top_k` candidates under `weighting`; ties keep the order of the fused score."""
    on = active_factors(candidates, weighting)
    final = _final(candidates, on, weighting)
    return tuple(_hit(candidates, int(i), float(final[i]), on) for i in ranking(known_first(final, candidates))[:top_k])


def contributions(score: Score, weighting: Weighting) -> tuple[Contribution, ...]:
    """Return the contributions to `score.final`: in `balanced` they add up to it, in `paper` to its logarithm.

    In `paper` a cosine of 0 makes the product 0; the contribution is then minus infinity. A paper ranked by the
    reranker has only the reranker's contribution.
    """
    if weighting.preset is Preset.PAPER:
        if weighting.rerank > 0 and score.final >= 1 and score.rerank is not None:
            return (Contribution("rerank", _log(score.final)),)
        base, epsilon = Contribution("match", _log(_first_known(score.dense, score.fused))), 0.0
    else:
        base, epsilon = Contribution("match", _log(EPSILON + (score.fused or 0.0))), EPSILON
    others = [
        factor for factor in factors_of(weighting) if weighting.preset is Preset.BALANCED or factor.name != RERANK
    ]
    known_weights = [(factor, weight) for factor in others if (weight := score.weight(factor.name)) is not None]
    return base, *(
        Contribution(factor.name, factor.strength_in(weighting) * _log(epsilon + weight))
        for factor, weight in known_weights
    )


def strengths_of(weighting: Weighting) -> dict[str, float]:
    """Return the strength of each factor, keyed by the factor's name in `Score`."""
    return {factor.name: factor.strength_in(weighting) for factor in factors_of(weighting)}


def _first_known(*values: float | None) -> float:
    return next((value for value in values if value is not None), 0.0)


def describe_weights(weighting: Weighting, candidates: Candidates | None = None) -> str:
    """Describe the weights in effect, for a badge: "balanced: keywords 1, recency 0.5".

    If `candidates` are given, weights that were not measured for them are left out, because they had no effect.
    """
    known_factors = [factor for factor in factors_of(weighting) if factor.name != RERANK]
    if candidates is not None:
        known_factors = [factor for factor in known_factors if known_weights(factor, candidates, weighting) is not None]
    words = {factor.setting: factor.label if feature_of(factor.name) else factor.setting for factor in known_factors}
    strengths = {words[factor.setting]: factor.strength_in(weighting) for factor in known_factors}
    on = [f"{name} {strength:g}" for name, strength in strengths.items() if strength > 0]
    return f"{weighting.preset.value}: {', '.join(on) or 'no weights'}"


def report_weights(weighting: Weighting, candidates: Candidates) -> StageReport:
    """Report the weights in effect, and the factors that are on but need a part that the corpus lacks."""
    words = describe_weights(weighting, candidates)
    reasons = [
        f"{factor.label}: {factor.unmeasured_reason}"
        for factor in factors_of(weighting)
        if factor.unmeasured_reason
        and factor.strength_in(weighting) > 0
        and weights_of(factor, candidates, weighting) is None
    ]
    return (
        substituted_stage(f"{words}; not used: {'; '.join(reasons)}", "; ".join(reasons))
        if reasons
        else StageReport(words)
    )


def _log(value: float) -> float:
    return float(np.log(value)) if value > 0 else -np.inf


def active_factors(candidates: Candidates, weighting: Weighting) -> dict[str, tuple[float, Floats]]:
    """Return the factors that are on and were measured, by name, each with its strength and its weights in [0, 1],
    shape (n,).

    `rerank` is returned only for the preset `balanced`, whose sum includes it.
    """
    is_paper = weighting.preset is Preset.PAPER
    active = {}
    for factor in factors_of(weighting):
        strength = factor.strength_in(weighting)
        if strength > 0 and not (is_paper and factor.name == RERANK):
            weights = known_weights(factor, candidates, weighting)
            if weights is not None:
                active[factor.name] = (strength, _in_preset(factor, neutral_where_unknown(weights), is_paper))
    return active


def known_weights(factor: RankingFactor, candidates: Candidates, weighting: Weighting) -> Floats | None:
    """Return the weights of the candidates, in [0, 1], shape (n,); `None` if the factor was not measured or belongs to
    a plug-in that failed.
    """
    weights = weights_of(factor, candidates, weighting)
    return None if isinstance(weights, PluginProblem) else weights


def weighting_problems(candidates: Candidates, weighting: Weighting) -> tuple[str, ...]:
    """Name the plug-in factors that are switched on but whose weights cannot be used, each with the reason."""
    on = (factor for factor in factors_of(weighting) if factor.strength_in(weighting) > 0)
    results = (weights_of(factor, candidates, weighting) for factor in on)
    return tuple(str(result) for result in results if isinstance(result, PluginProblem))


def _in_preset(factor: RankingFactor, weights: Floats, is_paper: bool) -> Floats:
    return _share_of_best(weights + factor.floor) if is_paper else weights


def _share_of_best(weights: Floats) -> Floats:
    best = weights.max(initial=0.0)
    return weights / best if best > 0 else np.ones_like(weights)


def final_scores(candidates: Candidates, weighting: Weighting) -> Floats:
    """Return the scores by which the candidates are ordered, shape (n,): their final scores, with papers named in the
    question above all others.
    """
    return known_first(_final(candidates, active_factors(candidates, weighting), weighting), candidates)


def known_first(final: Floats, candidates: Candidates) -> Floats:
    """Raise papers named in the question above all others, and then those with a lead; `final` has shape (n,) or
    (draws, n).
    """
    if candidates.lead is not None:
        final = final + KNOWN_LEAD * np.nan_to_num(candidates.lead)
    if not candidates.named_rows:
        return final
    return final + 2 * KNOWN_LEAD * np.isin(candidates.rows, [*candidates.named_rows])


def _final(candidates: Candidates, factors: dict[str, tuple[float, Floats]], weighting: Weighting) -> Floats:
    if weighting.preset is Preset.PAPER:
        final = np.where(np.isnan(candidates.dense), candidates.fused, candidates.dense)
        for strength, weights in factors.values():
            final = final * weights**strength
        return _reranked_first(final, candidates.rerank) if weighting.rerank > 0 else final
    final = np.log(EPSILON + candidates.fused)
    for strength, weights in factors.values():
        final = final + strength * np.log(EPSILON + weights)
    return final


def _reranked_first(product: Floats, rerank: Floats | None) -> Floats:
    """Return `1 + r` for the reranked papers among the best 250 by `product`, and the product, which is at most 1, for
    all others.
    """
    if rerank is None:
        return product
    is_first = np.zeros(len(product), dtype=np.bool_)
    is_first[ranking(product)[:RERANK_POOL_SIZE]] = True
    return np.where(is_first & ~np.isnan(rerank), 1.0 + np.nan_to_num(rerank), product)


def ranking(final: Floats) -> Rows:
    """Return the positions of the candidates, best first; ties keep the input order, that of the fused score."""
    return np.lexsort((np.arange(len(final)), -final))


def _hit(candidates: Candidates, i: int, final: float, factors: dict[str, tuple[float, Floats]]) -> Hit:
    weights = {name: float(w[i]) for name, (_, w) in factors.items()}
    if candidates.rerank is not None and "rerank" not in weights:
        weights["rerank"] = float(np.nan_to_num(candidates.rerank[i]))
    own = {name: weight for name, weight in weights.items() if name in _OWN_FIELDS}
    score = Score(
        final=final,
        dense=None if np.isnan(candidates.dense[i]) else float(candidates.dense[i]),
        sparse=None if np.isnan(candidates.sparse[i]) else float(candidates.sparse[i]),
        fused=float(candidates.fused[i]),
        extra=tuple((name, weight) for name, weight in weights.items() if name not in own),
        **own,
    )
    return Hit(
        candidates.papers[i],
        int(candidates.rows[i]),
        score,
        passages=candidates.passages[i] if candidates.passages else (),
        found_by=candidates.found_by[i] if candidates.found_by else (),
        known_as=candidates.named_rows.get(int(candidates.rows[i])),
        live=candidates.live.get(int(candidates.rows[i])),
        place=candidates.places.get(int(candidates.rows[i])),
        full_text=candidates.full_texts.get(int(candidates.rows[i]), ()),
        absent_words=candidates.absent_words.get(int(candidates.rows[i]), ()),
    )
