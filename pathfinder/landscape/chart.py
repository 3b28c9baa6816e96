"""What a picture, a summary and a card of the map are made from, beside the scene."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.landscape.atlas import Atlas
from pathfinder.landscape.density import Extent
from pathfinder.landscape.frame import Frame
from pathfinder.types import Floats, Rows

MAX_POINTS = 3000
"""Papers that are drawn as points at once; more are a veil, and the ground shows them better."""


@dataclass(frozen=True, eq=False)
class Chart:
    """A corpus as its map's pictures see it; row i is the same paper everywhere."""

    atlas: Atlas
    coordinates: NDArray[np.float32]
    """Shape (n, 2)."""
    papers: PaperTable

    @property
    def extent(self) -> Extent:
        """The whole map."""
        return self.atlas.grid.extent

    @cached_property
    def years(self) -> Floats:
        """Of each paper; NaN where unknown."""
        return self.papers.years()

    def in_sight(self, frame: Frame, years: tuple[int, int] | None = None) -> Rows:
        """The rows of the papers within a frame, of these years (both inclusive; a paper without a year is of none)."""
        of_years = self.of_years(years)
        return of_years[frame.holds(self.coordinates[of_years])]

    def of_years(self, years: tuple[int, int] | None) -> Rows:
        """The rows of the papers of these years, both inclusive; `None`: of all papers, also those without a year."""
        if years is None:
            return np.arange(len(self.coordinates))
        # A comparison with NaN is false.
        return np.flatnonzero((self.years >= years[0]) & (self.years <= years[1]))

    def sampled(self, rows: Rows, limit: int = MAX_POINTS) -> Rows:
        """At most `limit` of `rows`, evenly over them, the same ones each time."""
        if len(rows) <= limit:
            return rows
        return rows[np.linspace(0, len(rows) - 1, limit).astype(np.int64)]


def papers_in_words(n: int) -> str:
    """Such as "1 paper" or "1,200 papers"."""
    return f"{n:,} {'paper' if n == 1 else 'papers'}"
