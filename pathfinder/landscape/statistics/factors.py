"""Factors in favour of a review of a district: density, growth, citations, and the age of its last review.

A factor that cannot be computed is reported as missing, with the reason; it is never taken to be zero.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.stats import hypergeom, norm, rankdata

from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.districts import Districts
from pathfinder.landscape.statistics.growth import REQUIREMENT, halves
from pathfinder.types import Floats

MIN_KNOWN = 8
"""Minimum number of papers with a citation count that a district needs for a meaningful mean."""
REVIEW_COVERS = 3.0
"""Number of papers that a review covers, as a multiple of the average number in a district: a review deals with more
than one corner of the map.
"""
NEVER = np.inf
"""Number of years since the last review, for a district that no review covers."""


@dataclass(frozen=True, slots=True, eq=False)
class Factor:
    """One number for each district, and the probability that chance alone would produce one at least as high."""

    name: str
    note: str
    """Its meaning, with its unit and range."""
    values: Floats
    """Values of the factor: the higher, the more it favours a review; NaN if unknown."""
    p: Floats | None = None
    """Probability that chance alone would produce a value at least as high, [0, 1]; NaN if unknown. `None` if the
    factor is not tested.
    """
    missing: str = ""
    """The reason why no district has this factor; empty if at least one has."""

    @property
    def ranks(self) -> Floats:
        """Compute, for each district, the fraction of the other districts with a known value whose value is lower,
        counting ties as half: [0, 1]; NaN stays NaN.

        A district that no listed review has ever covered may lie outside the list's subject, so `NEVER` has no rank.
        """
        is_known = np.isfinite(self.values)
        ranks = np.full(len(self.values), np.nan)
        n = int(is_known.sum())
        if n > 1:
            ranks[is_known] = (rankdata(self.values[is_known]) - 1) / (n - 1)
        return ranks


def factors_of(map_data: MapData, districts: Districts) -> tuple[Factor, ...]:
    """Compute all four factors, in display order."""
    return (
        density(map_data, districts),
        growth(map_data, districts),
        citations(map_data, districts),
        review_age(map_data, districts),
    )


def density(map_data: MapData, districts: Districts) -> Factor:
    """Count the papers per occupied cell of the map."""
    occupied_cells = np.unique(map_data.cell_of_paper)
    n_cells = np.bincount(districts.of_cell[occupied_cells], minlength=len(districts))
    values = np.where(n_cells > 0, districts.sizes / np.maximum(n_cells, 1), np.nan)
    return Factor("density", "papers per occupied cell of the map", values)


def growth(map_data: MapData, districts: Districts) -> Factor:
    """Compute how fast a district grows relative to the whole map, using the same halves as the growth layer.

    Its significance is tested with the exact hypergeometric tail.
    """
    note = "ratio of the newer half of recent papers to the older half, relative to the whole map"
    parts = halves(map_data)
    n = len(districts)
    if parts is None:
        return _missing("growth", note, n, f"growth needs {REQUIREMENT}")
    newer, older = (np.bincount(districts.of[rows], minlength=n) for rows in (parts.newer, parts.older))
    n_newer, n_older = len(parts.newer), len(parts.older)
    is_known = newer + older > 0
    values = np.where(is_known, parts.times(newer, older), np.nan)
    p = np.where(is_known, hypergeom.sf(newer - 1, n_newer + n_older, n_newer, newer + older), np.nan)
    return Factor("growth", note, values, p)


def citations(map_data: MapData, districts: Districts) -> Factor:
    """Average the citation percentiles of a district's papers, each ranked among the papers of its year.

    The average is tested against the mean m of all papers: `(mean - m) / (s / sqrt(n))` as a normal deviate, where s is
    the standard deviation over all papers and n the number of papers in the district, counting only papers with a
    percentile.
    """
    note = "mean percentile of citations, each paper ranked among those of its year, [0, 1]"
    percentiles = map_data.papers.citation_percentiles()
    with_count = np.flatnonzero(~np.isnan(percentiles))
    n = len(districts)
    n_known = np.bincount(districts.of[with_count], minlength=n)
    enough = n_known >= MIN_KNOWN
    spread = float(percentiles[with_count].std()) if len(with_count) else 0.0
    if not enough.any() or spread == 0:
        return _missing("citations", note, n, f"no region has {MIN_KNOWN} papers with differing known citation counts")
    means = np.bincount(districts.of[with_count], percentiles[with_count], minlength=n) / np.maximum(n_known, 1)
    deviates = (means - percentiles[with_count].mean()) / (spread / np.sqrt(np.maximum(n_known, 1)))
    return Factor("citations", note, np.where(enough, means, np.nan), np.where(enough, norm.sf(deviates), np.nan))


def review_age(map_data: MapData, districts: Districts) -> Factor:
    """Count the years from a district's last review to the corpus's snapshot; `NEVER` if no review covers it.

    A review covers the papers nearest to it, as many as `REVIEW_COVERS` average districts hold, and therefore the
    districts whose centre is no farther away than the farthest of these papers.
    """
    name, note = "years since a review", "from the last review that covers the region to the corpus's snapshot"
    n = len(districts)
    if map_data.reviews is None:
        return _missing(name, note, n, map_data.why_no_reviews)
    this_year = map_data.this_year
    dated_reviews = [review for review in map_data.reviews if review.year is not None]
    if this_year is None or not dated_reviews:
        return _missing(name, note, n, "no review has a year" if map_data.reviews else map_data.why_no_reviews)
    years = np.array([review.year for review in dated_reviews], dtype=np.float64)
    covers = _covers(np.array([(review.x, review.y) for review in dated_reviews]), map_data, districts)
    last = np.where(covers & (years <= this_year)[:, None], years[:, None], -np.inf).max(axis=0)
    return Factor(name, note, np.where(np.isinf(last), NEVER, this_year - last))


def _covers(places: Floats, map_data: MapData, districts: Districts) -> NDArray[np.bool_]:
    """Return a mask of the districts covered by each of the reviews at `places`, shape (n_reviews, n_districts)."""
    n_papers = len(map_data.coordinates)
    around = min(max(round(REVIEW_COVERS * n_papers / len(districts)), 1), n_papers)
    radii, _ = cKDTree(map_data.coordinates).query(places, k=[around])
    apart = np.hypot(*(places[:, None, :] - districts.middles[None, :, :]).transpose(2, 0, 1))
    return np.asarray(apart <= radii)


def _missing(name: str, note: str, n: int, reason: str) -> Factor:
    return Factor(name, note, np.full(n, np.nan), missing=reason)
