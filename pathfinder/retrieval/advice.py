"""What a reader should know of the weights that are switched on."""

from collections.abc import Iterator

import numpy as np

from pathfinder.retrieval.arguing.words import LABELS, listed
from pathfinder.retrieval.weighting import strengths_of
from pathfinder.types import Candidates, Floats, Preset, Weighting

TIME_AGAINST_CITATIONS = (
    "Time and citations pull against each other: a paper needs years to be cited, "
    "so together they favour neither the new nor the classic ones."
)
"""Said where both are on, and where a suggestion would switch both on."""

RERANKER_STANDS = (
    "As published, the reranker's order stands: the other weights say which papers it orders, and not how. "
    "Set the reranker to 0, or choose Balanced, to see them at work."
)

OPTIONAL = ("title_match", "position", "coverage", "diversity")
"""Factors that not every search looks up."""


def weighting_advice(candidates: Candidates, weighting: Weighting) -> tuple[str, ...]:
    """A sentence for every weight that cannot do here what it promises."""
    advice = []
    known = int((~np.isnan(candidates.citation_count)).sum())
    if weighting.citations and 2 * known < len(candidates):
        advice.append(
            f"Only {known:,} of the {len(candidates):,} candidates have a citation count; "
            "the others count as the median, so citations say little here."
        )
    if weighting.citations and weighting.recency:
        advice.append(TIME_AGAINST_CITATIONS)
    dated = int((~np.isnan(candidates.age_years)).sum())
    if weighting.recency and 2 * dated < len(candidates):
        advice.append(
            f"Only {dated:,} of the {len(candidates):,} candidates have a date; the others count as the median."
        )
    if weighting.keywords and not np.nan_to_num(candidates.keyword).any():
        advice.append("No candidate has one of the keywords, so they move nothing.")
    return (*advice, *_without_effect(candidates, weighting))


def _without_effect(candidates: Candidates, weighting: Weighting) -> Iterator[str]:
    """What is switched on and changes no order, whatever the papers are like."""
    on = {factor: LABELS[factor] for factor, strength in strengths_of(weighting).items() if strength > 0}
    has_reranker = on.pop("rerank", None) is not None and candidates.rerank is not None
    values = {label: getattr(candidates, factor) for factor, label in on.items() if factor in OPTIONAL}
    if missing := tuple(label for label, found in values.items() if found is None):
        yield f"Not looked up in this search, so it moves nothing here: {listed(missing)}."
    if alike := tuple(label for label, found in values.items() if found is not None and _is_level(found)):
        yield f"The same for every candidate, so it moves nothing here: {listed(alike)}."
    if on and has_reranker and weighting.preset is Preset.PAPER:
        yield RERANKER_STANDS


def _is_level(values: Floats) -> bool:
    """Whether no two of the known values differ; the unknown ones count as their median."""
    known = values[~np.isnan(values)]
    return len(known) == 0 or bool(np.ptp(known) == 0)
