"""The ports of the indexes: everything that retrieval needs from an index, so that a server engine can take its place.

Filters are predicates (`predicate.py`), which name papers by id, and scores are absolute: a cosine or a BM25 score does
not depend on the other hits. A row is the number of a paper in the corpus; a server stores it with the paper, to return
it with a hit. The embedded engine consists of `dense.py`, `sparse.py`, `passages.py` and `tokens.py`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.predicate import EVERY_PAPER, PaperColumns, Predicate
from pathfinder.models.ports import Vectors
from pathfinder.types import Expansion, Floats, Rows


class Ranking(NamedTuple):
    """Papers found by one index, best first."""

    rows: Rows
    scores: Floats


NO_HITS = Ranking(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float64))


class VectorIndex(Protocol):
    """Finds papers by the direction of their vectors."""

    def __len__(self) -> int:
        """Number of papers."""

    @property
    def dimension(self) -> int:
        """Length of every vector."""

    @property
    def method(self) -> str:
        """Description of how vectors are compared, for the badge of a stage."""

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        """Return the `n` papers with the highest cosine similarity to the unit `vector`, among those that satisfy
        `predicate`; scores are in [-1, 1].
        """

    def vectors(self, rows: Rows) -> Vectors:
        """Return the vectors of `rows`, shape (len(rows), dimension)."""

    def cosines(self, rows: Rows, vector: NDArray[np.float32]) -> Floats:
        """Return the cosine similarity of each of `rows` to the unit `vector`, without returning their vectors."""


class WordStatistics(Protocol):
    """Word counts of a corpus."""

    def __len__(self) -> int:
        """Number of papers."""

    def content_words(self, text: str) -> tuple[str, ...]:
        """Return the stems of the words in `text` that are searched for, without duplicates, in order."""

    def document_frequencies(self, content_words: Sequence[str]) -> NDArray[np.int64]:
        """Return the number of papers with each stem, shape (len(content_words),)."""


class WordIndex(WordStatistics, Protocol):
    """Finds papers by the words they contain."""

    @property
    def language(self) -> str | None:
        """Language of the corpus, such as "English"; `None` if it is unknown."""

    @property
    def has_keywords(self) -> bool:
        """True if words are also sought in the keywords that sources give for papers."""

    def method(self, expansions: Sequence[Expansion] = ()) -> str:
        """Describe, for the badge of a stage, how words are compared in a search with these `expansions`."""

    def search(
        self, text: str, n: int, predicate: Predicate = EVERY_PAPER, expansions: Sequence[Expansion] = ()
    ) -> Ranking:
        """Return at most `n` papers that satisfy `predicate` and contain a content word of `text`, ranked by BM25;
        scores are above 0.

        A paper with a synonym of a term, from `expansions`, is also found, but ranks below a paper with the term
        itself.
        """

    def only(self, rows: Rows, texts: Iterable[str], columns: PaperColumns | None = None) -> "WordIndex":
        """Return an index of only the papers at `rows` (ascending), as if it had been made from their `texts`. Raises
        `UsageError` if papers were added to the index for a single search.
        """

    def foreign_language(self, text: str) -> str | None:
        """Return the language of `text` if its words show that it differs from that of the corpus; otherwise `None`."""

    def share_of_words(self, content_words: Sequence[str], rows: Rows) -> Floats:
        """Return the fraction of `content_words` (stems) in each of the papers at `rows`: shape (len(rows),), in [0,
        1].
        """


class PassageVectors(Protocol):
    """Finds passages by the direction of their vectors. A place is a passage's position in the index."""

    def __len__(self) -> int:
        """Number of papers."""

    @property
    def n_places(self) -> int:
        """Number of passages."""

    @property
    def method(self) -> str:
        """Description of how vectors are compared, for the badge of a stage."""

    def search(self, vector: NDArray[np.float32], n: int, predicate: Predicate = EVERY_PAPER) -> Ranking:
        """Return the places of the `n` passages with the highest cosine similarity to `vector`, among papers that
        satisfy `predicate`.
        """

    def papers_of(self, places: Rows) -> Rows:
        """Return the row of each passage's paper."""

    def places_of(self, rows: Rows) -> tuple[Rows, Rows]:
        """Return the places of all passages of `rows`, paper by paper, and for each the position of its paper in
        `rows`.
        """

    def vectors_at(self, places: Rows) -> Vectors:
        """Return the vectors of the passages at `places`, shape (len(places), dimension)."""

    def cosines_at(self, places: Rows, vector: NDArray[np.float32]) -> Floats:
        """Return the cosine similarity of each passage at `places` to the unit `vector`."""

    def spans_at(self, places: Rows) -> NDArray[np.int32]:
        """Return the spans `abstract[start:end]` of the passages at `places`, shape (len(places), 2)."""


class Tokens(NamedTuple):
    """The tokens of one or more papers."""

    vectors: NDArray[np.float32]
    """Vectors of approximately unit length, shape (n, d)."""
    ids: NDArray[np.int32]
    """Index of each token in the model's vocabulary, shape (n,)."""
    sentences: NDArray[np.int32]
    """Sentence that each token belongs to: 0 for the title, 1 or more for the abstract; shape (n,)."""
    offsets: NDArray[np.int64]
    """Index of each paper's first token, followed by the total number of tokens, shape (n_papers + 1,)."""


class TokenSource(Protocol):
    """Holds the vectors of the papers' tokens."""

    def gather(self, rows: Rows) -> Tokens:
        """Return the tokens of the papers at `rows`, in that order, one paper after another."""

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Project a model's token vectors, shape (n, dimension), to the vectors that are compared, shape (n, d)."""


def cosines(vectors: Vectors, vector: NDArray[np.float32]) -> Floats:
    """Return the scalar product of each of `vectors` with `vector`."""
    # Without `@`: for so few rows, a second thread costs more than it saves, especially on a busy machine.
    products: Floats = np.einsum("ij,j->i", vectors, vector, dtype=np.float64)
    return products


def best(rows: Rows, scores: Floats, n: int) -> Ranking:
    """Return the `n` highest scores, best first; papers with equal scores stay in the order of the corpus."""
    if len(scores) > n:
        threshold = np.partition(scores, len(scores) - n)[len(scores) - n]
        keep = scores >= threshold
        rows, scores = rows[keep], scores[keep]
    order = np.lexsort((rows, -scores))[:n]
    return Ranking(rows[order], scores[order])


def places_of(starts: NDArray[np.integer], rows: Rows | NDArray[np.int32]) -> tuple[Rows, Rows]:
    """Return the places of the entries of `rows`, one row after another, and for each entry the position of its row
    in `rows`. Entries are stored row after row, with any number of them per row.

    `starts` has the first entry of each row, followed by the total number of entries.
    """
    first = starts[rows].astype(np.int64)
    lengths = starts[rows + 1] - first
    owners = np.repeat(np.arange(len(rows)), lengths)
    within = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return first[owners] + within, owners
