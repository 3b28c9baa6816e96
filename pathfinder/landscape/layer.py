"""What lies over the ground of the map: plain data, which a canvas, a picture file and a table draw alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, with_config

from pathfinder.landscape.grid import Grid
from pathfinder.types import Floats

_STRICTLY = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
"""How those are read that lie on disk."""


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A value for each cell of a grid, drawn as a veil of one colour, the thicker the higher."""

    grid: Grid
    values: Floats
    """In [0, 1], shape (n_rows, n_columns), the top of the map first; NaN where there is nothing to say."""
    colour: str
    """`#rrggbb`, of the value 1."""
    title: str
    """What the legend calls it."""
    low: str = ""
    """What 0 means, in words with a unit, such as "no more than elsewhere"."""
    high: str = ""
    """What 1 means, such as "8 times as many as elsewhere"."""


class Dash(StrEnum):
    """How a line is drawn, so that two of one colour are told apart."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"

    @property
    def pixels(self) -> tuple[float, ...]:
        """How long it is drawn and then left out, and so on; of a solid line nothing."""
        return {Dash.SOLID: (), Dash.DASHED: (7.0, 4.0), Dash.DOTTED: (2.0, 3.0)}[self]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A line in the coordinates of the map: a contour, or a path with an arrow at its end."""

    points: NDArray[np.float32]
    """Shape (n, 2)."""
    colour: str
    title: str = ""
    """Written beside it, and in the legend; the lines of one title are one entry there."""
    is_path: bool = False
    dash: Dash = Dash.SOLID


@with_config(_STRICTLY)
@dataclass(frozen=True, slots=True)
class Mark:
    """A place of its own: a review, a gap, a bridge, a stop on an author's path."""

    x: float
    y: float
    text: str
    """As text, never as markup: shown where it is pointed at."""
    colour: str
    title: str = ""
    """What the legend calls its kind."""
    label: str = ""
    """Written beside it at once, such as a number of a ranked table."""
    row: int | None = None
    """The paper of the corpus that it stands for, if one."""


@with_config(_STRICTLY)
@dataclass(frozen=True, slots=True)
class Column:
    """A column of a layer's table."""

    title: str
    note: str = ""
    """What it is, with its unit and range."""


@with_config(_STRICTLY)
@dataclass(frozen=True, slots=True)
class Table:
    """A ranked table that belongs to a layer. Values are text, numbers or `None` for what is not known."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str | float | int | None, ...], ...]

    @property
    def places(self) -> tuple[tuple[float, float] | None, ...]:
        """Where each row lies on the map, by its columns "x" and "y"; `None` where they are not or say nothing."""
        titles = [column.title for column in self.columns]
        if not {"x", "y"} <= set(titles):
            return (None,) * len(self.rows)
        return tuple(_place(row[titles.index("x")], row[titles.index("y")]) for row in self.rows)


def _place(x: str | float | None, y: str | float | None) -> tuple[float, float] | None:
    return (float(x), float(y)) if isinstance(x, float | int) and isinstance(y, float | int) else None


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One layer, as it is drawn and told."""

    slug: str
    """What a link and the command line call it: "growth", or with what is chosen, "mission:jwst"."""
    title: str
    says: str
    """What it shows and how it was counted, in one or two sentences, with the test and its level where there is one."""
    cells: tuple[Cells, ...] = ()
    lines: tuple[Line, ...] = ()
    marks: tuple[Mark, ...] = ()
    table: Table | None = None
    notes: tuple[str, ...] = ()
    """What could not be counted, and why."""


@with_config(_STRICTLY)
@dataclass(frozen=True, slots=True)
class Absent:
    """A layer that this corpus does not have."""

    slug: str
    title: str
    why: str
    """With the way to get it: "no reviews were given: build with --reviews FILE"."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A layer that can be switched on."""

    slug: str
    title: str
    says: str
    """In a sentence, what it shows."""
    group: str = ""
    """Layers of one group belong together in a list: "Missions in space"."""
    n_papers: int | None = None
    """How many papers it is about; `None` where that is no question."""
    needs: str = ""
    """What a reader has to add to the slug, after a colon: "a name, such as Riess, A"; empty: nothing."""


def kinds(slugs: Sequence[str]) -> tuple[str, ...]:
    """The kinds among `slugs`, each once: "mission" of "mission:jwst" and "mission:gaia"."""
    return tuple(dict.fromkeys(slug.partition(":")[0] for slug in slugs))
