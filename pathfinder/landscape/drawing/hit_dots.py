"""The hits of a search as dots on the map."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.drawing.scene import Dot
from pathfinder.text.latex.display import readable
from pathfinder.types import Hit


def hit_dots(hits: Sequence[Hit], coordinates: NDArray[np.float32]) -> tuple[Dot, ...]:
    """Make a numbered dot for each of `hits`, best first; the search has already placed papers from live sources.

    `coordinates` has the places of all papers in the corpus, shape (n, 2).
    """
    return tuple(dot for rank, hit in enumerate(hits, start=1) if (dot := hit_dot(hit, rank, coordinates)) is not None)


def hit_dot(hit: Hit, rank: int, coordinates: NDArray[np.float32]) -> Dot | None:
    """Make the dot of a hit; `None` for a paper from a live source that has no place."""
    place = coordinates[hit.row].tolist() if hit.live is None else hit.place
    if place is None:
        return None
    x, y = place
    return Dot(hit.row, x, y, readable(hit.paper.title), hit.paper.year, rank, hit.outlier, hit.live)
