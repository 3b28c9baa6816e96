"""Divides the map into districts with about the same number of papers in each, so that they can be compared."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from scipy.stats import hypergeom, norm, rankdata

from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.dates import REQUIREMENT, halves
from pathfinder.types import Floats, Rows

SEED = 20240801
MOST_LOOKED_AT = 20_000
"""Maximum number of papers, sampled evenly, from which the centres are computed; all papers are then assigned to the
nearest centre.
"""
N_STEPS = 15
MIN_PAPERS = 240
"""Minimum number of papers for a division; with fewer there are too few districts to compare."""


@dataclass(frozen=True, slots=True, eq=False)
class Districts:
    """A division of the map: each paper and each cell of the grid belongs to the district whose centre is nearest."""

    middles: Floats
    """The centre of each district, shape (n_districts, 2), from left to right."""
    of: Rows
    """The district of each paper, shape (n_papers,)."""
    of_cell: Rows
    """The district of each cell of the grid, shape (n_cells,)."""

    def __len__(self) -> int:
        return len(self.middles)

    @property
    def sizes(self) -> Rows:
        """Count the papers in each district."""
        return np.bincount(self.of, minlength=len(self))


def divide(map_data: MapData, papers_each: int, most: int) -> Districts:
    """Divide the map into districts of about `papers_each` papers each: at least one district and at most `most`.

    The method is k-means on the places (Lloyd 1982), initialised by k-means++ (Arthur & Vassilvitskii 2007) with a
    fixed seed: districts are small where the map is dense and large where it is sparse.
    """
    places = map_data.coordinates
    n = max(1, min(round(len(places) / papers_each), most))
    rows = np.unique(np.linspace(0, len(places) - 1, min(len(places), MOST_LOOKED_AT)).astype(np.int64))
    middles = _k_means(places[rows].astype(np.float64), n)
    middles = middles[np.lexsort((middles[:, 1], middles[:, 0]))]
    return Districts(middles, nearest_middle(places, middles), nearest_middle(map_data.grid.centres(), middles))


def nearest_middle(places: NDArray[np.floating], middles: Floats) -> Rows:
    """Find the index of the nearest centre for each place, shape (n,)."""
    if not len(places):
        return np.empty(0, dtype=np.int64)
    _, nearest = cKDTree(middles).query(places)
    return np.asarray(nearest, dtype=np.int64)


def _k_means(places: Floats, n: int) -> Floats:
    middles = _k_means_plus_plus(places, n)
    for _ in range(N_STEPS):
        of = nearest_middle(places, middles)
        sizes = np.bincount(of, minlength=len(middles))
        sums = np.stack([np.bincount(of, places[:, axis], minlength=len(middles)) for axis in (0, 1)], axis=1)
        middles = np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], middles)
    return middles


def _k_means_plus_plus(places: Floats, n: int) -> Floats:
    """Draw `n` of the places, or fewer if there are fewer distinct ones, each with probability proportional to its
    squared distance from the nearest of those already drawn.
    """
    generator = np.random.default_rng(SEED)
    middles = [int(generator.integers(len(places)))]
    apart = ((places - places[middles[0]]) ** 2).sum(axis=1)
    while len(middles) < n and apart.sum() > 0:
        middles.append(int(generator.choice(len(places), p=apart / apart.sum())))
        apart = np.minimum(apart, ((places - places[middles[-1]]) ** 2).sum(axis=1))
    return places[middles]


def touching(map_data: MapData, districts: Districts) -> NDArray[np.bool_]:
    """Return a mask of the pairs of districts that touch on the map, shape (n, n); each district touches itself."""
    of_cell = districts.of_cell.reshape(map_data.grid.n_rows, map_data.grid.n_columns)
    touch = np.eye(len(districts), dtype=np.bool_)
    for cells, others in (
        (of_cell[:, 1:], of_cell[:, :-1]),
        (of_cell[1:], of_cell[:-1]),
        (of_cell[1:, 1:], of_cell[:-1, :-1]),
        (of_cell[1:, :-1], of_cell[:-1, 1:]),
    ):
        touch[cells.ravel(), others.ravel()] = touch[others.ravel(), cells.ravel()] = True
    return touch


def too_few_papers(map_data: MapData) -> str | None:
    """Return the reason why the map cannot be divided, if there are too few papers; `None` if there are enough."""
    n = len(map_data.papers)
    return None if n >= MIN_PAPERS else f"regions need at least {MIN_PAPERS} papers, but there are only {n}: add papers"


# Factors in favour of a review of a district: density, growth, citations, and the age of its last review.
#
# A factor that cannot be computed is reported as missing, with the reason; it is never taken to be zero.

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
    places = np.array([(review.x, review.y) for review in dated_reviews])
    n_papers = len(map_data.coordinates)
    around = min(max(round(REVIEW_COVERS * n_papers / len(districts)), 1), n_papers)
    radii, _ = cKDTree(map_data.coordinates).query(places, k=[around])
    apart = np.hypot(*(places[:, None, :] - districts.middles[None, :, :]).transpose(2, 0, 1))
    covers = np.asarray(apart <= radii)
    last = np.where(covers & (years <= this_year)[:, None], years[:, None], -np.inf).max(axis=0)
    return Factor(name, note, np.where(np.isinf(last), NEVER, this_year - last))


def _missing(name: str, note: str, n: int, reason: str) -> Factor:
    return Factor(name, note, np.full(n, np.nan), missing=reason)
