"""The grid of cells in which papers are counted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, with_config

from pathfinder.landscape.density.density import Extent
from pathfinder.types import Floats, Rows

LONG_SIDE_CELLS = 96


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Grid:
    """Square cells over the whole extent, numbered row by row from the top left, as in a picture."""

    extent: Extent
    n_rows: int
    n_columns: int

    @property
    def n_cells(self) -> int:
        return self.n_rows * self.n_columns

    def cell_of(self, coordinates: NDArray[np.float32]) -> Rows:
        """Find the cell of each place, shape (n,); a place on or beyond the outer edge belongs to the nearest cell."""
        extent = self.extent
        column = (coordinates[:, 0] - extent.left) / (extent.right - extent.left) * self.n_columns
        row = (extent.top - coordinates[:, 1]) / (extent.top - extent.bottom) * self.n_rows
        row_of = np.clip(np.floor(row), 0, self.n_rows - 1).astype(np.int64)
        column_of = np.clip(np.floor(column), 0, self.n_columns - 1).astype(np.int64)
        return np.asarray(row_of * self.n_columns + column_of)

    def count(self, cells: Rows) -> Floats:
        """Count how many times each cell occurs in `cells`, shape (n_rows, n_columns)."""
        counts = np.bincount(cells, minlength=self.n_cells).astype(np.float64)
        return counts.reshape(self.n_rows, self.n_columns)

    def add_up(self, cells: Rows, values: Floats) -> Floats:
        """Sum `values`, one for each of `cells`, within each cell of the grid, shape (n_rows, n_columns)."""
        sums = np.bincount(cells, values, minlength=self.n_cells).astype(np.float64)
        return sums.reshape(self.n_rows, self.n_columns)

    def centre(self, cell: int) -> tuple[float, float]:
        """Return the centre of a cell, in the coordinates of the map."""
        ((x, y),) = self.centres(np.array([cell])).tolist()
        return x, y

    def centres(self, cells: Rows | None = None) -> Floats:
        """Return the centre of each of `cells`, by default of all cells, shape (n, 2)."""
        rows, columns = np.divmod(np.arange(self.n_cells) if cells is None else cells, self.n_columns)
        extent = self.extent
        x = extent.left + (columns + 0.5) / self.n_columns * (extent.right - extent.left)
        y = extent.top - (rows + 0.5) / self.n_rows * (extent.top - extent.bottom)
        return np.stack([x, y], axis=1)


def grid_over(extent: Extent, long_side: int = LONG_SIDE_CELLS) -> Grid:
    """Make a grid with `long_side` cells along the long side, and at least one cell in each direction."""
    width, height = extent.right - extent.left, extent.top - extent.bottom
    cell = max(width, height) / long_side
    return Grid(extent, max(round(height / cell), 1), max(round(width / cell), 1))
