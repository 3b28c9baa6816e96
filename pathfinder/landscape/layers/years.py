"""Years: how many papers of each lie where, and where the papers are newer than elsewhere."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.grid import Grid
from pathfinder.landscape.layer import Absent, Cells, Column, Layer, Offer, Table
from pathfinder.landscape.layers.colours import FALLING, RISING
from pathfinder.landscape.layers.growth import GROUP
from pathfinder.landscape.layers.spread import around_papers
from pathfinder.landscape.layers.windows import in_cells, radius_for, window_sums
from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats, Rows

SLUG, TITLE = "years", "Years"
_NOT_DATED = Absent(SLUG, TITLE, "no paper of this corpus has a date or a year: add papers that have")
_SHARE = 5
"""Percent of the papers at each end of time that share the outermost colours."""


@dataclass(frozen=True, slots=True, eq=False)
class YearCounts:
    """Papers by year and cell, for a slider that plays."""

    grid: Grid
    years: tuple[int, ...]
    """Every year from the first to the last that a paper has."""
    counts: NDArray[np.uint32]
    """Shape (n_years, n_cells)."""
    n_undated: int


def year_counts(survey: Survey) -> YearCounts:
    """Papers by year and cell; no years where nothing is dated."""
    years = survey.papers.years()
    dated = np.flatnonzero(~np.isnan(years))
    if not len(dated):
        empty = np.zeros((0, survey.grid.n_cells), dtype=np.uint32)
        return YearCounts(survey.grid, (), empty, len(years))
    of = years[dated].astype(np.int64)
    first, last = int(of.min()), int(of.max())
    places = (of - first) * survey.grid.n_cells + survey.cells[dated]
    counts = np.bincount(places, minlength=(last - first + 1) * survey.grid.n_cells)
    shaped = counts.reshape(-1, survey.grid.n_cells).astype(np.uint32)
    return YearCounts(survey.grid, tuple(range(first, last + 1)), shaped, len(years) - len(dated))


def years_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """The one layer, where papers are dated."""
    n_dated = int((~np.isnan(survey.papers.years())).sum())
    says = "How new the papers are, on average; with a slider that plays the years."
    return (Offer(SLUG, TITLE, says, GROUP, n_dated) if n_dated else _NOT_DATED,)


def years_layer(survey: Survey) -> Layer | Absent:
    """Where the mean day of publication is newer and where older than elsewhere, and the papers of each year."""
    days = survey.papers.published_days()
    dated = np.flatnonzero(~np.isnan(days))
    if not len(dated):
        return _NOT_DATED
    papers = survey.grid.count(survey.cells[dated])
    radius = radius_for(papers)
    sums = survey.grid.add_up(survey.cells[dated], days[dated])
    around = window_sums(papers, radius)
    mean = np.where(around_papers(papers, radius), window_sums(sums, radius) / np.maximum(around, 1), np.nan)
    says = (
        f"The mean date of the papers in {in_cells(radius)}, beside that of the whole map: half of all papers lie "
        "where it is newer, half where it is older."
    )
    counts = year_counts(survey)
    notes = (f"{counts.n_undated:,} undated papers are not counted",) if counts.n_undated else ()
    return Layer(SLUG, TITLE, says, cells=_veils(survey, mean, survey.cells[dated]), table=_table(counts), notes=notes)


def _veils(survey: Survey, mean: Floats, cells_of_papers: Rows) -> tuple[Cells, Cells]:
    """Newer and older than around the median paper, in full colour where only a twentieth of the papers is more so."""
    oldest, middle, newest = np.percentile(mean.ravel()[cells_of_papers], [_SHARE, 50, 100 - _SHARE])
    newer = np.where(mean > middle, np.clip((mean - middle) / max(newest - middle, 1.0), 0.0, 1.0), np.nan)
    older = np.where(mean < middle, np.clip((middle - mean) / max(middle - oldest, 1.0), 0.0, 1.0), np.nan)
    return (
        Cells(survey.grid, newer, RISING, "newer", f"mean date {_year(middle):.1f}", f"{_year(newest):.1f}"),
        Cells(survey.grid, older, FALLING, "older", f"mean date {_year(middle):.1f}", f"{_year(oldest):.1f}"),
    )


def _year(day: float) -> float:
    return 1970 + day / 365.25


def _table(counts: YearCounts) -> Table:
    columns = (Column("year"), Column("papers"), Column("of all", "share of the dated papers, [0, 1]"))
    per_year = counts.counts.sum(axis=1).tolist()
    total = sum(per_year)
    lines = zip(counts.years, per_year, strict=True)
    return Table(columns, tuple((year, int(n), round(n / total, 4)) for year, n in lines if n))
