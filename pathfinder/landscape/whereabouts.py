"""Where a place of the map lies, in words: on what kind of land, and near which names."""

import io

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pathfinder.landscape.atlas import TILE_PIXELS, Label
from pathfinder.landscape.chart import Chart
from pathfinder.landscape.palettes import HEIGHT
from pathfinder.landscape.terrain import BANDS, Band
from pathfinder.landscape.tiles import square_around

_ZOOM = 2
"""Of the tiles that heights are read off: fine enough to tell a coast from a plain."""


def land_at(chart: Chart, x: float, y: float) -> Band:
    """The kind of land at a place; beyond the tiles lies the sea."""
    square = square_around(chart.extent)
    pixels = TILE_PIXELS * 2**_ZOOM
    across = (x - square.left) / (square.right - square.left) * pixels
    down = (square.top - y) / (square.top - square.bottom) * pixels
    if not (0 <= across < pixels and 0 <= down < pixels):
        return BANDS[0]
    column, line = int(across), int(down)
    tile = chart.atlas.tile(_ZOOM, column // TILE_PIXELS, line // TILE_PIXELS)
    with Image.open(io.BytesIO(tile)) as picture:
        height = float(np.asarray(picture)[line % TILE_PIXELS, column % TILE_PIXELS, HEIGHT]) / 255
    return next(band for band in reversed(BANDS) if height >= band.low)


def nearest_labels(chart: Chart, x: float, y: float, n: int) -> tuple[Label, ...]:
    """At most `n` names, the nearest first; a text that stands twice on the map counts once."""
    found: dict[str, Label] = {}
    for label in sorted(chart.atlas.labels, key=lambda label: ((label.x - x) ** 2 + (label.y - y) ** 2, label.text)):
        found.setdefault(label.text, label)
    return tuple(found.values())[:n]


def nearest_rows(chart: Chart, x: float, y: float, n: int) -> NDArray[np.int64]:
    """At most `n` rows of papers, the nearest first; of equally near ones, the lower row."""
    apart = np.sum((np.asarray(chart.coordinates, dtype=np.float64) - (x, y)) ** 2, axis=1)
    return np.argsort(apart, kind="stable")[:n]
