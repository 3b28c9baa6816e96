"""A scene: everything that is drawn at once, whoever draws it (the canvas of a page, a picture file, an HTML file)."""

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite
from typing import TYPE_CHECKING

from pathfinder.errors import UsageError
from pathfinder.types import Region

if TYPE_CHECKING:  # the command line reads the names of grounds and palettes before it knows what it is to do
    from pathfinder.landscape.layer import Layer

MAX_ZOOM = 8.0


class Ground(StrEnum):
    """What the layers lie on. Both are made of the same density."""

    DENSITY = "density"
    """Night sky: the more papers, the brighter."""
    RELIEF = "relief"
    """World map: sea where nobody works, coast, plains, hills, mountains."""


class Palette(StrEnum):
    """The colours of the ground and of what lies on it."""

    STANDARD = "standard"
    COLOUR_BLIND = "colour-blind"
    CONTRAST = "contrast"


@dataclass(frozen=True, slots=True)
class View:
    """What is in sight: the middle, and how often the whole extent was halved to it."""

    x: float
    y: float
    zoom: float = 0.0
    """0 shows the whole map; each step halves what is seen."""

    def __post_init__(self) -> None:
        if not (isfinite(self.x) and isfinite(self.y)):
            raise UsageError(f"the middle of a view lies on the map, got {self.x!r},{self.y!r}")
        if not 0 <= self.zoom <= MAX_ZOOM:
            raise UsageError(f"zoom lies in 0..{MAX_ZOOM:g}, got {self.zoom!r}")

    @classmethod
    def read(cls, text: str) -> "View":
        """A view written as `x,y,zoom`. Raises `UsageError` for another text."""
        try:
            x, y, zoom = map(float, text.split(","))
        except ValueError:
            example = "4.5,2,1 (the middle and the zoom)"
            raise UsageError(f"a view is three numbers such as {example}, got {text[:80]!r}") from None
        return cls(x, y, zoom)


@dataclass(frozen=True, slots=True)
class Dot:
    """A paper that is drawn as itself: a hit, or one of a shelf."""

    row: int
    x: float
    y: float
    title: str
    """As text."""
    year: int | None = None
    rank: int | None = None
    """Of a hit, 1 is the best; written into the dot."""
    outlier: bool | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What is drawn over the atlas of one corpus."""

    ground: Ground = Ground.DENSITY
    palette: Palette = Palette.STANDARD
    view: View | None = None
    """`None`: the whole map."""
    layers: "tuple[Layer, ...]" = ()
    dots: tuple[Dot, ...] = ()
    region: Region | None = None
    years: tuple[int, int] | None = None
    """Only papers of these years, both inclusive, are drawn as points and as the veil of years."""
    shows_labels: bool = True
