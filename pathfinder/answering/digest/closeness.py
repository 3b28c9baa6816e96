"""Measures how close sentences from papers are to a question, by meaning and token by token.

The token vectors of a sentence come from a reading of the whole abstract, so that a pronoun takes part of its meaning
from the sentence before it (late chunking; Günther et al. 2024, arXiv:2409.04701). If the corpus stores token vectors,
they are used; otherwise abstracts are read when needed. An embedder without token vectors embeds each sentence on its
own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import TokenSource
from pathfinder.models.ports import Embedder, TokenEmbedder, TokenVectors
from pathfinder.types import Floats

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


class Closeness(NamedTuple):
    """Closeness of each sentence in an abstract to the question, shape (n_sentences,)."""

    meaning: Floats
    """Cosine similarity between the mean token vector of the sentence and that of the question."""
    token_match: Floats
    """Mean over the question's tokens, weighted by rarity, of the highest cosine similarity to any token in the
    sentence (MaxSim; Khattab & Zaharia 2020, arXiv:2004.12832).
    """


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
        return _by_vectors(question, _within_limit(abstracts), embedder)
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
    """Yield the stored token vectors of each abstract, one matrix per sentence."""
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


def _by_vectors(question: str, abstracts: Sequence[Abstract], embedder: Embedder) -> list[Closeness]:
    (direction,) = embedder.embed([question], "query")
    vectors = embedder.embed([sentence for each in abstracts for sentence in each.sentences], "document")
    cosines = np.asarray(vectors @ direction, dtype=np.float64)
    ends = np.cumsum([0, *(len(abstract.sentences) for abstract in abstracts)])
    return [Closeness(cosines[start:end], cosines[start:end]) for start, end in pairwise(ends)]
