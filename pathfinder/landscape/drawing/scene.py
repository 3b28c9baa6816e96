"""A scene: everything that is drawn together on the canvas of a page, in a picture file or in an HTML file."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import UsageError
from pathfinder.text.latex.display import readable
from pathfinder.types import Hit, Region

if TYPE_CHECKING:
    from pathfinder.landscape.data.layer import Layer


MAX_ZOOM = 8.0


class Ground(StrEnum):
    """The ground beneath the layers. Both kinds show the same density."""

    DENSITY = "density"
    """Night sky: the more papers, the brighter."""
    RELIEF = "relief"
    """World map: sea where there are no papers, then coast, plains, hills and mountains."""


class Palette(StrEnum):
    """The colours of the ground and of everything drawn on it."""

    STANDARD = "standard"
    COLOUR_BLIND = "colour-blind"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True)
class MapView:
    """A position on the map: the centre and the zoom. Links contain it as `view`."""

    x: float
    y: float
    zoom: float = 0.0
    """0 shows the whole map; each step halves the visible width."""

    def __post_init__(self) -> None:
        if not (isfinite(self.x) and isfinite(self.y)):
            raise UsageError(f"the centre of a view must be two finite numbers, got {self.x!r},{self.y!r}")
        if not 0 <= self.zoom <= MAX_ZOOM:
            raise UsageError(f"zoom must be 0 to {MAX_ZOOM:g}, got {self.zoom!r}")

    @classmethod
    def read(cls, text: str) -> "MapView":
        """Read a view written as `x,y,zoom`. Raises `UsageError` for any other text."""
        try:
            x, y, zoom = map(float, text.split(","))
        except ValueError:
            example = "4.5,2,1 (the centre and the zoom)"
            raise UsageError(f"a view is three numbers such as {example}, got {text[:80]!r}") from None
        return cls(x, y, zoom)


@dataclass(frozen=True, slots=True)
class Dot:
    """A paper drawn individually: a hit, or a paper that the reader chose."""

    row: int
    x: float
    y: float
    title: str
    """Plain text."""
    year: int | None = None
    rank: int | None = None
    """Rank of a hit, written inside the dot; 1 is the best."""
    outlier: bool | None = None
    live: str | None = None
    """Live sources that found the paper, if it is not in the corpus; otherwise `None`."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """Everything that is drawn together on the map of a corpus."""

    ground: Ground = Ground.DENSITY
    palette: Palette = Palette.STANDARD
    view: MapView | None = None
    """`None` for the whole map."""
    layers: "tuple[Layer, ...]" = ()
    dots: tuple[Dot, ...] = ()
    region: Region | None = None
    years: tuple[int, int] | None = None
    """First and last year, both inclusive, of the papers drawn as points and in the heatmap of years; `None` for all.
    """
    shows_labels: bool = True


# The hits of a search as dots on the map.


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
