"""Scores the sentences in an abstract as answers to a question, by predictors and a fitted model."""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathfinder.answering.digest import cues
from pathfinder.index.ports import TokenSource
from pathfinder.index.words import QUESTION_STOP_WORDS, stems
from pathfinder.index.words import content_stems as stems_of_words
from pathfinder.models.ports import Embedder, TokenEmbedder, TokenVectors
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE
from pathfinder.types import Floats

PREDICTORS = (
    *("token_match", "shared_words", "result", "method"),
    *("figures", "log_length", "position", "is_first", "is_last"),
)
"""Names of the predictors. The first two are standardised within the abstract: what counts is which sentence is closest
to the question, not how close they all are.
"""

_SOFTENING = 0.02
"""Number added to a standard deviation, so that noise does not distinguish sentences that are all alike."""
_MOST_FIGURES = 4
_LEAST_BEGINNING = 6
"""Minimum number of letters in a word that can count as the beginning of another."""

_APART = re.compile(r"\b([A-Z]{2,})[ -](?=\d{2})")
"""Letters of a designation, separated from its number by a space or a hyphen."""


class Closeness(NamedTuple):
    """Closeness of each sentence in an abstract to the question, shape (n_sentences,)."""

    meaning: Floats
    """Cosine similarity between the mean token vector of the sentence and that of the question."""
    token_match: Floats
    """Mean over the question's tokens, weighted by rarity, of the highest cosine similarity to any token in the
    sentence (MaxSim; Khattab & Zaharia 2020, arXiv:2004.12832).
    """


def predictors_of(question: str, sentences: Sequence[str], closeness: Closeness) -> Floats:
    """Return the predictors of all `sentences` in an abstract, in order, shape (n_sentences, n_predictors)."""
    n = len(sentences)
    place = np.arange(n)
    result, method = _has(cues.RESULT, sentences), _has(cues.METHOD, sentences)
    figures = np.array([min(len(cues.FIGURE.findall(s)), _MOST_FIGURES) / _MOST_FIGURES for s in sentences])
    columns = (
        standardise(closeness.token_match),
        standardise(shared_words(question, sentences)),
        result,
        method * (1 - result),
        figures,
        np.log([max(len(sentence.split()), 2) for sentence in sentences]),
        place / max(n - 1, 1),
        place == 0,
        place == n - 1,
    )
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def shared_words(question: str, sentences: Sequence[str]) -> Floats:
    """Compute the share of the question's words that each sentence contains, in [0, 1], weighted by rarity; the weight
    is `log(1 + n / n_w)` for a word in `n_w` of the `n` sentences.
    """
    asked_stems, own = content_stems(question), [content_stems(sentence) for sentence in sentences]
    counts = Counter(stem for stems_found in own for stem in stems_found)
    rarity = {stem: float(np.log1p(len(sentences) / max(counts[stem], 1))) for stem in asked_stems}
    total = sum(rarity.values()) or 1.0
    return np.array([sum(rarity[stem] for stem in stems_found & asked_stems) / total for stems_found in own])


def coverage(question: str, texts: Sequence[str]) -> Floats:
    """Compute the share of the question's subjects that each of `texts` contains, in [0, 1], weighted by rarity; 1 if
    the question names none.

    The weight of a word in `n_w` of the `n` texts is `log(1 + n / (n_w + 1/2))`, so that a word that no text contains
    counts most. A word also counts as contained if it is the beginning of a word in the text, or vice versa:
    "exoplaneta", "exoplanet".
    """
    contains, weights = _contained(question, texts)
    return np.asarray(contains @ weights / weights.sum() if len(weights) else np.ones(len(texts)), dtype=np.float64)


def weight_of_subjects(question: str, texts: Sequence[str]) -> Floats:
    """Compute the summed weight, as in `coverage`, of the question's subjects that each of `texts` contains: one common
    word is less than three rare ones.
    """
    contains, weights = _contained(question, texts)
    return np.asarray(contains @ weights, dtype=np.float64)


def _contained(question: str, texts: Sequence[str]) -> tuple[Floats, Floats]:
    """Return whether each text contains each subject, shape (n_texts, n_subjects), and the subjects' weights."""
    asked_stems, own = sorted(subjects_of(question)), [content_stems(text) for text in texts]
    columns = [[_contains(each, stem) for each in own] for stem in asked_stems]
    contains = np.array(columns, dtype=np.float64).reshape(len(columns), len(texts)).T
    return contains, np.log1p(len(texts) / (contains.sum(axis=0) + 0.5))


def share_of_subjects(question: str, text: str) -> float:
    """Compute the share of the question's subjects that `text` contains, in [0, 1]; 1 if the question names none."""
    asked_stems, own = subjects_of(question), content_stems(text)
    return sum(_contains(own, stem) for stem in asked_stems) / len(asked_stems) if asked_stems else 1.0


def subjects_of(question: str) -> frozenset[str]:
    """Return the stems of the words that name the subjects of `question`, in any language."""
    return content_stems(question) - _no_subjects()


@cache
def _no_subjects() -> frozenset[str]:
    in_any_language = cues.NO_SUBJECT.union(*STOP_WORDS_BY_LANGUAGE.values())
    return in_any_language.union(stems(sorted(cues.NO_SUBJECT), QUESTION_STOP_WORDS))


def _contains(words_of_text: frozenset[str], stem: str) -> bool:
    if stem in words_of_text or len(stem) < _LEAST_BEGINNING:
        return stem in words_of_text
    return any(stem.startswith(own) or own.startswith(stem) for own in words_of_text if len(own) >= _LEAST_BEGINNING)


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words in `text` that are not stop words; "SN 1987A" and "SN1987A" are the same word."""
    return stems_of_words(_APART.sub(r"\1", text))


def standardise(values: Floats) -> Floats:
    """Subtract the mean, and divide by the standard deviation."""
    return np.asarray((values - values.mean()) / (values.std() + _SOFTENING), dtype=np.float64)


def _has(cue: re.Pattern[str], sentences: Sequence[str]) -> Floats:
    return np.array([float(cue.search(sentence) is not None) for sentence in sentences])


# Measures how close sentences from papers are to a question, by meaning and token by token.
#
# The token vectors of a sentence come from a reading of the whole abstract, so that a pronoun takes part of its
# meaning from the sentence before it (late chunking; Günther et al. 2024, arXiv:2409.04701). If the corpus stores
# token vectors, they are used; otherwise abstracts are read when needed. An embedder without token vectors embeds
# each sentence on its own.

MAX_READ = 9_000
"""Maximum number of characters in the abstracts that are read, or embedded sentence by sentence, if the corpus stores
no token vectors; reading them takes about half a second on two cores. The first abstract is always read.
"""

WINDOW = 800
"""Maximum number of characters of an abstract that are read at a time; together with the title, which is read before
them, they fit into 256 tokens.
"""
_TITLE = 150

_COMMON = 1_000.0
"""Rank, in a vocabulary ordered by frequency, beyond which words count as rare: the weight of a token is
`log(1 + rank / 1000)`.
"""

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Abstract:
    """The sentences in a hit's abstract."""

    row: int
    """Position of the paper in the corpus."""
    title: str
    sentences: tuple[str, ...]
    """All sentences, numbered as the corpus numbers them: from 1, including headings."""
    has_full_text: bool = False
    """True if sentences from the full text follow those of the abstract; the corpus stores no tokens for them."""


def closeness_of(
    question: str, abstracts: Sequence[Abstract], embedder: Embedder, tokens: TokenSource | None = None
) -> list[Closeness]:
    """Return, for each of `abstracts` in order, how close its sentences are to `question`.

    Without `tokens`, only as many of the first abstracts are read as `MAX_READ` allows, so the list may be shorter.
    """
    if not isinstance(embedder, TokenEmbedder):
        abstracts = _within_limit(abstracts)
        (direction,) = embedder.embed([question], "query")
        vectors = embedder.embed([sentence for each in abstracts for sentence in each.sentences], "document")
        cosines = np.asarray(vectors @ direction, dtype=np.float64)
        ends = np.cumsum([0, *(len(abstract.sentences) for abstract in abstracts)])
        return [Closeness(cosines[start:end], cosines[start:end]) for start, end in pairwise(ends)]
    (of_question,) = embedder.embed_tokens([question])
    is_word = of_question.spans[:, 1] > of_question.spans[:, 0]
    vectors = of_question.vectors[is_word] if is_word.any() else of_question.vectors
    weights = np.log1p(of_question.ids[is_word] / _COMMON) if is_word.any() else np.ones(len(vectors))
    if tokens is not None:
        projected_vectors = tokens.project(vectors)
        token_vectors = _with_full_texts(abstracts, list(_stored_vectors(abstracts, tokens)), embedder, tokens)
        return [_compare(projected_vectors, weights, own) for own in token_vectors]
    return [_compare(unit(vectors), weights, own) for own in _read(_within_limit(abstracts), embedder)]


def unit(vectors: Matrix) -> Matrix:
    """Scale each row to length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)


def _within_limit(abstracts: Sequence[Abstract]) -> Sequence[Abstract]:
    lengths = np.cumsum([sum(map(len, abstract.sentences)) for abstract in abstracts])
    return abstracts[: max(1, int((lengths <= MAX_READ).sum()))]


def _compare(question: Matrix, weights: Floats, sentences: Sequence[Matrix]) -> Closeness:
    """Compare unit vectors of the question's tokens with those of each sentence; a sentence without tokens scores 0."""
    total, mean = max(float(weights.sum()), 1e-9), unit(question.mean(axis=0, keepdims=True))[0]
    meaning, match = np.zeros(len(sentences)), np.zeros(len(sentences))
    for place, own in enumerate(sentences):
        if len(own):
            meaning[place] = float(unit(own.mean(axis=0, keepdims=True))[0] @ mean)
            match[place] = float(weights @ (question @ own.T).max(axis=1)) / total
    return Closeness(meaning, match)


def _stored_vectors(abstracts: Sequence[Abstract], tokens: TokenSource) -> Iterator[list[Matrix]]:
    token_vectors = tokens.gather(np.array([abstract.row for abstract in abstracts], dtype=np.int64))
    for abstract, (start, end) in zip(abstracts, pairwise(token_vectors.offsets), strict=True):
        vectors, numbers = token_vectors.vectors[start:end], token_vectors.sentences[start:end]
        yield [vectors[numbers == number] for number in range(1, len(abstract.sentences) + 1)]


def _with_full_texts(
    abstracts: Sequence[Abstract], token_vectors: list[list[Matrix]], embedder: TokenEmbedder, tokens: TokenSource
) -> list[list[Matrix]]:
    """Read as many full-text sentences as `MAX_READ` allows, and append their token vectors to those stored for the
    abstracts.
    """
    n_stored = [max((n for n, own in enumerate(each, start=1) if len(own)), default=0) for each in token_vectors]
    places = [place for place, abstract in enumerate(abstracts) if abstract.has_full_text]
    rest = [replace(abstracts[place], sentences=abstracts[place].sentences[n_stored[place] :]) for place in places]
    to_embed = _within_limit(rest) if rest else ()
    for place, own in zip(places, _read(to_embed, embedder), strict=False):
        token_vectors[place][n_stored[place] :] = [unit(tokens.project(sentence)) for sentence in own]
    return token_vectors


def _read(abstracts: Sequence[Abstract], embedder: TokenEmbedder) -> Iterator[list[Matrix]]:
    """Read each abstract in windows, and yield its token vectors, one matrix per sentence."""
    windows = [_windows(abstract.sentences) for abstract in abstracts]
    texts = [
        f"{abstract.title[:_TITLE]}. {' '.join(window)}"
        for abstract, own in zip(abstracts, windows, strict=True)
        for window in own
    ]
    readings = iter(embedder.embed_tokens(texts) if texts else ())
    for abstract, own in zip(abstracts, windows, strict=True):
        start = len(abstract.title[:_TITLE]) + len(". ")
        yield [sentence for window in own for sentence in _split(start, window, next(readings))]


def _windows(sentences: Sequence[str]) -> list[tuple[str, ...]]:
    """Divide the sentences into windows of at most `WINDOW` characters; a longer sentence gets its own window."""
    windows: list[list[str]] = []
    for sentence in sentences:
        if not windows or sum(map(len, windows[-1])) + len(sentence) > WINDOW:
            windows.append([])
        windows[-1].append(sentence)
    return [tuple(window) for window in windows]


def _split(start: int, window: Sequence[str], tokens: TokenVectors) -> Iterator[Matrix]:
    """Yield the unit vectors of each sentence's tokens; the first sentence begins at position `start` of the text that
    was read.
    """
    vectors, starts = unit(tokens.vectors), tokens.spans[:, 0]
    is_word = tokens.spans[:, 1] > starts
    for sentence in window:
        end = start + len(sentence)
        yield vectors[is_word & (starts >= start) & (starts < end)]
        start = end + 1


# The fitted model that scores sentences as answers. `benchmarks/answers.py` fits and evaluates it.
#
# It is a logistic regression over standardised predictors, fitted on the rationale sentences in SciFact
# (arXiv:2004.14974) and on questions about astronomical papers whose answering sentences were marked by hand.
# `benchmarks/ANSWERS.md` reports how often the sentence that it scores highest answers the question.

MODEL_FILE = "sentence_model.json"


@dataclass(frozen=True, slots=True)
class SentenceModel:
    """The probability that a sentence answers the question if its paper does: `1 / (1 + exp(-score))`.

    The score is `intercept + weights . (predictors - centres) / scales`.
    """

    centres: Floats
    scales: Floats
    weights: Floats
    intercept: float
    least_token_match: float
    """Token match below which a paper's best sentence does not count as an answer; in 5% of the papers that do answer,
    the best sentence lies below it.
    """

    def probabilities(self, predictors: Floats) -> Floats:
        """Return the probability of each sentence; `predictors` has shape (n_sentences, n_predictors)."""
        scores = ((predictors - self.centres) / self.scales) @ self.weights + self.intercept
        return np.asarray(1.0 / (1.0 + np.exp(-scores)), dtype=np.float64)


@lru_cache(maxsize=1)
def fitted_model() -> SentenceModel:
    """Return the model that ships with the package."""
    record = json.loads(resources.files(__package__).joinpath(MODEL_FILE).read_text(encoding="utf-8"))
    if tuple(record["features"]) != PREDICTORS:
        raise ValueError(f"{MODEL_FILE} was fitted on different predictors: fit it again with benchmarks/answers.py")
    centres, scales, weights = (np.array(record[name], dtype=np.float64) for name in ("centres", "scales", "weights"))
    return SentenceModel(centres, scales, weights, float(record["intercept"]), float(record["least_token_match"]))
