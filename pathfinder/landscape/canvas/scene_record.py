"""A scene as plain data for the canvas: everything that is sent at once.

The canvas requests the rest, tiles and papers, which `view_record` provides.
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
from pathfinder.landscape.data.landscape import N_TILE_ZOOMS, Atlas
from pathfinder.landscape.data.layer import Heatmap, MapLine
from pathfinder.landscape.density import Grid, grid_over
from pathfinder.landscape.drawing.palettes import palette_record
from pathfinder.landscape.drawing.scene import MAX_ZOOM, Scene
from pathfinder.landscape.drawing.viewport import lettering_record
from pathfinder.text.latex.display import readable
from pathfinder.types import Floats, Rows

HISTORY_CELLS = 64
"""Number of cells along the longer side of the map when the years are played."""
DECIMALS = 4
NO_VALUE = 255
"""Byte for a cell without a value; bytes from 0 to 254 stand for values from 0 to 1."""


@dataclass(frozen=True, slots=True)
class CanvasOptions:
    """Options of the canvas: what a reader can do with it, and how it behaves."""

    has_server: bool = True
    """True if tiles and papers can be requested from a server."""
    can_select: bool = True
    """True if a reader can draw regions."""
    large: bool = False
    """True if buttons and names are drawn large, for a wall screen."""
    scrolls_into_view: bool = True
    """True if the canvas scrolls into view when it is asked to show a place."""


def scene_record(
    scene: Scene,
    atlas: Atlas,
    *,
    history: dict[str, Any] | None = None,
    options: CanvasOptions | None = None,
    n_moves: int = 0,
) -> dict[str, Any]:
    """Collect everything that is drawn except tiles and papers.

    In the record, `number` identifies the content and `view_number` the view: when the view number changes, the canvas
    moves to the scene's view; otherwise it stays where the reader left it. A new value of `n_moves` changes the view
    number, too. If a `history` from `history_record` is given, the years can be played.
    """
    view = None if scene.view is None else asdict(scene.view)
    record = {
        "extent": asdict(atlas.grid.extent),
        "max_zoom": MAX_ZOOM,
        "n_tile_zooms": N_TILE_ZOOMS,
        "colours": palette_record(scene.ground, scene.palette),
        "view": view,
        "view_number": _number([view, n_moves]),
        "labels": [_round_coordinates(asdict(label)) for label in atlas.labels],
        "lettering": lettering_record(),
        "layers": [
            {
                "slug": layer.slug,
                "title": layer.title,
                "cells": [_cells(cells) for cells in layer.heatmaps],
                "lines": [_line(line) for line in layer.lines],
                "marks": [_round_coordinates(asdict(mark)) for mark in layer.marks],
            }
            for layer in scene.layers
        ],
        "dots": [_round_coordinates(asdict(dot)) for dot in scene.dots],
        "region": None if scene.region is None else [[round(x, 6), round(y, 6)] for x, y in scene.region.corners],
        "years": scene.years,
        "history": history,
        "shows_labels": scene.shows_labels,
        "options": asdict(options or CanvasOptions()),
    }
    return record | {"number": _number(record)}


def history_record(coordinates: NDArray[np.float32], years: Floats, grid: Grid) -> dict[str, Any] | None:
    """Count the papers from each year in each cell, for playing through the years; `None` if fewer than two years are
    known.

    `counts` holds unsigned 16-bit numbers ordered by year, then row, then column, compressed with deflate and encoded
    in base64.
    """
    is_known = ~np.isnan(years)
    if not is_known.any() or np.nanmin(years) == np.nanmax(years):
        return None
    coarse = grid_over(grid.extent, min(HISTORY_CELLS, max(grid.n_rows, grid.n_columns)))
    first, last = int(np.nanmin(years)), int(np.nanmax(years))
    of_year = (years[is_known] - first).astype(np.int64)
    flat = of_year * coarse.n_cells + coarse.cell_of(np.asarray(coordinates)[is_known])
    counts = np.bincount(flat, minlength=(last - first + 1) * coarse.n_cells)
    compressed_counts = zlib.compress(np.minimum(counts, 65535).astype("<u2").tobytes(), 9)
    return {
        "first": first,
        "last": last,
        "rows": coarse.n_rows,
        "columns": coarse.n_columns,
        "counts": base64.b64encode(compressed_counts).decode(),
    }


def _cells(cells: Heatmap) -> dict[str, Any]:
    levels = np.round(np.clip(np.nan_to_num(cells.values), 0.0, 1.0) * (NO_VALUE - 1))
    levels[np.isnan(cells.values)] = NO_VALUE
    return {
        "rows": cells.grid.n_rows,
        "columns": cells.grid.n_columns,
        "extent": asdict(cells.grid.extent),
        "values": base64.b64encode(levels.astype(np.uint8).tobytes()).decode(),
        "colour": cells.colour,
    }


def _line(line: MapLine) -> dict[str, Any]:
    points = np.asarray(line.points, dtype=np.float64).round(DECIMALS).tolist()
    look = {"colour": line.colour, "dashes": line.dash.pixels}
    return {"points": points, "title": line.title, "is_path": line.is_path, **look}


def _round_coordinates(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: round(value, DECIMALS) if isinstance(value, float) else value for key, value in record.items()}


def _number(record: object) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]


# The data that the canvas receives for a view: its tiles, and a random sample of the papers in it.
#
# The sampling order is the same for every view, so a paper visible from afar is still there when the reader zooms in.

MAX_POINTS = 1500
"""Maximum number of papers sent for a view, each with its title; a reader could not distinguish more."""
MAX_TITLE = 160
"""Maximum length of a title, in characters."""
MAX_TILES = 64
"""Maximum number of tiles sent for a view; a screen of 2560 x 1440 pixels shows 56."""
BOX_SIDES = 4
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
