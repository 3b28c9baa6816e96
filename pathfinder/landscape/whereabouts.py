"""Where a place of the map lies: on what kind of land, how crowded it is there, and near which names."""

import io
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pathfinder.landscape.atlas import LABEL_LEVELS, SCALES, TILE_PIXELS, Label, Peak
from pathfinder.landscape.chart import Chart
from pathfinder.landscape.frame import Frame
from pathfinder.landscape.grid import Grid
from pathfinder.landscape.palettes import HEIGHT
from pathfinder.landscape.terrain import BANDS, Band
from pathfinder.landscape.tiles import square_around
from pathfinder.types import Rows

_ZOOM = 2
"""Of the tiles that heights are read off: fine enough to tell a coast from a plain."""
MEDIUM_FROM, FINE_FROM = 1.0, 2.5
"""Zooms from which on a place is weighed against its country and its town, and no longer against its continent."""
SCALE_OF_LEVEL: Mapping[int, str] = MappingProxyType(dict(zip(LABEL_LEVELS, SCALES, strict=True)))
"""On whose peaks the names of a level stand."""


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


def scale_at(zoom: float) -> str:
    """The scale of the density that suits a view: the closer it is, the finer."""
    broad, medium, fine = SCALES
    return fine if zoom >= FINE_FROM else medium if zoom >= MEDIUM_FROM else broad


def crowding_at(chart: Chart, x: float, y: float, scale: str) -> float:
    """The density at a place as a share of the map's highest of that scale, [0, 1]; beyond the map it is 0."""
    extent, density = chart.extent, chart.atlas.density[scale]
    if not (extent.left <= x <= extent.right and extent.bottom <= y <= extent.top):
        return 0.0
    cell = Grid(extent, *density.shape).cell_of(np.array([[x, y]], dtype=np.float32))
    return float(density.ravel()[cell[0]])


def peaks_in_sight(chart: Chart, frame: Frame) -> tuple[Peak, ...]:
    """The places within a frame where the density of its view's scale is highest around, the highest first."""
    scale = scale_at(frame.view.zoom)
    peaks = sorted((one for one in chart.atlas.peaks if one.scale == scale), key=lambda one: -one.height)
    places = np.array([(one.x, one.y) for one in peaks]).reshape(-1, 2)
    return tuple(one for one, is_seen in zip(peaks, frame.holds(places), strict=True) if is_seen)


def nearest_labels(chart: Chart, x: float, y: float, n: int) -> tuple[Label, ...]:
    """At most `n` names, the nearest first; a text that stands twice on the map counts once."""
    found: dict[str, Label] = {}
    for label in sorted(chart.atlas.labels, key=lambda label: ((label.x - x) ** 2 + (label.y - y) ** 2, label.text)):
        found.setdefault(label.text, label)
    return tuple(found.values())[:n]


def nearest_rows(chart: Chart, x: float, y: float, n: int, among: Rows | None = None) -> NDArray[np.int64]:
    """At most `n` rows of papers, or of those `among` them, the nearest first; of equally near ones, the lower row."""
    rows = np.arange(len(chart.coordinates)) if among is None else among
    apart = np.sum((np.asarray(chart.coordinates[rows], dtype=np.float64) - (x, y)) ** 2, axis=1)
    return rows[np.argsort(apart, kind="stable")[:n]]
