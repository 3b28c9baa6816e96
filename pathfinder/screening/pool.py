"""The papers of a screening as numbers: their words, their vectors, and their order in the question's ranking."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfVectorizer

from pathfinder.errors import UsageError
from pathfinder.types import Floats, Rows

_WORD = r"(?u)\b[^\W\d_][\w-]+\b"
"""A word: a letter, then letters, digits and hyphens; bare numbers carry no weight in a screening."""


@dataclass(frozen=True, slots=True, eq=False)
class ScreeningPool:
    """The papers to be screened, in any order; a row is a paper's number in this order. Row n is the question."""

    paper_ids: tuple[str, ...]
    words: csr_matrix
    """TF-IDF of the words of each paper and, in the last row, of the question: shape (n + 1, n_words), rows of length
    1, or 0 for a text without words.
    """
    vocabulary: tuple[str, ...]
    """Word of each column of `words`."""
    vectors: NDArray[np.float32]
    """Unit vector of each paper and, in the last row, of the question: shape (n + 1, dimension)."""
    ranking: Rows
    """Rows of all papers in the order of the question's ranking, best first: shape (n,)."""

    def __len__(self) -> int:
        return len(self.paper_ids)

    def prior(self) -> Floats:
        """Return 1 for the paper that the question ranks first, falling evenly to 0 for the last: shape (n,)."""
        prior = np.empty(len(self), dtype=np.float64)
        prior[self.ranking] = np.linspace(1.0, 0.0, len(self))
        return prior


def make_pool(
    paper_ids: Sequence[str],
    texts: Sequence[str],
    vectors: NDArray[np.float32],
    question: str,
    question_vector: NDArray[np.float32],
    ranking: Rows,
) -> ScreeningPool:
    """Make the pool of papers with these `texts` and unit `vectors`, shape (n, dimension).

    `ranking` lists every row once, best first. Raises `UsageError` for fewer than two papers, or for a ranking that
    leaves a paper out.
    """
    n = len(paper_ids)
    if n < 2:
        raise UsageError(f"a screening needs at least 2 papers, got {n}: widen the search")
    if not np.array_equal(np.sort(ranking), np.arange(n)):
        raise UsageError(f"the ranking of a screening must list each of its {n} papers once, but it does not")
    words, vocabulary = _weighted_words([*texts, question])
    all_vectors = np.vstack([vectors, question_vector[np.newaxis]]).astype(np.float32)
    return ScreeningPool(tuple(paper_ids), words, vocabulary, all_vectors, np.asarray(ranking, dtype=np.int64))


def _weighted_words(texts: Sequence[str]) -> tuple[csr_matrix, tuple[str, ...]]:
    """Return the TF-IDF of all texts, with logarithmic counts, and the words of its columns; there are no columns if
    the texts have no words.
    """
    vectorizer = TfidfVectorizer(
        stop_words="english", token_pattern=_WORD, sublinear_tf=True, min_df=min(2, len(texts)), dtype=np.float32
    )
    analyse = vectorizer.build_analyzer()
    if not any(map(analyse, texts)):
        return csr_matrix((len(texts), 0), dtype=np.float32), ()
    words = csr_matrix(vectorizer.fit_transform(texts))
    return words, tuple(vectorizer.get_feature_names_out())


def complete_ranking(first: Rows, vectors: NDArray[np.float32], vector: NDArray[np.float32]) -> Rows:
    """Return all rows of `vectors`, shape (n, dimension): those in `first`, in their order, then the others by their
    cosine to `vector`.
    """
    by_cosine = np.argsort(-(vectors @ vector), kind="stable")
    return np.concatenate([first, by_cosine[~np.isin(by_cosine, first)]]).astype(np.int64)
