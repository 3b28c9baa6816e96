"""Reports what is studied in a region of the map: its keywords, years, growth and most cited papers."""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom

from pathfinder.corpus.coordinates import inside
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.statistics.dates import RECENT_YEARS, REQUIREMENT, halves
from pathfinder.landscape.statistics.keywords import as_written, best_rated, class_tf_idf, distinct
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Floats, Region, Rows

N_KEYWORDS, N_TOP = 12, 10
MIN_PAPERS_WITH = 2
"""Minimum number of papers in the region that must have a phrase for it to count as a keyword."""
LEAST_LIFT = 1.2
"""Minimum factor by which a keyword must be more frequent in the region than elsewhere; this excludes words such as
"result" and "model".
"""
N_TRIED = 60


@dataclass(frozen=True, slots=True)
class RegionKeyword:
    """A phrase that is frequent in a region and rare elsewhere."""

    text: str
    n_papers: int
    """Number of papers in the region that have it as a keyword or within one."""
    lift: float
    """Frequency relative to that in the other papers in the corpus; infinite if none of them has it."""


@dataclass(frozen=True, slots=True)
class RegionGrowth:
    """Growth of a region compared with the whole map."""

    times: float
    """Ratio of newer to older recent papers, relative to that of the whole map."""
    n_newer: int
    n_older: int
    split_date: str
    """The day on which the newer half of the recent papers begins, in ISO 8601."""
    p: float
    """Probability that chance alone would produce a difference at least this large: exact hypergeometric tail,
    two-sided, (0, 1].
    """


@dataclass(frozen=True, slots=True, eq=False)
class RegionReport:
    """The papers in a region and their subjects."""

    rows: Rows
    """Rows of its papers in the corpus, ascending."""
    n_anywhere: int
    """Number of papers in the corpus."""
    keywords: tuple[RegionKeyword, ...]
    """Keywords, the most distinctive first."""
    years: tuple[tuple[int, int], ...]
    """Number of papers in every year from the region's first to its last, including years with none."""
    n_undated: int
    top: tuple[int, ...]
    """Rows of its most cited papers, among those with a known citation count, the most cited first."""
    n_uncounted: int
    """Number of papers whose citation count is unknown."""
    growth: RegionGrowth | None
    notes: tuple[str, ...] = ()
    """Notes on what could not be reported, and why."""

    @property
    def n_papers(self) -> int:
        return len(self.rows)


def report_region(map_data: MapData, region: Region) -> RegionReport:
    """Report what is studied in `region`; if it contains no papers, everything in the report is empty."""
    is_in = inside(map_data.coordinates, region)
    rows = np.flatnonzero(is_in)
    papers = map_data.papers.take(rows)
    years, n_undated = _histogram(papers.years())
    counts = papers.citation_counts()
    growth, why = _growth(map_data, is_in)
    keywords = _keywords(map_data, map_data.terms, is_in) if map_data.terms is not None else ()
    notes = () if map_data.terms is not None else ("no keywords: this corpus has no keyword index",)
    known_rows = np.flatnonzero(~np.isnan(counts))
    return RegionReport(
        rows=rows,
        n_anywhere=len(map_data.papers),
        keywords=keywords,
        years=years,
        n_undated=n_undated,
        top=tuple(rows[known_rows[np.argsort(-counts[known_rows], kind="stable")[:N_TOP]]].tolist()),
        n_uncounted=int(np.isnan(counts).sum()),
        growth=growth,
        notes=(*notes, *why),
    )


def _histogram(years: Floats) -> tuple[tuple[tuple[int, int], ...], int]:
    known_years = years[~np.isnan(years)].astype(np.int64)
    if not len(known_years):
        return (), len(years)
    first = int(known_years.min())
    counts = np.bincount(known_years - first)
    return tuple((first + i, int(n)) for i, n in enumerate(counts)), len(years) - len(known_years)


def _growth(map_data: MapData, is_in: NDArray[np.bool_]) -> tuple[RegionGrowth | None, tuple[str, ...]]:
    parts = halves(map_data)
    if parts is None:
        return None, (f"no growth rate: it needs {REQUIREMENT}",)
    newer, older = int(is_in[parts.newer].sum()), int(is_in[parts.older].sum())
    if not newer + older:
        return None, (f"no growth rate: no paper here is dated within the last {RECENT_YEARS} years",)
    n_newer, n_older = len(parts.newer), len(parts.older)
    times = float(parts.times(newer, older))
    of = n_newer + n_older, n_newer, newer + older
    p = 2 * min(float(hypergeom.sf(newer - 1, *of)), float(hypergeom.cdf(newer, *of)))
    return RegionGrowth(times, newer, older, parts.split.isoformat(), min(p, 1.0)), ()


def _keywords(map_data: MapData, terms: KeywordIndex, is_in: NDArray[np.bool_]) -> tuple[RegionKeyword, ...]:
    """Select the phrases with the highest class-based TF-IDF, where the two classes are the region and the rest of the
    corpus.
    """
    present = np.flatnonzero(np.diff(terms.starts))
    counts = np.zeros(len(terms.terms), dtype=np.int64)
    if len(present):
        counts[present] = np.add.reduceat(is_in[terms.rows], terms.starts[present], dtype=np.int64)
    here, anywhere = counts, np.diff(terms.starts)
    n_in = int(is_in.sum())
    n_out = len(is_in) - n_in
    elsewhere = (anywhere - here) / max(n_out, 1)
    lift = np.divide(here / max(n_in, 1), elsewhere, out=np.full(len(here), np.inf), where=elsewhere > 0)
    ratings = class_tf_idf(here, here.sum(keepdims=True), anywhere, anywhere.sum() / 2)
    ratings[(here < min(MIN_PAPERS_WITH, n_in)) | ((lift < LEAST_LIFT) & (n_out > 0))] = 0
    best = best_rated(ratings, N_TRIED)
    spellings = zip(best, as_written(terms, map_data.papers, best, is_in), strict=True)
    keywords = (RegionKeyword(text, int(here[term]), float(lift[term])) for term, text in spellings if text is not None)
    return tuple(islice(distinct(keywords, lambda keyword: lemmas(keyword.text)), N_KEYWORDS))
