"""Patches: adjacent cells of the map that count as one place."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, label

from pathfinder.landscape.data.map_data import MapData
from pathfinder.types import Floats, Rows

MOST_LISTED = 40
"""Maximum number of places in a table, the most significant first; nobody would read more than that."""
_TOUCHING = np.ones((3, 3))


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """One place on the map."""

    cells: Rows
    """The numbers of the selected cells."""
    rows: Rows
    """The papers counted in these cells and in the squares around them."""
    x: float
    y: float
    """The place of the paper nearest to the mean position of the patch's papers."""


def patches(map_data: MapData, is_selected: NDArray[np.bool_], weight: Floats, radius: int) -> tuple[Patch, ...]:
    """Join selected cells into patches where the squares around them, which reach `radius` cells in each direction,
    touch; the patch with the highest sum of `weight` comes first.
    """
    square = np.ones((2 * radius + 1, 2 * radius + 1))
    area = binary_dilation(is_selected, structure=square) if radius else is_selected
    patch_numbers, n = label(area, structure=_TOUCHING)
    of_cell = patch_numbers.ravel()
    sums = np.bincount(of_cell, np.where(is_selected, weight, 0.0).ravel(), minlength=n + 1)[1:]
    of_paper = of_cell[map_data.cell_of_paper]
    cells = np.where(is_selected.ravel(), of_cell, 0)
    order = np.argsort(-sums, kind="stable") + 1
    return tuple(_patch(map_data, np.flatnonzero(cells == i), np.flatnonzero(of_paper == i)) for i in order)


def _patch(map_data: MapData, cells: Rows, rows: Rows) -> Patch:
    x, y = middle(map_data, rows)
    return Patch(cells, rows, x, y)


def middle(map_data: MapData, rows: Rows) -> tuple[float, float]:
    """Find the paper among `rows` that is nearest to their mean position, and return its place; there may be no paper
    at the mean position itself.
    """
    places = map_data.coordinates[rows].astype(np.float64)
    nearest = int(((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin())
    return float(places[nearest, 0]), float(places[nearest, 1])
