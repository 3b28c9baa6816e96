"""The layer of years: where papers are newer than elsewhere, and the number of papers from each year."""

import numpy as np

from pathfinder.landscape.data.layer import FALLING, RISING, Column, Heatmap, Layer, Table, UnavailableLayer
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import TIME_GROUP, LayerKind, Listing
from pathfinder.landscape.statistics.dates import undated_papers
from pathfinder.landscape.statistics.significance import around_papers, describe_square, radius_for, window_sums
from pathfinder.types import Floats

_PERCENT = 5
"""Percentage of the papers, at the oldest and at the newest end, around which the colour is at full strength."""


def _list(map_data: MapData) -> Listing:
    n_dated = int((~np.isnan(map_data.papers.years())).sum())
    return (YEARS.info(n_dated) if n_dated else _WITHOUT_DATES,)


def years_layer(map_data: MapData) -> Layer | UnavailableLayer:
    """Show where the mean date of publication is later or earlier than elsewhere, and count the papers from each
    year.
    """
    days = map_data.papers.published_days()
    dated_rows = np.flatnonzero(~np.isnan(days))
    if not len(dated_rows):
        return _WITHOUT_DATES
    papers = map_data.grid.count(map_data.cell_of_paper[dated_rows])
    radius = radius_for(papers)
    sums = map_data.grid.add_up(map_data.cell_of_paper[dated_rows], days[dated_rows])
    around = window_sums(papers, radius)
    mean = np.where(around_papers(papers, radius), window_sums(sums, radius) / np.maximum(around, 1), np.nan)
    description = (
        f"The mean date of the papers in {describe_square(radius)}, compared with the median over all papers: half "
        "of the papers lie where the mean is later, half where it is earlier."
    )
    years = map_data.papers.years()
    n_undated = int(np.isnan(years).sum())
    notes = (f"{undated_papers(n_undated)} not counted",) if n_undated else ()
    # Full strength only for the newest and the oldest twentieth.
    oldest, middle, newest = np.percentile(
        mean.ravel()[map_data.cell_of_paper[dated_rows]], [_PERCENT, 50, 100 - _PERCENT]
    )
    newer = np.where(mean > middle, np.clip((mean - middle) / max(newest - middle, 1.0), 0.0, 1.0), np.nan)
    older = np.where(mean < middle, np.clip((middle - mean) / max(middle - oldest, 1.0), 0.0, 1.0), np.nan)
    heatmaps = (
        Heatmap(map_data.grid, newer, RISING, "newer", f"mean date {_year(middle):.1f}", f"{_year(newest):.1f}"),
        Heatmap(map_data.grid, older, FALLING, "older", f"mean date {_year(middle):.1f}", f"{_year(oldest):.1f}"),
    )
    return Layer(YEARS.slug, YEARS.title, description, heatmaps, table=_table(years), notes=notes)


def _year(day: float) -> float:
    return 1970 + day / 365.25


def _table(years: Floats) -> Table:
    columns = (Column("year"), Column("papers"), Column("of all", "share of the dated papers, [0, 1]"))
    distinct, counts = np.unique(years[~np.isnan(years)].astype(np.int64), return_counts=True)
    lines = zip(distinct.tolist(), counts.tolist(), strict=True)
    return Table(columns, tuple((year, n, round(n / int(counts.sum()), 4)) for year, n in lines))


YEARS = LayerKind(
    slug="years",
    title="Years",
    help="Mean age of the papers in each place, with a slider for playing through the years.",
    group=TIME_GROUP,
    order=30,
    inputs=("papers", "landscape"),
    list_layers=_list,
    compute=years_layer,
)
_WITHOUT_DATES = YEARS.unavailable("no paper in this corpus has a date or a year: add dated papers")
