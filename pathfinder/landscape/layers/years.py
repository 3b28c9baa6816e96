"""Years: how many papers there are of each, and where the papers are newer than elsewhere."""

import numpy as np

from pathfinder.landscape.layer import Absent, Cells, Column, Layer, Offer, Table
from pathfinder.landscape.layers.colours import FALLING, RISING
from pathfinder.landscape.layers.dates import undated_papers
from pathfinder.landscape.layers.growth import GROUP
from pathfinder.landscape.layers.spread import around_papers
from pathfinder.landscape.layers.windows import in_cells, radius_for, window_sums
from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats, Rows

SLUG, TITLE = "years", "Years"
_NOT_DATED = Absent(SLUG, TITLE, "no paper of this corpus has a date or a year: add papers that have")
_SHARE = 5
"""Percent of the papers at each end of time that share the outermost colours."""


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
    years = survey.papers.years()
    n_undated = int(np.isnan(years).sum())
    notes = (f"{undated_papers(n_undated)} not counted",) if n_undated else ()
    return Layer(SLUG, TITLE, says, cells=_veils(survey, mean, survey.cells[dated]), table=_table(years), notes=notes)


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


def _table(years: Floats) -> Table:
    columns = (Column("year"), Column("papers"), Column("of all", "share of the dated papers, [0, 1]"))
    found, counts = np.unique(years[~np.isnan(years)].astype(np.int64), return_counts=True)
    lines = zip(found.tolist(), counts.tolist(), strict=True)
    return Table(columns, tuple((year, n, round(n / int(counts.sum()), 4)) for year, n in lines))
