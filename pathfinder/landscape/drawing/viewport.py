"""The part of the map that a rectangle of pixels shows, and the conversion of places to pixels."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import UsageError
from pathfinder.landscape.data.landscape import Label
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.density import Extent
from pathfinder.landscape.drawing.scene import MapView
from pathfinder.types import Floats, Region, Rows

MIN_PIXELS, MAX_PIXELS = 200, 8000
"""Limits on a picture's width and height, in pixels."""
MARGIN = 1.2
"""Ratio of the width of a region's view to that of the region itself."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """A rectangle of pixels over the map; x increases to the right, y downwards from the top."""

    extent: Extent
    """The whole map."""
    view: MapView
    width: int
    height: int

    @property
    def pixels_per_unit(self) -> float:
        """Number of pixels per unit of the map; at zoom 0 the whole extent just fits in both directions."""
        extent = self.extent
        fits = min(self.width / (extent.right - extent.left), self.height / (extent.top - extent.bottom))
        return float(fits * 2.0**self.view.zoom)

    @property
    def visible(self) -> Extent:
        """The part of the map in view, in units of the map."""
        half_width, half_height = (pixels / 2 / self.pixels_per_unit for pixels in (self.width, self.height))
        view = self.view
        return Extent(view.x - half_width, view.x + half_width, view.y - half_height, view.y + half_height)

    @property
    def label_zoom(self) -> float:
        """The zoom to compare with `Label.min_zoom`; negative if the map is drawn small."""
        extent = self.extent
        return effective_zoom(self.pixels_per_unit * max(extent.right - extent.left, extent.top - extent.bottom))

    def pixels(self, places: NDArray[np.float32] | Floats) -> Floats:
        """Convert `places` to pixel coordinates, both of shape (n, 2)."""
        visible, scale = self.visible, self.pixels_per_unit
        precise = np.asarray(places, dtype=np.float64)
        return np.stack([(precise[:, 0] - visible.left) * scale, (visible.top - precise[:, 1]) * scale], axis=-1)

    def contains(self, places: NDArray[np.float32] | Floats) -> NDArray[np.bool_]:
        """Return a mask, shape (n,), of the `places`, shape (n, 2), that are in view."""
        visible = self.visible
        x, y = places[:, 0], places[:, 1]
        return np.asarray((x >= visible.left) & (x <= visible.right) & (y >= visible.bottom) & (y <= visible.top))


def fit_viewport(extent: Extent, view: MapView | None, width: int, height: int) -> Viewport:
    """Show `view`, or the whole map, in a rectangle of this size in pixels. Raises `UsageError` for a size out of
    bounds.
    """
    for name, pixels in (("width", width), ("height", height)):
        if not MIN_PIXELS <= pixels <= MAX_PIXELS:
            raise UsageError(f"the {name} of a picture must be {MIN_PIXELS} to {MAX_PIXELS} pixels, got {pixels}")
    return Viewport(extent, view or whole_map(extent), width, height)


def rows_in_view(map_data: MapData, viewport: Viewport, years: tuple[int, int] | None = None) -> Rows:
    """Select the rows of the papers in view, restricted to `years` (first and last, inclusive) if they are given."""
    rows = map_data.rows_of_years(years)
    return rows[viewport.contains(map_data.coordinates[rows])]


def whole_map(extent: Extent) -> MapView:
    """Return the view of the whole map."""
    return MapView((extent.left + extent.right) / 2, (extent.bottom + extent.top) / 2)


def view_of_region(extent: Extent, region: Region, zoom_limit: float) -> MapView:
    """Return the view of `region` with a margin around it, zoomed in no further than `zoom_limit`."""
    x, y = zip(*region.corners, strict=True)
    width, height = max(max(x) - min(x), 1e-9), max(max(y) - min(y), 1e-9)
    share = MARGIN * max(width / (extent.right - extent.left), height / (extent.top - extent.bottom))
    zoom = float(np.clip(-np.log2(share), 0.0, zoom_limit))
    return MapView((min(x) + max(x)) / 2, (min(y) + max(y)) / 2, zoom)


# Lays out the names on the map: determines the size of each and the lowest zoom at which it is drawn, so that no two
# overlap.
#
# The width of a letter is taken to be `LETTER_WIDTH` times the font size, which common sans-serif fonts do not
# exceed, and the box of a name has a margin. Zooms refer to a map whose square is `MAP_PIXELS` wide at zoom 0; for a
# map of another width, use `effective_zoom`. Names grow more slowly than the map beneath them, so two names that are
# apart at one zoom stay apart at every higher one.

MAP_PIXELS = 1000
PIXELS: Mapping[int, float] = MappingProxyType({1: 19.0, 2: 14.5, 3: 12.0})
"""Font size of a name by level, at zoom 0 of a map that is `MAP_PIXELS` wide."""
GROWTH, SMALLEST, LARGEST = 1.09, 0.85, 1.5
"""Factor by which a name grows with each zoom level, and the limits on its total growth."""
LETTER_WIDTH, LINE_HEIGHT, MARGIN_PIXELS = 0.62, 1.25, 4.0
FIRST_ZOOM: Mapping[int, float] = MappingProxyType({1: -2.0, 2: 0.5, 3: 1.75})
"""Lowest zoom at which the names of a level are drawn. A negative zoom means a map narrower than `MAP_PIXELS`: -1.4 on
a phone.
"""
LAST_ZOOM = 6.0
"""A name that could only be drawn beyond this zoom is left out."""
ZOOM_STEP = 0.25


def effective_zoom(square_pixels: float) -> float:
    """Compute the zoom to compare with a label's `min_zoom`, for a map whose whole square is `square_pixels` wide."""
    return log2(square_pixels / MAP_PIXELS)


def text_pixels(level: int, zoom: float) -> float:
    """Compute the font size of a name at an effective zoom."""
    growth: float = GROWTH**zoom
    return PIXELS[level] * min(max(growth, SMALLEST), LARGEST)


def lettering_record() -> dict[str, object]:
    """List the constants of `text_pixels` and `effective_zoom` as plain data for the canvas."""
    return {
        "pixels": {str(level): pixels for level, pixels in PIXELS.items()},
        "growth": GROWTH,
        "smallest": SMALLEST,
        "largest": LARGEST,
        "map_pixels": MAP_PIXELS,
    }


def box_pixels(text: str, level: int, zoom: float) -> tuple[float, float]:
    """Compute the width and height that a name takes up, including its margin."""
    size = text_pixels(level, zoom)
    return LETTER_WIDTH * size * len(text) + 2 * MARGIN_PIXELS, LINE_HEIGHT * size + MARGIN_PIXELS


def overlap(label: Label, other: Label, zoom: float, square: Extent) -> bool:
    """True if two names overlap at an effective zoom."""
    scale = MAP_PIXELS * 2**zoom / (square.right - square.left)
    (w, h), (v, g) = box_pixels(label.text, label.level, zoom), box_pixels(other.text, other.level, zoom)
    return abs(label.x - other.x) * scale < (w + v) / 2 and abs(label.y - other.y) * scale < (h + g) / 2


def place_labels(labels: Iterable[Label], square: Extent) -> tuple[Label, ...]:
    """Give each label the lowest zoom at which it overlaps none of the earlier ones; leave out labels without such a
    zoom.

    `labels` are sorted by rank: the first is drawn first.
    """
    placed_labels: list[Label] = []
    for label in labels:
        zoom = _first_free(label, placed_labels, square)
        if zoom is not None:
            placed_labels.append(replace(label, min_zoom=zoom))
    return tuple(placed_labels)


def _first_free(label: Label, placed_labels: Sequence[Label], square: Extent) -> float | None:
    zoom = FIRST_ZOOM[label.level]
    for other in placed_labels:
        free = max(zoom, other.min_zoom)
        if not overlap(label, other, free, square):
            continue  # They do not overlap at any zoom where both are drawn.
        while overlap(label, other, free, square):
            free += ZOOM_STEP
            if free > LAST_ZOOM:
                return None
        zoom = free
    return zoom
