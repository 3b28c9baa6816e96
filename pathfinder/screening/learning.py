"""The linear model of a screening, fitted to the papers that are in and out.

The question counts as a paper that is in, and a few undecided papers, drawn at random, count as out: without them, the
model would know only papers near the top of the ranking (AutoTAR; Cormack & Grossman 2015, arXiv:1504.06868). The model
is a logistic regression over TF-IDF and vectors; both classes have the same weight.

The three constants were chosen on questions made from arXiv's keywords and categories, not on the collections in
benchmarks/SCREENING.md.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression

from pathfinder.screening.pool import ScreeningPool
from pathfinder.types import Floats, Rows

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
