"""The papers of a screening as numbers: their words, their vectors, and their order in the question's ranking."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from pathfinder.errors import UsageError
from pathfinder.types import Floats, Rows

_WORD = r"(?u)\b[^\W\d_][\w-]+\b"
"""A word: a letter, then letters, digits and hyphens; bare numbers carry no weight in a screening."""


CONTROL_EVERY = 10
"""Number of papers after which one is drawn at random."""


class Strategy(StrEnum):
    """Papers that are read first."""

    CERTAINTY = "certainty"
    """The papers most likely to be in."""
    UNCERTAINTY = "uncertainty"
    """The papers about which the model is least sure (Lewis & Gale 1994, arXiv:cmp-lg/9407020)."""


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


# The linear model of a screening, fitted to the papers that are in and out.
#
# The question counts as a paper that is in, and a few undecided papers, drawn at random, count as out: without them,
# the model would know only papers near the top of the ranking (AutoTAR; Cormack & Grossman 2015, arXiv:1504.06868).
# The model is a logistic regression over TF-IDF and vectors; both classes have the same weight.
#
# The three constants were chosen on questions made from arXiv's keywords and categories, not on the collections in
# benchmarks/SCREENING.md.

_C = 0.1
"""Inverse strength of the regularisation (L2)."""
_VECTOR_LENGTH = 0.5
"""Length to which a paper's vector is scaled; the TF-IDF of its words has length 1."""
_N_PRESUMED = 100
"""Number of undecided papers that count as out, as in AutoTAR; in a small pool, only a tenth of the undecided papers
do, so that the relevant papers among them weigh little.
"""


@dataclass(frozen=True, slots=True, eq=False)
class FittedModel:
    """A fitted model."""

    scores: Floats
    """Log odds that each paper in the pool is in, up to a constant: shape (n,)."""
    word_weights: Floats
    """Weight of each word in the vocabulary, above 0 if it speaks for a paper: shape (n_words,)."""


@dataclass(frozen=True, slots=True)
class WeighingWord:
    """A word, and how far it moves a paper towards "in" (above 0) or "out" (below 0)."""

    word: str
    weight: float


def fit(pool: ScreeningPool, in_rows: Rows, out_rows: Rows, seed: int = 0) -> FittedModel:
    """Fit the model to the papers that are in and out; the undecided papers that count as out are drawn with
    `seed`.
    """
    undecided_rows = np.setdiff1d(np.arange(len(pool)), np.concatenate([in_rows, out_rows]))
    generator = np.random.default_rng([seed, len(undecided_rows)])
    presumed_rows = generator.choice(undecided_rows, min(_N_PRESUMED, len(undecided_rows) // 10), replace=False)
    positive = np.append(in_rows, len(pool))
    rows = np.concatenate([positive, out_rows, presumed_rows]).astype(np.int64)
    targets = np.arange(len(rows)) < len(positive)
    n_words = len(pool.vocabulary)
    if targets.all():  # every paper is in, so there is nothing to tell apart
        return FittedModel(np.zeros(len(pool)), np.zeros(n_words))
    vectors = _VECTOR_LENGTH * pool.vectors
    examples = hstack([pool.words[rows], csr_matrix(vectors[rows])], format="csr")
    model = LogisticRegression(C=_C, solver="liblinear", class_weight="balanced").fit(examples, targets)
    weights = model.coef_[0]
    scores = pool.words[:-1] @ weights[:n_words] + vectors[:-1] @ weights[n_words:] + model.intercept_[0]
    return FittedModel(np.asarray(scores, dtype=np.float64), np.asarray(weights[:n_words], dtype=np.float64))


def weighing_words(pool: ScreeningPool, model: FittedModel, n: int = 10) -> tuple[WeighingWord, ...]:
    """Return the `n` words that speak most strongly for a paper, strongest first, followed by the `n` that speak most
    strongly against it.
    """
    order = np.argsort(-model.word_weights, kind="stable")
    towards_in = [column for column in order[:n] if model.word_weights[column] > 0]
    towards_out = [column for column in order[::-1][:n] if model.word_weights[column] < 0]
    return tuple(
        WeighingWord(pool.vocabulary[column], float(model.word_weights[column]))
        for column in (*towards_in, *towards_out)
    )


# The order in which the undecided papers of a pool are read.

_PRIOR_WEIGHT = 1.0
"""Lift that the question's ranking gives its first paper over its middle one, in standard deviations of the model's
scores.
"""
_N_IN_TO_HALVE = 50
"""Number of papers that must be in for the question's ranking to count half as much as before any paper is in."""


def reading_order(
    pool: ScreeningPool,
    model: FittedModel | None,
    undecided_rows: Rows,
    n_in: int,
    strategy: Strategy = Strategy.CERTAINTY,
) -> Rows:
    """Order `undecided_rows`, the next to be read first; `n_in` papers are in.

    A model requires at least one paper in and one out; without one (`None`), the order is the question's ranking.
    """
    prior = pool.prior()[undecided_rows]
    if model is None:
        priority = prior
    elif strategy is Strategy.UNCERTAINTY:
        priority = -np.abs(model.scores[undecided_rows])
    else:
        weight = _PRIOR_WEIGHT / (1 + n_in / _N_IN_TO_HALVE)
        scores = model.scores[undecided_rows]
        spread = scores.std() if len(scores) else 0.0
        standardised = (scores - scores.mean()) / spread if spread > 0 else np.zeros_like(scores)
        priority = standardised + weight * (2 * prior - 1)
    return undecided_rows[np.argsort(-priority, kind="stable")]


def control_order(n: int, seed: int) -> Rows:
    """Return all `n` rows in random order: the first ones form the control sample."""
    return np.random.default_rng([seed, n]).permutation(n)


def is_control_turn(n_decided: int, every: int) -> bool:
    """Return whether the next paper, after `n_decided` decisions, is drawn at random: every `every`th one is, or none
    if `every` is 0.
    """
    return every > 0 and (n_decided + 1) % every == 0
