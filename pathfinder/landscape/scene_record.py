"""A scene as plain data for the canvas: what is sent at once, and what is sent for each view.

The canvas draws what it is given and asks for the rest: the tiles in view, and papers of all that lie in view, drawn by
lot. The lots are cast once for the whole corpus, so that a paper that is seen from afar is still there from close by.
"""

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import UsageError
from pathfinder.export.latex import readable
from pathfinder.landscape.atlas import N_TILE_ZOOMS, Atlas
from pathfinder.landscape.grid import Grid, grid_over
from pathfinder.landscape.labels import lettering_record
from pathfinder.landscape.layer import Cells, Layer, Line
from pathfinder.landscape.palettes import palette_record
from pathfinder.landscape.scene import MAX_ZOOM, Scene
from pathfinder.types import Floats, Rows

MAX_POINTS = 1500
"""Papers that are sent for a view, each with its title; more than that cannot be told apart by eye or hand."""
MAX_TITLE = 160
"""Characters of a title that is pointed at."""
MAX_TILES = 64
"""That are sent for a view; a screen of 2560 x 1440 pixels shows 56."""
HISTORY_CELLS = 64
"""Along the long side of the map, for the play of the years."""
BOX_SIDES = 4
DECIMALS = 4
NOTHING_TO_SAY = 255
"""The byte of a cell without a value; 0 to 254 are the values 0 to 1."""
SEED = 20240801

_TILE = re.compile(r"(\d)/(\d{1,2})/(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Manner:
    """What a reader can do with the canvas."""

    asks: bool = True
    """Whether there is a server that is asked for tiles and papers."""
    selects: bool = True
    """Whether regions can be drawn."""
    big: bool = False
    """Large buttons and names, for a screen on a wall."""


def scene_record(
    scene: Scene,
    atlas: Atlas,
    *,
    history: dict[str, Any] | None = None,
    manner: Manner | None = None,
    n_moves: int = 0,
) -> dict[str, Any]:
    """All that is drawn but tiles and papers. `number` names the content, and `view_number` what view it asks for.

    `history` is that of `history_record`, where the years can be played. A canvas goes to the scene's view when it is
    another than before, or `n_moves` is: else it stays where its reader went.
    """
    view = None if scene.view is None else asdict(scene.view)
    record = {
        "extent": asdict(atlas.grid.extent),
        "max_zoom": MAX_ZOOM,
        "n_tile_zooms": N_TILE_ZOOMS,
        "colours": palette_record(scene.ground, scene.palette),
        "view": view,
        "view_number": _number([view, n_moves]),
        "labels": [_rounded(asdict(label)) for label in atlas.labels],
        "lettering": lettering_record(),
        "layers": [_layer(layer) for layer in scene.layers],
        "dots": [_rounded(asdict(dot)) for dot in scene.dots],
        "region": None if scene.region is None else [[round(x, 6), round(y, 6)] for x, y in scene.region.corners],
        "years": scene.years,
        "history": history,
        "shows_labels": scene.shows_labels,
        "options": asdict(manner or Manner()),
    }
    return record | {"number": _number(record)}


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


class Sampler:
    """Papers in view, drawn by lot. Made once for a corpus; threads may share it."""

    def __init__(self, coordinates: NDArray[np.float32], papers: PaperTable) -> None:
        self._papers = papers
        self._order = np.random.default_rng(SEED).permutation(len(coordinates)).astype(np.int64)
        self._places = np.asarray(coordinates)[self._order]

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
        rows: Rows = self._order[places[:MAX_POINTS]]
        chosen = self._places[places[:MAX_POINTS]].astype(np.float64).round(DECIMALS)
        return {
            "n": len(places),
            "box": list(box),
            "rows": rows.tolist(),
            "x": chosen[:, 0].tolist(),
            "y": chosen[:, 1].tolist(),
            "years": [None if np.isnan(year) else int(year) for year in self._years[rows]],
            "titles": [readable(title)[:MAX_TITLE] for title in self._papers.take(rows).titles()],
        }


def history_record(coordinates: NDArray[np.float32], years: Floats, grid: Grid) -> dict[str, Any] | None:
    """How many papers of each year lie in each cell, for the play of the years; `None` where fewer than two are known.

    `counts` are unsigned 16-bit numbers by year, then by line, then by column, deflated, in base64.
    """
    known = ~np.isnan(years)
    if not known.any() or np.nanmin(years) == np.nanmax(years):
        return None
    coarse = grid_over(grid.extent, min(HISTORY_CELLS, max(grid.n_rows, grid.n_columns)))
    first, last = int(np.nanmin(years)), int(np.nanmax(years))
    of_year = (years[known] - first).astype(np.int64)
    flat = of_year * coarse.n_cells + coarse.cell_of(np.asarray(coordinates)[known])
    counts = np.bincount(flat, minlength=(last - first + 1) * coarse.n_cells)
    packed = zlib.compress(np.minimum(counts, 65535).astype("<u2").tobytes(), 9)
    return {
        "first": first,
        "last": last,
        "rows": coarse.n_rows,
        "columns": coarse.n_columns,
        "counts": base64.b64encode(packed).decode(),
    }


def _layer(layer: Layer) -> dict[str, Any]:
    return {
        "slug": layer.slug,
        "title": layer.title,
        "cells": [_cells(cells) for cells in layer.cells],
        "lines": [_line(line) for line in layer.lines],
        "marks": [_rounded(asdict(mark)) for mark in layer.marks],
    }


def _cells(cells: Cells) -> dict[str, Any]:
    levels = np.round(np.clip(np.nan_to_num(cells.values), 0.0, 1.0) * (NOTHING_TO_SAY - 1))
    levels[np.isnan(cells.values)] = NOTHING_TO_SAY
    return {
        "rows": cells.grid.n_rows,
        "columns": cells.grid.n_columns,
        "extent": asdict(cells.grid.extent),
        "values": base64.b64encode(levels.astype(np.uint8).tobytes()).decode(),
        "colour": cells.colour,
    }


def _line(line: Line) -> dict[str, Any]:
    points = np.asarray(line.points, dtype=np.float64).round(DECIMALS).tolist()
    return {"points": points, "colour": line.colour, "title": line.title, "is_path": line.is_path}


def _rounded(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: round(value, DECIMALS) if isinstance(value, float) else value for key, value in record.items()}


def _number(record: object) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]
