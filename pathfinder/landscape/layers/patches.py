"""Cells that lie together, taken as one place of the map."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, label

from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats, Rows

MOST_LISTED = 40
"""Places of a table, the surest first; more are not read."""
_TOUCHING = np.ones((3, 3))


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """One place of the map."""

    cells: Rows
    """Numbers of the cells that were found."""
    rows: Rows
    """The papers in these cells and in the squares around them that were counted."""
    x: float
    y: float
    """The middle of its papers: the one of them that is nearest to their mean."""


def patches(survey: Survey, found: NDArray[np.bool_], weight: Floats, radius: int) -> tuple[Patch, ...]:
    """The found cells, those together whose squares touch; the highest sum of `weight` first."""
    square = np.ones((2 * radius + 1, 2 * radius + 1))
    counted = binary_dilation(found, structure=square) if radius else found
    numbered, n = label(counted, structure=_TOUCHING)
    of_cell = numbered.ravel()
    sums = np.bincount(of_cell, np.where(found, weight, 0.0).ravel(), minlength=n + 1)[1:]
    of_paper = of_cell[survey.cells]
    cells = np.where(found.ravel(), of_cell, 0)
    order = np.argsort(-sums, kind="stable") + 1
    return tuple(_patch(survey, np.flatnonzero(cells == i), np.flatnonzero(of_paper == i)) for i in order)


def _patch(survey: Survey, cells: Rows, rows: Rows) -> Patch:
    x, y = middle(survey, rows)
    return Patch(cells, rows, x, y)


def middle(survey: Survey, rows: Rows) -> tuple[float, float]:
    """The place of the paper at `rows` that is nearest to their mean, which itself may lie where nobody is."""
    places = survey.coordinates[rows].astype(np.float64)
    nearest = int(((places - places.mean(axis=0)) ** 2).sum(axis=1).argmin())
    return float(places[nearest, 0]), float(places[nearest, 1])
