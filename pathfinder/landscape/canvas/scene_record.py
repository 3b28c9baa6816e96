"""A scene as plain data for the canvas: everything that is sent at once.

The canvas requests the rest, tiles and papers, which `view_record` provides.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.data.atlas import N_TILE_ZOOMS, Atlas
from pathfinder.landscape.data.layer import Heatmap, Layer, MapLine
from pathfinder.landscape.density.grid import Grid, grid_over
from pathfinder.landscape.drawing.labels import lettering_record
from pathfinder.landscape.drawing.palettes import palette_record
from pathfinder.landscape.drawing.scene import MAX_ZOOM, Scene
from pathfinder.types import Floats

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
        "layers": [_layer(layer) for layer in scene.layers],
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


def _layer(layer: Layer) -> dict[str, Any]:
    return {
        "slug": layer.slug,
        "title": layer.title,
        "cells": [_cells(cells) for cells in layer.heatmaps],
        "lines": [_line(line) for line in layer.lines],
        "marks": [_round_coordinates(asdict(mark)) for mark in layer.marks],
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
