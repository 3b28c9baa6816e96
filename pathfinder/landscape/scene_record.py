"""A scene as plain data for the canvas: what is sent at once.

The canvas draws what it is given and asks for the rest, which `view_record` has.
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

from pathfinder.landscape.atlas import N_TILE_ZOOMS, Atlas
from pathfinder.landscape.grid import Grid, grid_over
from pathfinder.landscape.labels import lettering_record
from pathfinder.landscape.layer import Cells, Layer, Line
from pathfinder.landscape.palettes import palette_record
from pathfinder.landscape.scene import MAX_ZOOM, Scene
from pathfinder.types import Floats

HISTORY_CELLS = 64
"""Along the long side of the map, for the play of the years."""
DECIMALS = 4
NOTHING_TO_SAY = 255
"""The byte of a cell without a value; 0 to 254 are the values 0 to 1."""


@dataclass(frozen=True, slots=True)
class Manner:
    """What a reader can do with the canvas."""

    asks: bool = True
    """Whether there is a server that is asked for tiles and papers."""
    selects: bool = True
    """Whether regions can be drawn."""
    big: bool = False
    """Large buttons and names, for a screen on a wall."""
    comes: bool = True
    """Whether it comes into sight when it is sent somewhere."""


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
    look = {"colour": line.colour, "dashes": line.dash.pixels}
    return {"points": points, "title": line.title, "is_path": line.is_path, **look}


def _rounded(record: Mapping[str, Any]) -> dict[str, Any]:
    return {key: round(value, DECIMALS) if isinstance(value, float) else value for key, value in record.items()}


def _number(record: object) -> str:
    return hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]
