"""The full-text passages found for a question."""

from dataclasses import dataclass

import numpy as np

from pathfinder.types import Floats, Rows

_NO_ROWS: Rows = np.empty(0, dtype=np.int64)
_NO_SCORES: Floats = np.empty(0, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class FoundPassages:
    """Full-text passages found for a question; arrays have shape (n,)."""

    places: Rows
    """Positions in the index, ascending."""
    papers: Rows
    """Row of each passage's paper."""
    cosines: Floats
    """Cosines, in [-1, 1]; NaN if only words were searched."""
    sparse: Floats
    """BM25 scores; NaN for passages that were found by meaning alone."""

    @property
    def rows(self) -> Rows:
        """Rows of the papers to which the passages belong, ascending, each once."""
        return np.unique(self.papers)


NO_PASSAGES = FoundPassages(_NO_ROWS, _NO_ROWS, _NO_SCORES, _NO_SCORES)
