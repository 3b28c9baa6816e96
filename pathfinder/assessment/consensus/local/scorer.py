"""The fitted guess: which stance the features of a paper look like. `benchmarks/consensus.py` fits and measures it.

Logistic regression over standardised features, three classes of equal weight, fitted on claims of biomedicine with the
abstracts that they cite (SciFact, arXiv:2004.14974). It was not measured on astronomy. `benchmarks/CONSENSUS.md`
has how often it is right: too seldom for a level, so that what it says is shown as a guess and counted nowhere.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np

from pathfinder.assessment.consensus.local.features import FEATURES, content_stems, features_of
from pathfinder.assessment.features import WordCounts
from pathfinder.corpus.sentences import split_sentences
from pathfinder.errors import UsageError
from pathfinder.models.ports import Embedder
from pathfinder.types import Floats, Paper, StanceLabel

MODEL_FILE = "model.json"
FITTED_FOR = "local:all-MiniLM-L6-v2"
"""The embedder whose cosines it was fitted on."""


@dataclass(frozen=True, slots=True)
class Guess:
    """What a paper may say of a statement."""

    paper: Paper
    label: StanceLabel
    """Never mixed: no example of that was learned from."""
    sentence: str
    """Of the paper, verbatim: the nearest to the statement."""


@dataclass(frozen=True, slots=True)
class StanceModel:
    """One score a class: `intercept + weights . (features - centres) / scales`; the highest wins."""

    classes: tuple[StanceLabel, ...]
    centres: Floats
    scales: Floats
    weights: Floats
    """Shape (classes, features)."""
    intercepts: Floats

    def label(self, features: Floats) -> StanceLabel:
        """The class of one paper's features, shape (n,)."""
        scores = self.weights @ ((features - self.centres) / self.scales) + self.intercepts
        return self.classes[int(np.argmax(scores))]


@lru_cache(maxsize=1)
def fitted_model() -> StanceModel:
    """The model that comes with the package."""
    record = json.loads(resources.files(__package__).joinpath(MODEL_FILE).read_text(encoding="utf-8"))
    if tuple(record["features"]) != FEATURES:
        raise ValueError(f"{MODEL_FILE} was fitted on other features: fit it again with benchmarks/consensus.py")
    numbers = (np.array(record[name], dtype=np.float64) for name in ("centres", "scales", "weights", "intercepts"))
    return StanceModel(tuple(StanceLabel(name) for name in record["classes"]), *numbers)


def guess_stances(statement: str, papers: Sequence[Paper], embedder: Embedder, counts: WordCounts) -> tuple[Guess, ...]:
    """Guess what each of `papers` says of `statement`, in their order; `counts` tells how rare a word is.

    Raises `UsageError` for an embedder that the model was not fitted on, and for an empty statement.
    """
    if embedder.name != FITTED_FOR:
        raise UsageError(f"stances are guessed with {FITTED_FOR} only, and this corpus has {embedder.name}")
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
        features, best = features_of(statement, each, cosines, rarity)
        guesses.append(Guess(paper, model.label(features), each[best]))
    return tuple(guesses)


def rarity_of(statement: str, counts: WordCounts) -> dict[str, float]:
    """How rare each content word of `statement` is: `log(1 + n / (1 + papers that hold it))`."""
    asked = sorted(content_stems(statement))
    held = counts.document_frequencies(asked)
    return {word: float(np.log1p(len(counts) / (1 + n))) for word, n in zip(asked, held, strict=True)}
