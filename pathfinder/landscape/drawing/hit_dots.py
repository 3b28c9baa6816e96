"""The hits of a search as dots on the map."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.drawing.scene import Dot
from pathfinder.text.latex.display import readable
from pathfinder.types import Hit


def hit_dots(hits: Sequence[Hit], coordinates: NDArray[np.float32]) -> tuple[Dot, ...]:
    """Make a numbered dot for each of `hits`, best first; papers of live sources have no place on the map.

    `coordinates` are those of the whole corpus, shape (n, 2).
    """
    return tuple(_dot(hit, rank, coordinates) for rank, hit in enumerate(hits, start=1) if hit.live is None)


def _dot(hit: Hit, rank: int, coordinates: NDArray[np.float32]) -> Dot:
    x, y = coordinates[hit.row].tolist()
    return Dot(hit.row, x, y, readable(hit.paper.title), hit.paper.year, rank, hit.outlier)
