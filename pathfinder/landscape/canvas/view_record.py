"""The data that the canvas receives for a view: its tiles, and a random sample of the papers in it.

The sampling order is the same for every view, so a paper visible from afar is still there when the reader zooms in.
"""

import base64
import re
from collections.abc import Sequence
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import UsageError
from pathfinder.landscape.data.atlas import N_TILE_ZOOMS, Atlas
from pathfinder.text.latex.display import readable
from pathfinder.types import Floats, Rows

MAX_POINTS = 1500
"""Maximum number of papers sent for a view, each with its title; a reader could not distinguish more."""
MAX_TITLE = 160
"""Maximum length of a title, in characters."""
MAX_TILES = 64
"""Maximum number of tiles sent for a view; a screen of 2560 x 1440 pixels shows 56."""
BOX_SIDES = 4
DECIMALS = 4
SEED = 20240801

_TILE = re.compile(r"(\d)/(\d{1,2})/(\d{1,2})")


def tiles_record(atlas: Atlas, names: Sequence[str]) -> dict[str, str]:
    """Encode the PNG of each tile named in `names` as base64. A name is "zoom/column/row".

    Raises `UsageError` if a name does not belong to any tile, or if there are more tiles than a screen can show.
    """
    if len(names) > MAX_TILES:
        raise UsageError(f"a view shows at most {MAX_TILES} tiles, got {len(names)}")
    return {name: base64.b64encode(atlas.tile(*_place(name))).decode() for name in names}


def _place(name: str) -> tuple[int, int, int]:
    match = _TILE.fullmatch(name)
    zoom, column, line = map(int, match.groups()) if match else (N_TILE_ZOOMS, 0, 0)
    if not (zoom < N_TILE_ZOOMS and max(column, line) < 2**zoom):
        raise UsageError(f"a tile is named zoom/column/row, with zoom 0 to {N_TILE_ZOOMS - 1}, got {name!r}")
    return zoom, column, line


def sampling_order(n: int) -> Rows:
    """Shuffle the rows of `n` papers, the same way each time."""
    return np.random.default_rng(SEED).permutation(n).astype(np.int64)


class Sampler:
    """Samples the papers in a view. Create one per corpus; threads may share it."""

    def __init__(self, coordinates: NDArray[np.float32], papers: PaperTable) -> None:
        self._papers = papers
        self._coordinates = np.asarray(coordinates)
        self._order = sampling_order(len(coordinates))
        self._places = self._coordinates[self._order]

    @cached_property
    def _years(self) -> Floats:
        return self._papers.years()

    def points_record(self, box: Sequence[float], years: tuple[int, int] | None = None) -> dict[str, Any]:
        """Describe at most `MAX_POINTS` of the papers in `box` (left, bottom, right, top), and count all papers in it
        as `n`.

        If `years` (first and last, inclusive) are given, papers from other years and undated ones are left out. Raises
        `UsageError` for a malformed box.
        """
        if len(box) != BOX_SIDES or not all(map(isfinite, box)):
            raise UsageError(f"a view has four edges, got {str(box)[:80]}: reload the page")
        left, bottom, right, top = box
        x, y = self._places[:, 0], self._places[:, 1]
        within = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
        if years is not None:
            of_lots = self._years[self._order]
            within &= (of_lots >= years[0]) & (of_lots <= years[1])
        places = np.flatnonzero(within)
        return self.record_of(self._order[places[:MAX_POINTS]]) | {"n": len(places), "box": list(box)}

    def record_of(self, rows: Rows) -> dict[str, Any]:
        """Describe the papers at `rows` as points."""
        places = self._coordinates[rows].astype(np.float64).round(DECIMALS)
        return {
            "rows": rows.tolist(),
            "x": places[:, 0].tolist(),
            "y": places[:, 1].tolist(),
            "years": [None if np.isnan(year) else int(year) for year in self._years[rows]],
            "titles": [readable(title)[:MAX_TITLE] for title in self._papers.take(rows).titles()],
        }
