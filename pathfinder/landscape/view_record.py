"""What is sent to the canvas for a view: the tiles in sight, and papers of all that lie there, drawn by lot.

The lots are cast once for the whole corpus, so that a paper that is seen from afar is still there from close by.
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
from pathfinder.export.latex import readable
from pathfinder.landscape.atlas import N_TILE_ZOOMS, Atlas
from pathfinder.types import Floats, Rows

MAX_POINTS = 1500
"""Papers that are sent for a view, each with its title; more than that cannot be told apart by eye or hand."""
MAX_TITLE = 160
"""Characters of a title that is pointed at."""
MAX_TILES = 64
"""That are sent for a view; a screen of 2560 x 1440 pixels shows 56."""
BOX_SIDES = 4
DECIMALS = 4
SEED = 20240801

_TILE = re.compile(r"(\d)/(\d{1,2})/(\d{1,2})")


def tiles_record(atlas: Atlas, wanted: Sequence[str]) -> dict[str, str]:
    """The PNG of each tile of `wanted`, in base64, by its name "zoom/column/line".

    Raises `UsageError` for a name of no tile, and for more than a screen can show.
    """
    if len(wanted) > MAX_TILES:
        raise UsageError(f"a view shows at most {MAX_TILES} tiles, got {len(wanted)}")
    return {name: base64.b64encode(atlas.tile(*_place(name))).decode() for name in wanted}


def _place(name: str) -> tuple[int, int, int]:
    found = _TILE.fullmatch(name)
    zoom, column, line = map(int, found.groups()) if found else (N_TILE_ZOOMS, 0, 0)
    if not (zoom < N_TILE_ZOOMS and max(column, line) < 2**zoom):
        raise UsageError(f"a tile is zoom/column/line with zoom 0 to {N_TILE_ZOOMS - 1}, got {name!r}")
    return zoom, column, line


def lots(n: int) -> Rows:
    """The rows of `n` papers in the order in which they are drawn, the same each time."""
    return np.random.default_rng(SEED).permutation(n).astype(np.int64)


class Sampler:
    """Papers in view, drawn by lot. Made once for a corpus; threads may share it."""

    def __init__(self, coordinates: NDArray[np.float32], papers: PaperTable) -> None:
        self._papers = papers
        self._coordinates = np.asarray(coordinates)
        self._order = lots(len(coordinates))
        self._places = self._coordinates[self._order]

    @cached_property
    def _years(self) -> Floats:
        return self._papers.years()

    def points_record(self, box: Sequence[float], years: tuple[int, int] | None = None) -> dict[str, Any]:
        """At most `MAX_POINTS` papers in `box` (left, bottom, right, top), with `n`, how many lie there.

        Of chosen `years`, both inclusive, only the papers of these; those without a year then count as none. Raises
        `UsageError` for a box that is none.
        """
        if len(box) != BOX_SIDES or not all(map(isfinite, box)):
            raise UsageError(f"a view has four sides, got {str(box)[:80]}: load the page again")
        left, bottom, right, top = box
        x, y = self._places[:, 0], self._places[:, 1]
        within = (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
        if years is not None:
            of_lots = self._years[self._order]
            within &= (of_lots >= years[0]) & (of_lots <= years[1])
        places = np.flatnonzero(within)
        return self.record_of(self._order[places[:MAX_POINTS]]) | {"n": len(places), "box": list(box)}

    def record_of(self, rows: Rows) -> dict[str, Any]:
        """These papers as points, whatever lies beside them."""
        chosen = self._coordinates[rows].astype(np.float64).round(DECIMALS)
        return {
            "rows": rows.tolist(),
            "x": chosen[:, 0].tolist(),
            "y": chosen[:, 1].tolist(),
            "years": [None if np.isnan(year) else int(year) for year in self._years[rows]],
            "titles": [readable(title)[:MAX_TITLE] for title in self._papers.take(rows).titles()],
        }
