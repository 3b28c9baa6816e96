"""What speaks for a review of a district: its density, its growth, its citations, and the age of its last review.

A factor that cannot be counted is said to be missing, with the reason: it is never taken for a nought.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.stats import hypergeom, norm, rankdata

from pathfinder.landscape.gaps.districts import Districts
from pathfinder.landscape.layers.growth import WHAT_IT_TAKES, halves
from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats

MIN_KNOWN = 8
"""Papers of a district with a citation count, below which their mean says nothing."""
REVIEW_COVERS = 3.0
"""How many districts' papers a review covers: it is written of more than one corner."""
NEVER = np.inf
"""Years since the last review of a district that none covers."""


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """One number for each district, and how likely chance alone would bring as much."""

    name: str
    note: str
    """What it is, with its unit and range."""
    values: Floats
    """The higher, the more speaks for a review; NaN where it is not known."""
    p: Floats | None = None
    """Of as much or more by chance, [0, 1]; NaN where it is not known. `None`: it is not tested."""
    missing: str = ""
    """Why no district has it; empty where some have."""

    @property
    def ranks(self) -> Floats:
        """The share of the other known districts that have less, equals counting half: [0, 1]; NaN stays.

        A district that no review of the list ever covered may lie beyond what the list is about, so `NEVER` has none.
        """
        known = np.isfinite(self.values)
        ranks = np.full(len(self.values), np.nan)
        n = int(known.sum())
        if n > 1:
            ranks[known] = (rankdata(self.values[known]) - 1) / (n - 1)
        return ranks


def factors_of(survey: Survey, districts: Districts) -> tuple[Factor, ...]:
    """All four, in the order in which they are told."""
    return (
        density(survey, districts),
        growth(survey, districts),
        citations(survey, districts),
        review_age(survey, districts),
    )


def density(survey: Survey, districts: Districts) -> Factor:
    """Papers on each cell of the map that has any."""
    occupied = np.unique(survey.cells)
    n_cells = np.bincount(districts.of_cell[occupied], minlength=len(districts))
    values = np.where(n_cells > 0, districts.sizes / np.maximum(n_cells, 1), np.nan)
    return Factor("density", "papers on a cell of the map that has any", values)


def growth(survey: Survey, districts: Districts) -> Factor:
    """How many times as fast as the whole map a district grows, by the halves that the layer of growth compares.

    Tested by the exact hypergeometric tail.
    """
    note = "the newer half of recent papers over the older, beside the same on the whole map"
    parts = halves(survey)
    n = len(districts)
    if parts is None:
        return _missing("growth", note, n, f"growth takes {WHAT_IT_TAKES}")
    newer, older = (np.bincount(districts.of[rows], minlength=n) for rows in (parts.newer, parts.older))
    n_newer, n_older = len(parts.newer), len(parts.older)
    known = newer + older > 0
    values = np.where(known, parts.times(newer, older), np.nan)
    p = np.where(known, hypergeom.sf(newer - 1, n_newer + n_older, n_newer, newer + older), np.nan)
    return Factor("growth", note, values, p)


def citations(survey: Survey, districts: Districts) -> Factor:
    """The mean percentile of a district's citations, each among the papers of its year.

    Tested against the mean of all: `(mean - m) / (s / sqrt(n))` as a normal deviate.
    """
    note = "mean percentile of citations, each paper among those of its year, [0, 1]"
    percentiles = survey.papers.citation_percentiles()
    counted = np.flatnonzero(~np.isnan(percentiles))
    n = len(districts)
    known = np.bincount(districts.of[counted], minlength=n)
    enough = known >= MIN_KNOWN
    spread = float(percentiles[counted].std()) if len(counted) else 0.0
    if not enough.any() or spread == 0:
        return _missing("citations", note, n, f"no region has {MIN_KNOWN} papers whose citations are known and differ")
    means = np.bincount(districts.of[counted], percentiles[counted], minlength=n) / np.maximum(known, 1)
    deviates = (means - percentiles[counted].mean()) / (spread / np.sqrt(np.maximum(known, 1)))
    return Factor("citations", note, np.where(enough, means, np.nan), np.where(enough, norm.sf(deviates), np.nan))


def review_age(survey: Survey, districts: Districts) -> Factor:
    """Years from a district's last review to the corpus's snapshot; `NEVER` where none of the list covers it.

    A review covers the papers around it, as many as `REVIEW_COVERS` districts hold on average: a district whose
    middle is no farther from it than the last of them.
    """
    name, note = "years since a review", "from the last review that covers the region to the corpus's snapshot"
    n = len(districts)
    if survey.reviews is None:
        return _missing(name, note, n, survey.why_no_reviews)
    this_year = survey.this_year
    dated = [review for review in survey.reviews if review.year is not None]
    if this_year is None or not dated:
        return _missing(name, note, n, "no review has a year" if survey.reviews else survey.why_no_reviews)
    years = np.array([review.year for review in dated], dtype=np.float64)
    covers = _covers(np.array([(review.x, review.y) for review in dated]), survey, districts)
    last = np.where(covers & (years <= this_year)[:, None], years[:, None], -np.inf).max(axis=0)
    return Factor(name, note, np.where(np.isinf(last), NEVER, this_year - last))


def _covers(places: Floats, survey: Survey, districts: Districts) -> NDArray[np.bool_]:
    """Whether each of the reviews at `places` covers each district, shape (n_reviews, n_districts)."""
    n_papers = len(survey.coordinates)
    around = min(max(round(REVIEW_COVERS * n_papers / len(districts)), 1), n_papers)
    radii, _ = cKDTree(survey.coordinates).query(places, k=[around])
    apart = np.hypot(*(places[:, None, :] - districts.middles[None, :, :]).transpose(2, 0, 1))
    return np.asarray(apart <= radii)


def _missing(name: str, note: str, n: int, why: str) -> Factor:
    return Factor(name, note, np.full(n, np.nan), missing=why)
