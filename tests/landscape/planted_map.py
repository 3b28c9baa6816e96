"""A small planted map: two heaps of papers, their names, and tiles drawn from them."""

import io
from collections.abc import Sequence
from functools import cache

import numpy as np
import pyarrow as pa
from PIL import Image

from pathfinder.corpus.paper_columns import TABLE_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.landscape.data.landscape import N_TILE_ZOOMS, SCALES, TILE_PIXELS, Atlas, Label
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.density import CELLS_PER_CELL, Extent, Grid, Peak, grid_over
from pathfinder.landscape.drawing.terrain import BANDS
from pathfinder.types import Floats, Paper

EXTENT = Extent(left=0.0, right=16.0, bottom=0.0, top=8.0)
WEST, EAST = (4.0, 4.0), (12.0, 4.0)
LABELS = (
    Label(*WEST, "galaxies", 1, -2.0, 40),
    Label(*EAST, "planets", 1, -2.0, 20),
    Label(12.5, 5.0, "hot jupiters", 2, 1.0, 8),
)

PEAKS = (
    *(Peak(*place, height, scale) for scale in SCALES for place, height in ((WEST, 1.0), (EAST, 0.5))),
    Peak(12.5, 5.0, 0.3, "medium"),
)


def map_data(papers: Sequence[Paper] = (), labels: tuple[Label, ...] = LABELS) -> MapData:
    """Papers 0 to 39 lie in the west, from 1990 on, one a year, 40 to 59 in the east, from 2000 on."""
    table = [*papers, *_papers()[len(papers) :]]
    columns = batch_of(table)
    columns = columns.append_column("citation_percentile", pa.array([None] * len(table), pa.float64()))
    coordinates = np.array([_place(i) for i in range(60)], dtype=np.float32)
    table_of_papers = PaperTable(pa.Table.from_batches([columns]).cast(TABLE_SCHEMA))
    drawn_atlas = atlas(labels)
    cells = drawn_atlas.grid.cell_of(coordinates)
    return MapData(coordinates, table_of_papers, drawn_atlas.grid, cells, this_year=None, opened_atlas=drawn_atlas)


def _place(i: int) -> tuple[float, float]:
    """On a spiral around the heap's middle, paper 0 or 40 in the middle itself."""
    (x, y), step = (WEST, i) if i < 40 else (EAST, i - 40)
    return x + 0.03 * step * np.cos(step), y + 0.03 * step * np.sin(step)


def _papers() -> list[Paper]:
    west = [Paper(f"w{i}", f"Galaxy {i}", "Words of it.", year=1990 + i, citation_count=i) for i in range(40)]
    return west + [Paper(f"e{i}", f"Planet {i}", "Words of it.", year=2000 + i) for i in range(20)]


def atlas(labels: tuple[Label, ...] = LABELS) -> Atlas:
    """Tiles of a height that falls evenly from 1 at each heap to 0, three units away."""
    tiles = _tiles()
    joined = np.frombuffer(b"".join(tiles), dtype=np.uint8)
    ends = np.cumsum([len(tile) for tile in tiles])
    grid = grid_over(EXTENT)
    return Atlas(grid, dict.fromkeys(SCALES, _density(grid)), labels, PEAKS, joined, ends)


def _density(grid: Grid) -> Floats:
    """1 on the western heap and half of it on the eastern one, from one unit on falling to 0 at three."""
    finer = Grid(grid.extent, grid.n_rows * CELLS_PER_CELL, grid.n_columns * CELLS_PER_CELL)
    places = finer.centres()
    west, east = (np.clip(1.5 - np.hypot(*(places - heap).T) / 2, 0, 1) for heap in (WEST, EAST))
    return np.maximum(west, 0.5 * east).reshape(finer.n_rows, finer.n_columns)


@cache
def _tiles() -> tuple[bytes, ...]:
    zooms = range(N_TILE_ZOOMS)
    return tuple(_tile(zoom, column, line) for zoom in zooms for line in range(2**zoom) for column in range(2**zoom))


def _tile(zoom: int, column: int, line: int) -> bytes:
    # The square around the extent: 16 wide, from -4 to 12 in height.
    unit = 16.0 / 2**zoom / TILE_PIXELS
    x = (column * TILE_PIXELS + np.arange(TILE_PIXELS) + 0.5) * unit
    y = 12.0 - (line * TILE_PIXELS + np.arange(TILE_PIXELS) + 0.5) * unit
    across, up = np.meshgrid(x, y)
    heights = [np.clip(1 - np.hypot(across - a, up - b) / 3, 0, 1) for a, b in (WEST, EAST)]
    level = np.round(255 * np.maximum(*heights)).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(np.stack([level, np.full_like(level, 128), level], axis=-1)).save(
        file, format="PNG", compress_level=1
    )
    return file.getvalue()


SEA, COAST, PLAINS, HILLS, MOUNTAINS = BANDS
