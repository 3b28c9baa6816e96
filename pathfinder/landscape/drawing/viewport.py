"""The part of the map that a rectangle of pixels shows, and the conversion of places to pixels."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import UsageError
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.density.density import Extent
from pathfinder.landscape.drawing.labels import effective_zoom
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
