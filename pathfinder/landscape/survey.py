"""What layers are counted from: where each paper lies, and what is known of it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.thesaurus import Thesaurus
from pathfinder.index.ports import VectorIndex
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.grid import Grid
from pathfinder.landscape.groups import Groups
from pathfinder.landscape.kept import Kept
from pathfinder.types import Rows

NO_REVIEWS = "no reviews were given: build with --reviews FILE"


@dataclass(frozen=True, slots=True)
class Review:
    """A review article, in the corpus or not."""

    title: str
    year: int | None
    x: float
    y: float
    row: int | None = None
    """Of the corpus; `None`: it is not in it and was placed by the embedding of its title."""
    identifier: str = ""
    """Bibcode, DOI or arXiv id, as its list gave it."""


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """A corpus as layers see it; row i is the same paper everywhere."""

    coordinates: NDArray[np.float32]
    """Shape (n, 2)."""
    papers: PaperTable
    grid: Grid
    cells: Rows
    """The cell of each paper, shape (n,)."""
    this_year: int | None
    """Of the snapshot; `None` where nothing is dated."""
    vectors: NDArray[np.float32] | None = None
    """Unit vectors, shape (n, dimension), where they are at hand."""
    thesaurus: Thesaurus | None = None
    reviews: tuple[Review, ...] | None = None
    """Those that have a place; `None`: the corpus has none."""
    n_reviews_without_place: int = 0
    """Reviews of the list that no paper here is like."""
    reviews_absent: str = NO_REVIEWS
    """Why the corpus has no reviews, where it has none, with the way to them."""
    terms: KeywordIndex | None = None
    """Which papers have which keyword, where it is at hand."""
    meaning: VectorIndex | None = None
    """The vectors of the papers as an index, which reads those that are asked for, where it is at hand."""
    missions: Groups | None = None
    """Papers that name a mission, by its slug, of whatever year; `None`: this corpus is older than its layers."""
    concepts: Groups | None = None
    """Papers with a name of a concept among their keywords, by the concept's id; `None`: there is no thesaurus, or
    this corpus is older than its layers."""
    kept: Kept | None = None
    """Layers that were counted when the corpus was built; `None`: all are counted when they are asked for."""

    @property
    def why_no_reviews(self) -> str:
        """Why no review lies on the map, where none does, with the way to some."""
        if self.reviews is not None and self.n_reviews_without_place:
            n = self.n_reviews_without_place
            listed = "the one review of the list has no place" if n == 1 else f"none of the {n:,} reviews has a place"
            return f"{listed}, for no paper here is like it: build with --reviews FILE, a list of this corpus's field"
        return self.reviews_absent
