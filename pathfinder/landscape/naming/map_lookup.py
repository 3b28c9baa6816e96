"""Looks up a place on the map: its land, its density, and the names and papers near it."""

import io
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pathfinder.landscape.data.atlas import LABEL_LEVELS, SCALES, TILE_PIXELS, Label
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.density.grid import Grid
from pathfinder.landscape.density.peaks import Peak
from pathfinder.landscape.drawing.palettes import HEIGHT
from pathfinder.landscape.drawing.terrain import BANDS, Band
from pathfinder.landscape.drawing.tiles import square_around
from pathfinder.landscape.drawing.viewport import Viewport
from pathfinder.types import Rows

_ZOOM = 2
"""Zoom of the tiles that supply the heights: fine enough to distinguish a coast from a plain."""
MEDIUM_FROM, FINE_FROM = 1.0, 2.5
"""Zooms from which the medium density scale, and then the fine one, is used."""
SCALE_OF_LEVEL: Mapping[int, str] = MappingProxyType(dict(zip(LABEL_LEVELS, SCALES, strict=True)))
"""The density scale at whose peaks the names of each level are placed."""


def land_at(map_data: MapData, x: float, y: float) -> Band:
    """Return the kind of land at a place; beyond the tiles it is sea."""
    square = square_around(map_data.extent)
    pixels = TILE_PIXELS * 2**_ZOOM
    across = (x - square.left) / (square.right - square.left) * pixels
    down = (square.top - y) / (square.top - square.bottom) * pixels
    if not (0 <= across < pixels and 0 <= down < pixels):
        return BANDS[0]
    column, line = int(across), int(down)
    tile = map_data.atlas.tile(_ZOOM, column // TILE_PIXELS, line // TILE_PIXELS)
    with Image.open(io.BytesIO(tile)) as picture:
        height = float(np.asarray(picture)[line % TILE_PIXELS, column % TILE_PIXELS, HEIGHT]) / 255
    return next(band for band in reversed(BANDS) if height >= band.low)


def scale_at(zoom: float) -> str:
    """Return the density scale that suits a view: the closer the view, the finer the scale."""
    broad, medium, fine = SCALES
    return fine if zoom >= FINE_FROM else medium if zoom >= MEDIUM_FROM else broad


def density_at(map_data: MapData, x: float, y: float, scale: str) -> float:
    """Return the density at a place as a fraction of the highest density at that scale, [0, 1]; 0 beyond the map."""
    extent, density = map_data.extent, map_data.atlas.density[scale]
    if not (extent.left <= x <= extent.right and extent.bottom <= y <= extent.top):
        return 0.0
    cell = Grid(extent, *density.shape).cell_of(np.array([[x, y]], dtype=np.float32))
    return float(density.ravel()[cell[0]])


def peaks_in_view(map_data: MapData, viewport: Viewport) -> tuple[Peak, ...]:
    """Select the peaks of the density in view, at the scale that suits the zoom, highest first."""
    scale = scale_at(viewport.view.zoom)
    peaks = sorted((peak for peak in map_data.atlas.peaks if peak.scale == scale), key=lambda peak: -peak.height)
    places = np.array([(peak.x, peak.y) for peak in peaks]).reshape(-1, 2)
    return tuple(peak for peak, is_visible in zip(peaks, viewport.contains(places), strict=True) if is_visible)


def nearest_labels(map_data: MapData, x: float, y: float, n: int) -> tuple[Label, ...]:
    """Return at most `n` names, nearest first; a name that appears twice on the map counts once."""
    nearest: dict[str, Label] = {}
    for label in sorted(map_data.atlas.labels, key=lambda label: ((label.x - x) ** 2 + (label.y - y) ** 2, label.text)):
        nearest.setdefault(label.text, label)
    return tuple(nearest.values())[:n]


def nearest_rows(map_data: MapData, x: float, y: float, n: int, among: Rows | None = None) -> NDArray[np.int64]:
    """Return the rows of at most `n` papers, nearest first, taken only from `among` if it is given; if two papers are
    equally near, the one with the lower row number comes first.
    """
    rows = np.arange(len(map_data.coordinates)) if among is None else among
    distances = np.sum((np.asarray(map_data.coordinates[rows], dtype=np.float64) - (x, y)) ** 2, axis=1)
    return rows[np.argsort(distances, kind="stable")[:n]]
