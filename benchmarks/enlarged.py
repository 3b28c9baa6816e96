"""A corpus of any size made from an existing corpus: its papers are repeated, with each copy slightly displaced.

Only the inputs of the map are made (papers, places, keywords and the drawn background), so the corpus cannot be
searched.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pathfinder.corpus.paper_columns import read_table
from pathfinder.corpus.papers import PaperTable
from pathfinder.facade import Pathfinder
from pathfinder.index.terms import KeywordIndex, ListedTerms
from pathfinder.landscape.data.landscape import Atlas, Landscape
from pathfinder.landscape.density import grid_over, map_extent
from pathfinder.landscape.drawing.terrain import draw_tiles
from pathfinder.settings import read_settings

SPREAD = 0.02
"""Standard deviation of the noise on each copy's place, as a share of the longer side of the map."""
SEED = 7


def enlarge(folder: Path, n: int) -> Pathfinder:
    """Enlarge the corpus in `folder` to `n` papers; its layers, and the names on its map, stay the same."""
    pf = Pathfinder.open(folder, settings=read_settings())
    if pf.atlas is None or pf.landscape is None or pf.map_data is None:
        raise ValueError(f"{folder} has no atlas: build again from its sources into its folder, which adds it")
    places = _places(np.asarray(pf.landscape.coordinates), n)
    extent = map_extent(places)
    tiles = list(draw_tiles(places, extent))
    ends = np.cumsum([len(tile) for tile in tiles], dtype=np.int64)
    grid = grid_over(extent)
    atlas = Atlas(grid, pf.atlas.density, pf.atlas.labels, (), np.frombuffer(b"".join(tiles), np.uint8), ends)
    n_before = len(pf.corpus.papers)
    path = pf.corpus.path("papers")
    assert path is not None
    papers, terms = _papers(path, n), _terms(pf.corpus.terms, n_before, n)
    map_data = replace(
        pf.map_data, coordinates=places, papers=papers, grid=grid, cell_of_paper=grid.cell_of(places), terms=terms
    )
    # Fill the caches of the open corpus, so that the page uses them instead of what is on disk.
    pf.__dict__["map_data"] = (
        map_data if n >= n_before else replace(map_data, missions=None, concepts=None, stored_layers=None)
    )
    pf.__dict__["landscape"] = Landscape(places, extent, pf.landscape.image_png)
    pf.__dict__["atlas"] = atlas
    pf.corpus = replace(pf.corpus, papers=papers, terms=terms, coordinates=places)
    return pf


def _places(coordinates: NDArray[np.float32], n: int) -> NDArray[np.float32]:
    rows = np.arange(n) % len(coordinates)
    noise = np.random.default_rng(SEED).normal(scale=SPREAD * np.ptp(coordinates, axis=0).max(), size=(n, 2))
    noise[: len(coordinates)] = 0
    return (coordinates[rows] + noise).astype(np.float32)


def _papers(path: Path, n: int) -> PaperTable:
    table = read_table(path)
    copies = pa.concat_tables([table] * -(-n // len(table))).slice(0, n)
    ids = pa.array([f"copy-{row}" for row in range(n)], pa.string())
    return PaperTable(copies.set_column(0, copies.schema.field("paper_id"), ids))


def _terms(index: KeywordIndex, n_before: int, n: int) -> KeywordIndex:
    of_row = np.repeat(np.arange(len(index.starts) - 1), np.diff(index.starts))
    copies = np.arange(-(-n // n_before)) * n_before
    rows = (np.asarray(index.rows)[:, None] + copies).ravel()
    terms = np.repeat(of_row, len(copies))
    is_early = rows < n
    starts = np.concatenate([[0], np.cumsum(np.bincount(terms[is_early], minlength=len(index.starts) - 1))])
    has_keywords = np.asarray(index.has_keywords)[np.arange(n) % n_before]
    return KeywordIndex(ListedTerms(index.terms, starts, rows[is_early].astype(index.rows.dtype), has_keywords))
