"""What a picture is made of once it has been laid out: shapes in pixels, which a PNG and an SVG draw alike."""

from dataclasses import dataclass
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from pathfinder.types import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Veil:
    """A small picture with transparency, stretched over a rectangle."""

    left: float
    top: float
    width: float
    height: float
    rgba: NDArray[np.uint8]
    """Shape (lines, columns, 4)."""
    title: str


@dataclass(frozen=True, slots=True, eq=False)
class Stroke:
    """A line through points, closed or open, with an arrow at its end or without."""

    points: Floats
    """Shape (n, 2)."""
    colour: str
    width: float
    title: str = ""
    has_arrow: bool = False
    is_closed: bool = False
    dashes: tuple[float, ...] = ()
    """Pixels that are drawn and left out, in turn; none: all is drawn."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A disc, or a diamond for what stands apart."""

    x: float
    y: float
    radius: float
    colour: str
    edge: str
    """Of the line around it; empty: none."""
    title: str = ""
    is_diamond: bool = False
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text. `x` and `y` are its middle, or its left end at half its height."""

    x: float
    y: float
    text: str
    size: float
    """Of the font, in pixels."""
    colour: str
    halo: str = ""
    """A line of this colour around each letter; empty: none."""
    is_centred: bool = True


Item: TypeAlias = Veil | Stroke | Spot | Box | Words
NAMES = ", ".join(kind.__name__ for kind in get_args(Item))
"""Of the kinds of items, for whoever is given something else."""
