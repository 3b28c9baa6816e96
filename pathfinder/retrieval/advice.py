"""Advice about the weights that are switched on."""

from collections.abc import Iterator

import numpy as np

from pathfinder.retrieval.factors import factors_of
from pathfinder.retrieval.weighting import RERANK, known_weights
from pathfinder.text.english import enumeration
from pathfinder.types import Candidates, Floats, Preset, Weighting

TIME_AGAINST_CITATIONS = (
    "Recency and citations pull against each other: papers take years to be cited, "
    "so together they favour neither new papers nor classics."
)
"""Warning shown when the weights of recency and citations are both on, or when a suggestion would switch both on."""

RERANKER_STANDS = (
    "With “As published”, the reranker's order is final: the other weights only select the papers that it orders. "
    "To see their effect, set the reranker to 0 or choose “Balanced”."
)


def weighting_advice(candidates: Candidates, weighting: Weighting) -> tuple[str, ...]:
    """Return one sentence for each weight that cannot have its intended effect in this search."""
    advice = []
    if weighting.citations and (uncounted := advice_on_citations(candidates)):
        advice.append(uncounted)
    if weighting.citations and weighting.recency:
        advice.append(TIME_AGAINST_CITATIONS)
    n_dated = int((~np.isnan(candidates.age_years)).sum())
    if weighting.recency and 2 * n_dated < len(candidates):
        advice.append(
            f"Only {n_dated:,} of the {len(candidates):,} candidates have a date; "
            "the others are given the median weight."
        )
    if weighting.keywords and not np.nan_to_num(candidates.keyword).any():
        advice.append("None of the candidates has any of the keywords, so keywords have no effect.")
    return (*advice, *_without_effect(candidates, weighting))


def advice_on_citations(candidates: Candidates) -> str:
    """Say that citations cannot rank these candidates; empty if the citations of at least half of them are known."""
    n_known = int((~np.isnan(candidates.citation_count)).sum())
    if 2 * n_known >= len(candidates):
        return ""
    return (
        f"Only {n_known:,} of the {len(candidates):,} candidates have a citation count; "
        "the others are given the median weight, so citations say little here."
    )


def _without_effect(candidates: Candidates, weighting: Weighting) -> Iterator[str]:
    """Yield a sentence for each reason why weights that are on cannot change the order of these candidates."""
    on = [factor for factor in factors_of(weighting) if factor.strength_in(weighting) > 0 and factor.name != RERANK]
    has_reranker = weighting.rerank > 0 and candidates.rerank is not None
    values = {factor.label: known_weights(factor, candidates, weighting) for factor in on if factor.measure is not None}
    if missing := tuple(label for label, weights in values.items() if weights is None):
        yield f"No effect (not measured in this search): {enumeration(missing)}."
    if alike := tuple(label for label, weights in values.items() if weights is not None and _is_level(weights)):
        yield f"No effect (the same for every candidate): {enumeration(alike)}."
    if on and has_reranker and weighting.preset is Preset.PAPER:
        yield RERANKER_STANDS


def _is_level(values: Floats) -> bool:
    """Return whether all known values are equal; unknown values do not matter, because they are replaced by the median
    of the known ones.
    """
    known_values = values[~np.isnan(values)]
    return len(known_values) == 0 or bool(np.ptp(known_values) == 0)
