"""Which part of the map a rectangle of pixels shows, and where in it a place lies."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import UsageError
from pathfinder.landscape.density import Extent
from pathfinder.landscape.scene import View
from pathfinder.types import Floats, Region

MIN_PIXELS, MAX_PIXELS = 200, 8000
"""Of a picture's width and height."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture's pixels over the map; x runs to the right, y downwards from the top of the picture."""

    extent: Extent
    """Of the whole map."""
    view: View
    width: int
    height: int

    @property
    def pixels_per_unit(self) -> float:
        """At zoom 0 the whole extent just fits, whichever side is the longer."""
        extent = self.extent
        fits = min(self.width / (extent.right - extent.left), self.height / (extent.top - extent.bottom))
        return float(fits * 2.0**self.view.zoom)

    @property
    def seen(self) -> Extent:
        """What lies within the frame, in the units of the map."""
        half_width, half_height = (pixels / 2 / self.pixels_per_unit for pixels in (self.width, self.height))
        view = self.view
        return Extent(view.x - half_width, view.x + half_width, view.y - half_height, view.y + half_height)

    def pixels(self, places: NDArray[np.float32] | Floats) -> Floats:
        """Where `places`, shape (n, 2), lie in the picture, shape (n, 2)."""
        seen, scale = self.seen, self.pixels_per_unit
        wide = np.asarray(places, dtype=np.float64)
        return np.stack([(wide[:, 0] - seen.left) * scale, (seen.top - wide[:, 1]) * scale], axis=-1)

    def holds(self, places: NDArray[np.float32] | Floats) -> NDArray[np.bool_]:
        """Which of `places` lie in the picture, shape (n,)."""
        seen = self.seen
        x, y = places[:, 0], places[:, 1]
        return np.asarray((x >= seen.left) & (x <= seen.right) & (y >= seen.bottom) & (y <= seen.top))


def frame_of(extent: Extent, view: View | None, width: int, height: int) -> Frame:
    """The frame that shows `view`, or the whole map. Raises `UsageError` for a size that no picture has."""
    for name, pixels in (("width", width), ("height", height)):
        if not MIN_PIXELS <= pixels <= MAX_PIXELS:
            raise UsageError(f"the {name} of a picture lies in {MIN_PIXELS}..{MAX_PIXELS} pixels, got {pixels}")
    return Frame(extent, view or whole(extent), width, height)


def whole(extent: Extent) -> View:
    """The view that shows everything."""
    return View((extent.left + extent.right) / 2, (extent.bottom + extent.top) / 2)


def around(extent: Extent, region: Region, zoom_limit: float) -> View:
    """The view that shows `region` with a margin around it, at most `zoom_limit` close."""
    x, y = zip(*region.corners, strict=True)
    width, height = max(max(x) - min(x), 1e-9), max(max(y) - min(y), 1e-9)
    share = 1.2 * max(width / (extent.right - extent.left), height / (extent.top - extent.bottom))
    zoom = float(np.clip(-np.log2(share), 0.0, zoom_limit))
    return View((min(x) + max(x)) / 2, (min(y) + max(y)) / 2, zoom)
