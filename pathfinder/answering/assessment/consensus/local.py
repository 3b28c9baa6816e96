"""Stances guessed without a chat model, and never counted: a fitted model guesses a paper's stance from its predictors.

`benchmarks/consensus.py` fits and evaluates the model. It is a logistic regression over standardised predictors, with
three classes of equal weight, fitted on biomedical claims and the abstracts that they cite (SciFact, arXiv:2004.14974).
It was not evaluated on astronomy. `benchmarks/CONSENSUS.md` reports its accuracy, which is too low for a consensus
level, so its stances are shown as guesses.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import UsageError
from pathfinder.index.ports import WordStatistics
from pathfinder.index.words import content_stems
from pathfinder.models.ports import Embedder
from pathfinder.text.sentences import split_sentences
from pathfinder.types import Floats, Paper, SearchResult, Spread, StanceLabel

MODEL_FILE = "local_model.json"
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


# Cheap predictors that show how well a paper's sentences match a statement, and signs that they contradict it.
#
# The score of a sentence is half its cosine with the statement plus half the share of the statement's words in it,
# weighted by rarity. The statement's direction words ("increased", "lower") and negations are compared with those of
# the three highest-scoring sentences.

PREDICTORS = (
    "best cosine",
    "mean cosine of 3",
    "cosine of the title",
    "mean cosine",
    "best coverage",
    "coverage of all",
    "coverage of the title",
    "best worth",
    "best worth over the mean",
    "rarest word missing",
    "negation differs",
    "direction agrees",
    "falls where it should rise",
    "rises where it should fall",
    "direction agrees, by worth",
    "negation agrees, by worth",
    "shared rising words",
    "shared falling words",
    "rising words missing",
    "falling words missing",
    "numbers missing",
)

N_BEST = 3

_NEGATION = re.compile(
    r"\b(?:no|not|never|without|nor|neither|cannot|lack\w*|fail\w*|absen\w+|unaffected|unchanged|independent\w*|"
    r"unrelated|little)\b",
    re.IGNORECASE,
)
_RISES = re.compile(
    r"\b(?:increas|high|elevat|enhanc|promot|activat|up-?regulat|induc|improv|greater|more|rais|stimulat|accelerat|gain|"
    r"positive|strong|requir|essential|necessary|associat|amplif|expand|longer|facilitat|sensitiv|worse)\w*",
    re.IGNORECASE,
)
_FALLS = re.compile(
    r"\b(?:decreas|low|reduc|inhibit|suppress|impair|down-?regulat|loss|less|deficien|block|prevent|diminish|attenuat|"
    r"repress|declin|negative|weak|dispensable|abolish|disrupt|protect|fewer|short|delay|resist|slow|abrogat|delet|"
    r"limit)\w*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_STEM = 6
"""Number of initial letters by which direction words are compared."""


def predictors_of(
    statement: str, sentences: Sequence[str], cosines: Floats, rarity: Mapping[str, float]
) -> tuple[Floats, int]:
    """Compute the `PREDICTORS` of one paper, shape (n,), and the index of its best sentence.

    `sentences` begin with the title; `cosines` compare them with the statement; `rarity` maps the statement's stems to
    their rarity.
    """
    texts = [content_stems(sentence) & rarity.keys() for sentence in sentences]
    coverage = np.array([_share(text, rarity) for text in texts])
    their_words = frozenset().union(*texts)
    worth = 0.5 * cosines + 0.5 * coverage
    best: NDArray[np.intp] = np.argsort(-worth, kind="stable")[:N_BEST]
    match = [
        cosines.max(),
        np.sort(cosines)[-N_BEST:].mean(),
        cosines[0],
        cosines.mean(),
        coverage.max(),
        _share(their_words, rarity),
        coverage[0],
        worth.max(),
        worth.max() - worth.mean(),
        max((rarity[word] for word in rarity.keys() - their_words), default=0.0),
    ]
    otherwise = _otherwise(statement, [sentences[i] for i in best], worth[best])
    return np.array([*match, *otherwise], dtype=np.float64), int(best[0])


def _otherwise(statement: str, best: Sequence[str], worth: Floats) -> list[float]:
    """Return the predictors from "negation differs" onwards."""
    has_negation = [bool(_NEGATION.search(text)) for text in (statement, best[0])]
    direction = np.sign(_direction(statement))
    directions = [float(np.sign(_direction(sentence))) for sentence in best]
    together = " ".join(best)
    (rising, falling), (their_rising, their_falling) = _direction_words(statement), _direction_words(together)
    numbers = set(_NUMBER.findall(statement))
    return [
        has_negation[0] != has_negation[1],
        direction * directions[0],
        (direction > 0) * len(_FALLS.findall(best[0])),
        (direction < 0) * len(_RISES.findall(best[0])),
        direction * float(worth @ np.array(directions)),
        worth[0] if has_negation[0] == has_negation[1] else -worth[0],
        len(rising & their_rising),
        len(falling & their_falling),
        len(rising - their_rising),
        len(falling - their_falling),
        len(numbers - set(_NUMBER.findall(together))) / max(1, len(numbers)),
    ]


def _share(stems: frozenset[str], rarity: Mapping[str, float]) -> float:
    total = sum(rarity.values())
    return sum(rarity[word] for word in stems) / total if total else 0.0


def _direction(text: str) -> int:
    return len(_RISES.findall(text)) - len(_FALLS.findall(text))


def _direction_words(text: str) -> tuple[set[str], set[str]]:
    rising, falling = ({word.lower()[:_STEM] for word in kind.findall(text)} for kind in (_RISES, _FALLS))
    return rising, falling


# Notes on agreement, made without a chat model: how the papers are distributed, and what remains unknown.

MISSING = (
    "Whether the papers agree is unknown: reading what each says for or against a statement needs a chat model, and "
    "none is set."
)


def describe_without_model(result: SearchResult) -> tuple[str, ...]:
    """Describe the relevance, spread and outliers of the hits, and then what cannot be determined."""
    n = len(result.hits)
    if n == 0:
        return ("No papers found.", MISSING)
    if (assessment := result.assessment) is None:
        return (f"The relevance of {_papers(n)} was not assessed.", MISSING)
    bearing = "covers" if assessment.is_relevant else "does not cover"
    spread = _spread(assessment.spread)
    outliers = [str(rank) for rank, hit in enumerate(result.hits, start=1) if hit.outlier]
    if all(hit.outlier is None for hit in result.hits):
        apart = "Too few papers to find outliers."
    else:
        apart = f"Outliers: {', '.join(outliers)}." if outliers else "No outliers."
    return (
        f"The corpus {bearing} the question (relevance {assessment.relevance:.0%}).",
        f"{_papers(n, capital=True)}: {spread}. {apart}",
        MISSING,
    )


def _spread(spread: Spread | None) -> str:
    if spread is None:
        return "too few to see how they are spread"
    return f"they lie {spread.label}" if spread is Spread.BROAD else f"together they are {spread.label}"


def _papers(n: int, *, capital: bool = False) -> str:
    if n == 1:
        return "One paper" if capital else "one paper"
    return f"{n} papers"
