"""A part of the map drawn by a reader: a lasso, or a box, which is a lasso with four corners."""

import sys
from dataclasses import dataclass

from pathfinder.errors import UsageError

MIN_CORNERS, MAX_CORNERS = 3, 200
BOX_CORNERS = 2
"""Number of corners that define a box: any two opposite ones."""


@dataclass(frozen=True, slots=True)
class Region:
    """A polygon in the coordinates of the corpus's map; its last corner is joined to its first."""

    corners: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        if not MIN_CORNERS <= len(self.corners) <= MAX_CORNERS:
            raise UsageError(
                f"a region of the map must have {MIN_CORNERS} to {MAX_CORNERS} corners, got {len(self.corners)}: "
                "draw it again, or give two corners of a box"
            )
        if not all(len(corner) == 2 and all(map(is_number, corner)) for corner in self.corners):
            raise UsageError(f"each corner of a region must be two numbers, got {self.corners!r}")

    @classmethod
    def box(cls, left: float, bottom: float, right: float, top: float) -> "Region":
        """Make a rectangular region from its edges, in map coordinates."""
        return cls(((left, bottom), (right, bottom), (right, top), (left, top)))

    @classmethod
    def read(cls, text: str) -> "Region":
        """Read a region as written in a link or a command, `x,y;x,y;x,y`; two corners define a box.

        Raises `UsageError` for any other form.
        """
        corners: list[tuple[float, float]] = []
        for part in filter(str.strip, text.split(";")):
            try:
                x, y = map(float, part.split(","))
            except ValueError:
                raise UsageError(
                    f"a corner of a region must be two numbers, such as 1.5,-2, got {part.strip()[:80]!r}"
                ) from None
            corners.append((x, y))
        return cls.box(*corners[0], *corners[1]) if len(corners) == BOX_CORNERS else cls(tuple(corners))

    @property
    def text(self) -> str:
        """The region in the format that `read` accepts."""
        return ";".join(f"{_in_short(x)},{_in_short(y)}" for x, y in self.corners)


def _in_short(number: float) -> str:
    return repr(float(number)).removesuffix(".0")


def is_number(value: object) -> bool:
    """Return whether `value` is a finite number that a float can hold; `True` and `False` do not count as numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
