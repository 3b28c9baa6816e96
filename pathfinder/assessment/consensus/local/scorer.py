"""The fitted model that guesses a paper's stance from its predictors. `benchmarks/consensus.py` fits and evaluates it.

It is a logistic regression over standardised predictors, with three classes of equal weight, fitted on biomedical
claims and the abstracts that they cite (SciFact, arXiv:2004.14974). It was not evaluated on astronomy.
`benchmarks/CONSENSUS.md` reports its accuracy, which is too low for a consensus level, so its stances are shown as
guesses and never counted.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np

from pathfinder.assessment.consensus.local.predictors import PREDICTORS, content_stems, predictors_of
from pathfinder.errors import UsageError
from pathfinder.index.ports import WordStatistics
from pathfinder.models.ports import Embedder
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Floats, Paper, StanceLabel

MODEL_FILE = "model.json"
FITTED_FOR = "local:all-MiniLM-L6-v2"
"""Embedder on whose cosines the model was fitted."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess at a paper's stance on a statement."""

    paper: Paper
    label: StanceLabel
    """Guessed stance; never mixed, because the training data has no such example."""
    sentence: str
    """The paper's sentence that is closest to the statement, verbatim."""


@dataclass(frozen=True, slots=True)
class StanceModel:
    """A linear score for each class, `intercept + weights . (predictors - centres) / scales`; the highest wins."""

    classes: tuple[StanceLabel, ...]
    centres: Floats
    scales: Floats
    weights: Floats
    """Shape (classes, predictors)."""
    intercepts: Floats

    def label(self, predictors: Floats) -> StanceLabel:
        """Return the class predicted from one paper's predictors, shape (n,)."""
        scores = self.weights @ ((predictors - self.centres) / self.scales) + self.intercepts
        return self.classes[int(np.argmax(scores))]


@lru_cache(maxsize=1)
def fitted_model() -> StanceModel:
    """Return the model that ships with the package."""
    record = json.loads(resources.files(__package__).joinpath(MODEL_FILE).read_text(encoding="utf-8"))
    if tuple(record["features"]) != PREDICTORS:
        raise ValueError(f"{MODEL_FILE} was fitted on different predictors: fit it again with benchmarks/consensus.py")
    numbers = (np.array(record[name], dtype=np.float64) for name in ("centres", "scales", "weights", "intercepts"))
    return StanceModel(tuple(StanceLabel(name) for name in record["classes"]), *numbers)


def guess_stances(
    statement: str, papers: Sequence[Paper], embedder: Embedder, counts: WordStatistics
) -> tuple[Guess, ...]:
    """Guess the stance of each of `papers` on `statement`, in the same order; `counts` gives the rarity of words.

    Raises `UsageError` for an embedder on which the model was not fitted, and for an empty statement.
    """
    if embedder.name != FITTED_FOR:
        raise UsageError(f"stances can be guessed only with {FITTED_FOR}, but this corpus uses {embedder.name}")
    if not statement.strip():
        raise UsageError("the statement is empty: write a sentence that a paper can support or refute")
    if not papers:
        return ()
    model, rarity = fitted_model(), rarity_of(statement, counts)
    (direction,) = embedder.embed([statement], "query")
    sentences = [(paper.title, *split_sentences(paper.abstract)) for paper in papers]
    vectors = embedder.embed([sentence for each in sentences for sentence in each], "document")
    guesses, start = [], 0
    for paper, each in zip(papers, sentences, strict=True):
        cosines = np.asarray(vectors[start : start + len(each)] @ direction, dtype=np.float64)
        start += len(each)
        predictors, best = predictors_of(statement, each, cosines, rarity)
        guesses.append(Guess(paper, model.label(predictors), each[best]))
    return tuple(guesses)


def rarity_of(statement: str, counts: WordStatistics) -> dict[str, float]:
    """Return the rarity of each content word of `statement`: `log(1 + n / (1 + n_w))` for a word in `n_w` of the `n`
    papers.
    """
    stems = sorted(content_stems(statement))
    frequencies = counts.document_frequencies(stems)
    return {word: float(np.log1p(len(counts) / (1 + n))) for word, n in zip(stems, frequencies, strict=True)}
