"""A made-up map on which it is known what lies where: papers on a square of four by four units."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from pathfinder.corpus.paper_columns import TABLE_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.landscape.data.groups import Groups
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.density import Extent, Grid
from pathfinder.types import Paper

GRID = Grid(Extent(left=0, right=4, bottom=0, top=4), n_rows=8, n_columns=8)
"""Cells of half a unit."""

HERE = (0.75, 3.25)
"""In the cell of the second line and the second column, where things are planted."""
HERE_CELL = 9


def scatter(n: int, seed: int = 0) -> np.ndarray:
    """`n` places all over the map."""
    return np.random.default_rng(seed).uniform(0, 4, size=(n, 2)).astype(np.float32)


def around(place: tuple[float, float], n: int, spread: float = 0.1, seed: int = 1) -> np.ndarray:
    """`n` places within `spread` of `place`."""
    return (np.array(place) + np.random.default_rng(seed).uniform(-spread, spread, size=(n, 2))).astype(np.float32)


def table(papers: Sequence[Paper]) -> PaperTable:
    """Papers as the columns of a corpus."""
    columns = pa.Table.from_batches([batch_of(papers)])
    unknown = pa.nulls(len(papers), pa.float64())
    return PaperTable(columns.append_column(TABLE_SCHEMA.field("citation_percentile"), unknown))


def map_data(papers: Sequence[Paper], places: np.ndarray, this_year: int | None = 2024, **fields) -> MapData:
    """The survey of `papers` at `places`."""
    return MapData(places, table(papers), GRID, GRID.cell_of(places), this_year, **fields)


def plain(n: int, **fields) -> list[Paper]:
    """`n` papers that are alike but for their ids."""
    fields = {"title": "A paper", "abstract": "Of something.", "year": 2020} | fields
    return [Paper(paper_id=f"{fields['title']}-{i}", **fields) for i in range(n)]


def groups(rows: dict[str, list[int]]) -> Groups:
    """Groups of papers by name, by their rows."""
    return Groups.of(rows)
