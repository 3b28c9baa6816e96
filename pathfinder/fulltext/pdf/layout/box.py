"""A rectangle on a page."""

from typing import NamedTuple


class Box(NamedTuple):
    """A rectangle on a page [points from its top left corner]."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """Height of the rectangle [points]."""
        return self.bottom - self.top

    @property
    def width(self) -> float:
        """Width of the rectangle [points]."""
        return self.right - self.left

    def union(self, other: "Box") -> "Box":
        """Return the smallest rectangle around this and `other`."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )
