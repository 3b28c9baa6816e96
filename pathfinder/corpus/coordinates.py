"""Positions of the papers in a corpus on its map, and a search for the papers within a region of the map."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.types import Region

Coordinates = NDArray[np.float32]
"""Position of each paper on the map, shape (n_papers, 2), by row of the corpus."""

COORDINATES = "coordinates.npy"
"""Name of the coordinates file in the part `landscape`."""


def open_coordinates(folder: Path) -> Coordinates:
    """Open the coordinates in a landscape folder, read-only and memory-mapped. Raises `CorpusDamaged`."""
    path = folder / COORDINATES
    try:
        coordinates: Coordinates = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError) as error:
        raise CorpusDamaged(f"{path} cannot be read ({error}): {CORPUS_REMEDY}") from error
    if coordinates.dtype != np.float32 or coordinates.ndim != 2 or coordinates.shape[1] != 2:
        content = f"{coordinates.dtype} of shape {coordinates.shape}"
        raise CorpusDamaged(f"{path} holds {content}, not float32 of (n, 2): {CORPUS_REMEDY}")
    return coordinates


def inside(coordinates: Coordinates, region: Region) -> NDArray[np.bool_]:
    """Return a mask of the papers in `region` or on its edge, shape (n,).

    The even-odd rule decides: where a lasso crosses itself, an area that it encloses twice counts as outside. The
    papers are sorted by their y coordinate, so that each edge is compared only with the papers at its height.
    """
    low, high = np.min(region.corners, axis=0), np.max(region.corners, axis=0)
    mask = np.zeros(len(coordinates), dtype=np.bool_)
    near = np.flatnonzero(((coordinates >= low) & (coordinates <= high)).all(axis=1))
    near = near[np.argsort(coordinates[near, 1], kind="stable")]
    x, y = coordinates[near].astype(np.float64).T
    # Whether a ray to the right of each paper crosses the outline an odd number of times.
    is_odd, is_on_edge = np.zeros(len(y), dtype=np.bool_), np.zeros(len(y), dtype=np.bool_)
    for start, end in zip(region.corners, (*region.corners[1:], region.corners[0]), strict=True):
        (x0, y0), (x1, y1) = sorted((start, end), key=lambda corner: corner[1])
        first, last = np.searchsorted(y, y0, "left"), np.searchsorted(y, y1, "right")
        at = slice(first, last)
        side = (x1 - x0) * (y[at] - y0) - (x[at] - x0) * (y1 - y0)
        is_on_edge[at] |= (side == 0) & (x[at] >= min(x0, x1)) & (x[at] <= max(x0, x1))
        # The upper end counts as part of the next edge; otherwise a corner would be crossed twice.
        below = np.searchsorted(y, y1, "left")
        is_odd[first:below] ^= side[: below - first] > 0
    mask[near] = is_odd | is_on_edge
    return mask
