"""What is studied in a part of the map: its keywords, years, growth and most cited papers."""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom

from pathfinder.corpus.coordinates import inside
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.layers.dates import SPAN_YEARS
from pathfinder.landscape.layers.growth import WHAT_IT_TAKES, halves
from pathfinder.landscape.phrases import as_written, best_rated, class_tf_idf, distinct, lemmas_of_keyword
from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats, Region, Rows

N_KEYWORDS, N_TOP = 12, 10
MIN_PAPERS_WITH = 2
"""Papers of the region with a phrase; one alone is no keyword of it."""
LEAST_LIFT = 1.2
"""How many times as frequent as elsewhere a phrase must be, so that "result" and "model" are left out."""
N_TRIED = 60


@dataclass(frozen=True, slots=True)
class RegionKeyword:
    """A phrase that is frequent in a region and rare elsewhere."""

    text: str
    n_papers: int
    """Of the region, that have it as a keyword or within one."""
    lift: float
    """How many times as frequent as in the other papers of the corpus; infinite where they do not have it."""


@dataclass(frozen=True, slots=True)
class RegionGrowth:
    """How fast a region grows beside the whole map."""

    times: float
    """The newer half of recent papers over the older, beside the same on the whole map."""
    n_newer: int
    n_older: int
    parted: str
    """The first day of the newer half, as in ISO 8601."""
    p: float
    """Of a difference as large or larger by chance: the exact hypergeometric tail, doubled for both sides, (0, 1]."""


@dataclass(frozen=True, slots=True, eq=False)
class RegionReport:
    """What is studied in a region."""

    rows: Rows
    """Of its papers in the corpus, ascending."""
    n_anywhere: int
    """Papers of the corpus."""
    keywords: tuple[RegionKeyword, ...]
    """Those that tell it best from the rest first."""
    years: tuple[tuple[int, int], ...]
    """Every year from its first to its last, with the number of its papers, noughts too."""
    n_undated: int
    top: tuple[int, ...]
    """Rows of its most cited papers, the most cited first; only such whose count is known."""
    n_uncounted: int
    """Papers whose citations nobody gave."""
    growth: RegionGrowth | None
    notes: tuple[str, ...] = ()
    """What could not be told, and why."""

    @property
    def n_papers(self) -> int:
        return len(self.rows)


def describe_region(survey: Survey, region: Region) -> RegionReport:
    """Tell what is studied in `region`; for one without papers everything is empty."""
    is_in = inside(survey.coordinates, region)
    rows = np.flatnonzero(is_in)
    papers = survey.papers.take(rows)
    years, n_undated = _histogram(papers.years())
    counts = papers.citation_counts()
    growth, why = _growth(survey, is_in)
    keywords = _keywords(survey, survey.terms, is_in) if survey.terms is not None else ()
    notes = () if survey.terms is not None else ("keywords are not told: their index is not at hand",)
    return RegionReport(
        rows=rows,
        n_anywhere=len(survey.papers),
        keywords=keywords,
        years=years,
        n_undated=n_undated,
        top=tuple(rows[_most_cited(counts)].tolist()),
        n_uncounted=int(np.isnan(counts).sum()),
        growth=growth,
        notes=(*notes, *why),
    )


def _histogram(years: Floats) -> tuple[tuple[tuple[int, int], ...], int]:
    known = years[~np.isnan(years)].astype(np.int64)
    if not len(known):
        return (), len(years)
    first = int(known.min())
    counts = np.bincount(known - first)
    return tuple((first + i, int(n)) for i, n in enumerate(counts)), len(years) - len(known)


def _most_cited(counts: Floats) -> Rows:
    """Places of the highest known counts, highest first; equals stay in order."""
    known = np.flatnonzero(~np.isnan(counts))
    return known[np.argsort(-counts[known], kind="stable")[:N_TOP]]


def _growth(survey: Survey, is_in: NDArray[np.bool_]) -> tuple[RegionGrowth | None, tuple[str, ...]]:
    parts = halves(survey)
    if parts is None:
        return None, (f"growth is not told: it takes {WHAT_IT_TAKES}",)
    newer, older = int(is_in[parts.newer].sum()), int(is_in[parts.older].sum())
    if not newer + older:
        return None, (f"growth is not told: no paper here is dated in the last {SPAN_YEARS} years",)
    n_newer, n_older = len(parts.newer), len(parts.older)
    times = float(parts.times(newer, older))
    of = n_newer + n_older, n_newer, newer + older
    p = 2 * min(float(hypergeom.sf(newer - 1, *of)), float(hypergeom.cdf(newer, *of)))
    return RegionGrowth(times, newer, older, parts.parted.isoformat(), min(p, 1.0)), ()


def _keywords(survey: Survey, terms: KeywordIndex, is_in: NDArray[np.bool_]) -> tuple[RegionKeyword, ...]:
    """The phrases with the highest class-based TF-IDF, the region and the rest of the corpus being the two parts."""
    here, anywhere = _counts(terms, is_in), np.diff(terms.starts)
    n_in = int(is_in.sum())
    n_out = len(is_in) - n_in
    elsewhere = (anywhere - here) / max(n_out, 1)
    lift = np.divide(here / max(n_in, 1), elsewhere, out=np.full(len(here), np.inf), where=elsewhere > 0)
    rated = class_tf_idf(here, here.sum(keepdims=True), anywhere, anywhere.sum() / 2)
    rated[(here < min(MIN_PAPERS_WITH, n_in)) | ((lift < LEAST_LIFT) & (n_out > 0))] = 0
    best = best_rated(rated, N_TRIED)
    written = zip(best, as_written(terms, survey.papers, best, is_in), strict=True)
    found = (RegionKeyword(text, int(here[term]), float(lift[term])) for term, text in written if text is not None)
    return tuple(islice(distinct(found, lambda keyword: lemmas_of_keyword(keyword.text)), N_KEYWORDS))


def _counts(terms: KeywordIndex, is_in: NDArray[np.bool_]) -> Rows:
    """How many papers of the region have each term."""
    held = np.flatnonzero(np.diff(terms.starts))
    counts = np.zeros(len(terms.terms), dtype=np.int64)
    if len(held):
        counts[held] = np.add.reduceat(is_in[terms.rows], terms.starts[held], dtype=np.int64)
    return counts
