"""What a reader should know of the weights that are switched on."""

import numpy as np

from pathfinder.types import Candidates, Weighting

TIME_AGAINST_CITATIONS = (
    "Time and citations pull against each other: a paper needs years to be cited, "
    "so together they favour neither the new nor the classic ones."
)


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
    return tuple(advice)
