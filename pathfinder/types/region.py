"""A part of the map, drawn by a reader: a lasso, or a box, which is a lasso of four corners."""

from dataclasses import dataclass
from math import isfinite

from pathfinder.errors import UsageError

MIN_CORNERS, MAX_CORNERS = 3, 200


@dataclass(frozen=True, slots=True)
class Region:
    """A polygon in the coordinates of the corpus's map; its last corner is joined to its first."""

    corners: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        if not MIN_CORNERS <= len(self.corners) <= MAX_CORNERS:
            raise UsageError(
                f"a region of the map has {MIN_CORNERS} to {MAX_CORNERS} corners, got {len(self.corners)}: "
                "draw it again, or name a box by its two corners"
            )
        if not all(len(corner) == 2 and all(_is_number(x) for x in corner) for corner in self.corners):
            raise UsageError(f"each corner of a region is two numbers, got {self.corners!r}")

    @classmethod
    def box(cls, left: float, bottom: float, right: float, top: float) -> "Region":
        """The region between two corners of the map."""
        return cls(((left, bottom), (right, bottom), (right, top), (left, top)))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
