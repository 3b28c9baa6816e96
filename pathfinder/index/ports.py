"""What retrieval asks of an index, so that a server engine can stand where a file stands today."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pathfinder.models.ports import Vectors
from pathfinder.types import Expansion, Floats, Rows

Allowed = NDArray[np.bool_] | None
"""Which papers may be found, shape (n_papers,); `None`: all."""


class Ranking(NamedTuple):
    """Papers found by one index, best first."""

    rows: Rows
    scores: Floats


class VectorIndex(Protocol):
    """Finds papers by the direction of their vectors."""

    def search(self, vector: NDArray[np.float32], n: int, allowed: Allowed = None) -> Ranking:
        """The `n` allowed papers of highest cosine similarity to the unit `vector`."""

    def lowest(self, vector: NDArray[np.float32], allowed: Allowed = None) -> float:
        """The lowest cosine similarity to `vector` among the allowed papers; 0 when there is none."""

    def vectors(self, rows: Rows) -> Vectors:
        """The vectors of `rows`, shape (len(rows), dimension)."""


class WordIndex(Protocol):
    """Finds papers by the words they hold."""

    def search(self, text: str, n: int, allowed: Allowed = None, expansions: Sequence[Expansion] = ()) -> Ranking:
        """At most `n` allowed papers that hold a content word of `text`; scores are above 0.

        A paper with another name of a term, from `expansions`, is found too, below one with the term itself.
        """

    def content_words(self, text: str) -> tuple[str, ...]:
        """The words that `search` looks for, as stems."""


NO_HITS = Ranking(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64))


def best(rows: Rows, scores: Floats, n: int) -> Ranking:
    """The `n` highest scores, best first; equal scores in the order of the corpus."""
    if len(scores) > n:
        threshold = np.partition(scores, len(scores) - n)[len(scores) - n]
        keep = scores >= threshold
        rows, scores = rows[keep], scores[keep]
    order = np.lexsort((rows, -scores))[:n]
    return Ranking(rows[order], scores[order])
