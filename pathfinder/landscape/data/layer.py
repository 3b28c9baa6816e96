"""Everything that is drawn over the ground of the map, as plain data that the canvas, picture files and tables can all
read.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, with_config

from pathfinder.landscape.density import Grid
from pathfinder.types import Floats

_STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
"""Configuration for types that are read from disk."""


@dataclass(frozen=True, slots=True, eq=False)
class Heatmap:
    """A value for each cell of a grid, drawn in one colour: the higher the value, the more opaque."""

    grid: Grid
    values: Floats
    """Values in [0, 1], shape (n_rows, n_columns), the top of the map first; NaN where nothing is drawn."""
    colour: str
    """The colour of the value 1, as `#rrggbb`."""
    title: str
    """Its name in the legend."""
    low: str = ""
    """The meaning of the value 0, such as "no more than elsewhere"."""
    high: str = ""
    """The meaning of the value 1, such as "8 times as many as elsewhere"."""
    may_be_chance: bool = False
    """True if this heatmap shows, in a faint colour, where a difference is not significant; another heatmap of the
    layer shows where it is significant.
    """


class Dash(StrEnum):
    """Dash patterns, which distinguish lines of the same colour."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"

    @property
    def pixels(self) -> tuple[float, ...]:
        """Alternating lengths of dashes and gaps in pixels; empty for a solid line."""
        return {Dash.SOLID: (), Dash.DASHED: (7.0, 4.0), Dash.DOTTED: (2.0, 3.0)}[self]


@dataclass(frozen=True, slots=True, eq=False)
class MapLine:
    """A line in the coordinates of the map: a contour, or a path with an arrow at its end."""

    points: NDArray[np.float32]
    """The points of the line, shape (n, 2)."""
    colour: str
    title: str = ""
    """Text next to the line and in the legend; lines with the same title share one legend entry."""
    is_path: bool = False
    dash: Dash = Dash.SOLID


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Mark:
    """A single place marked on the map, such as a review, a gap, a bridge or a stop on an author's path."""

    x: float
    y: float
    text: str
    """Plain text, never markup, shown when the pointer is over the mark."""
    colour: str
    title: str = ""
    """The name of this kind of mark in the legend."""
    label: str = ""
    """Text that is always written next to the mark, such as its number in a ranked table."""
    row: int | None = None
    """The paper in the corpus that the mark represents, if any."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Column:
    """A column of a layer's table."""

    title: str
    note: str = ""
    """Its meaning, with unit and range."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class Table:
    """A ranked table that belongs to a layer. Values are text, numbers or `None` for unknown values."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str | float | int | None, ...], ...]

    @property
    def places(self) -> tuple[tuple[float, float] | None, ...]:
        """The place of each row on the map, from its columns "x" and "y"; `None` where these are missing or empty."""
        titles = [column.title for column in self.columns]
        if not {"x", "y"} <= set(titles):
            return (None,) * len(self.rows)
        return tuple(_place(row[titles.index("x")], row[titles.index("y")]) for row in self.rows)


def _place(x: str | float | None, y: str | float | None) -> tuple[float, float] | None:
    return (float(x), float(y)) if isinstance(x, float | int) and isinstance(y, float | int) else None


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One layer: what is drawn, with its description and its table."""

    slug: str
    """Its name in links and on the command line: "growth" or, for a layer that offers a choice, "mission:jwst"."""
    title: str
    description: str
    """One or two sentences about what it shows and how it was computed, with the test and its significance level, if
    any.
    """
    heatmaps: tuple[Heatmap, ...] = ()
    lines: tuple[MapLine, ...] = ()
    marks: tuple[Mark, ...] = ()
    table: Table | None = None
    notes: tuple[str, ...] = ()
    """Notes on what could not be counted, and why."""


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class UnavailableLayer:
    """A layer that is not available for this corpus."""

    slug: str
    title: str
    reason: str
    """The reason and the remedy: "no reviews: build with --reviews FILE"."""


@dataclass(frozen=True, slots=True)
class LayerInfo:
    """A layer that can be switched on."""

    slug: str
    title: str
    description: str
    """One sentence about what it shows."""
    group: str = ""
    """Heading under which it is listed, such as "Missions in space"."""
    n_papers: int | None = None
    """The number of papers that it covers; `None` if no such number makes sense."""
    choice: str = ""
    """Description of what a reader must put after a colon in the slug, for example "a name, such as Smith, J"; empty if
    there is nothing to choose.
    """


SERIES = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#d55e00", "#cc79a7", "#0072b2",
    "#b3de69", "#bc80bd", "#fb8072", "#80b1d3", "#fdb462",
)  # fmt: skip
"""Colours that can be distinguished with every kind of colour vision: seven from Okabe and Ito (2008), then five of
different lightness.
"""

RISING, FALLING = "#e69f00", "#56b4e9"
WARNING, CALM, PAST = "#d55e00", "#56b4e9", "#9aa3b5"
HIT, OUTLIER, LIVE = "#56b4e9", "#d55e00", "#009e73"


def colour_of(place: int) -> str:
    """Return the colour of the layer at `place` in a list; the colours repeat after twelve."""
    return SERIES[place % len(SERIES)]


def dash_of(place: int) -> Dash:
    """Return the dash pattern of the line at `place` in a list; lines of the same colour differ until the patterns
    repeat as well.
    """
    dashes = tuple(Dash)
    return dashes[place // len(SERIES) % len(dashes)]
