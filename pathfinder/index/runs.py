"""Entries stored row after row, with any number of them per row."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.types import Rows


def places_of(starts: NDArray[np.integer], rows: Rows | NDArray[np.int32]) -> tuple[Rows, Rows]:
    """Return the places of the entries of `rows`, one row after another, and for each entry the position of its row
    in `rows`.

    `starts` has the first entry of each row, followed by the total number of entries.
    """
    first = starts[rows].astype(np.int64)
    lengths = starts[rows + 1] - first
    owners = np.repeat(np.arange(len(rows)), lengths)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return first[owners] + within, owners
