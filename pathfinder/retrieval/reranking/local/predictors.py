"""Predictors that the local reranker uses to score each paper: those derived from its tokens, and those derived from
its neighbours, because papers that answer the same question tend to resemble each other (van Rijsbergen 1979).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import TokenSource, WordStatistics
from pathfinder.index.words import QUESTION_STOP_WORDS, stems
from pathfinder.models.ports import TokenEmbedder, Vectors
from pathfinder.types import Candidates, Floats, Rows
from pathfinder.types.full_texts import FullTextPassage

_WORD = re.compile(r"\w\w+")


@dataclass(frozen=True, slots=True, eq=False)
class Terms:
    """Tokens used to match a question, shape (m,)."""

    vectors: NDArray[np.float32]
    """Unit vectors projected like the papers' tokens, shape (m, d)."""
    weights: NDArray[np.float32]
    """Weights that add up to 1."""


def content_words(text: str) -> list[re.Match[str]]:
    """Return the words of a question, including repetitions, with their positions; stop words and question words are
    left out.
    """
    return [word for word in _WORD.finditer(text) if word.group().lower() not in QUESTION_STOP_WORDS]


def token_weights(text: str, spans: NDArray[np.int32], index: WordStatistics) -> NDArray[np.float32]:
    """Return the weight of each token of a question, shape (len(spans),), adding up to 1.

    A word that occurs in n of N papers has the weight `log(1 + (N - n + 0.5) / (n + 0.5))` (BM25's idf); its tokens
    share that weight. Stop words and question words have no weight; if there are no other words, every token has the
    same weight.
    """
    words = content_words(text)
    rarities = _rarities([word.group() for word in words], index)
    weights = np.zeros(len(spans))
    for word, rarity in zip(words, rarities, strict=True):
        inside = (spans[:, 0] >= word.start()) & (spans[:, 1] <= word.end()) & (spans[:, 1] > spans[:, 0])
        weights[inside] = rarity / max(int(inside.sum()), 1)
    if not weights.any():
        weights[:] = spans[:, 1] > spans[:, 0]
    return np.asarray(weights / max(float(weights.sum()), 1e-9), dtype=np.float32)


def _rarities(words: list[str], index: WordStatistics) -> NDArray[np.float64]:
    n = index.document_frequencies(stems([word.lower() for word in words], frozenset()))
    return np.log1p((len(index) - n + 0.5) / (n + 0.5))


PAPERS_AT_ONCE = 16
"""Number of papers whose vectors are unpacked at a time, small enough to fit in a processor's cache."""


@dataclass(frozen=True, slots=True, eq=False)
class TokenPool:
    """Tokens of n papers, one paper after the other."""

    cosines: NDArray[np.float32]
    """Cosine between each token of the papers and each token of the question, shape (n_tokens, m)."""
    lengths: NDArray[np.int64]
    """Number of tokens in each paper, shape (n,)."""

    @classmethod
    def of(cls, source: TokenSource, rows: Rows, terms: Terms) -> Self:
        """Compare the tokens of the papers at `rows`, which must not be empty, with those of the question."""
        cosines, lengths = [], []
        for first in range(0, len(rows), PAPERS_AT_ONCE):
            tokens = source.gather(rows[first : first + PAPERS_AT_ONCE])
            cosines.append(cosines_of(tokens.vectors, terms.vectors))
            lengths.append(np.diff(tokens.offsets))
        return cls(np.concatenate(cosines), np.concatenate(lengths))

    def largest(self) -> NDArray[np.float32]:
        """Return the largest cosine of each paper with each token of the question, shape (n, m); 0 if none is above 0,
        or if the paper has no tokens.
        """
        maxima = np.zeros((len(self.lengths), self.cosines.shape[1]), dtype=np.float32)
        has_tokens = self.lengths > 0
        if has_tokens.any():
            firsts = (np.cumsum(self.lengths) - self.lengths)[has_tokens]
            maxima[has_tokens] = np.maximum(np.maximum.reduceat(self.cosines, firsts, axis=0), 0)
        return maxima


def cosines_of(vectors: NDArray[np.float32], unit_vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the cosines of n vectors of any length and m unit vectors, shape (n, m); 0 for a zero vector."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    # There are fewer products than coordinates, so the products are divided by the lengths, not the vectors.
    products = vectors @ unit_vectors.T
    return np.asarray(products / np.maximum(lengths, np.finfo(np.float32).tiny)[:, np.newaxis], dtype=np.float32)


POWERS = (2, 4)
"""Powers of late interaction (Khattab & Zaharia 2020, arXiv:2004.12832): for each token of the question, the highest
cosine among the paper's tokens is raised to a power and weighted by rarity, and the results are added up. The higher
the power, the less a weak similarity counts.
"""


def by_tokens(pool: TokenPool, terms: Terms) -> dict[str, Floats]:
    """Return a predictor for each power, with a value for each paper, shape (n,): "tokens^2" and "tokens^4"."""
    papers = pool.largest()
    return {f"tokens^{power}": (papers**power @ terms.weights).astype("float64") for power in POWERS}


NEAREST = 8


def predictors_of(pool: TokenPool, terms: Terms, vectors: Vectors) -> dict[str, Floats]:
    """Return the predictors of the n papers in `pool`, each of shape (n,) and finite; `vectors` are those of whole
    papers.
    """
    tokens = by_tokens(pool, terms)
    return {**tokens, **neighbour_predictors(vectors, tokens["tokens^4"])}


def neighbour_predictors(vectors: NDArray[np.float32], matches: Floats) -> dict[str, Floats]:
    """Return the mean of `matches` over each paper's eight nearest neighbours, shape (n,); a paper without neighbours
    keeps its own value.

    `vectors` are unit vectors, shape (n, dimension).
    """
    n = len(vectors)
    if n == 1:
        return {"neighbours": matches}
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, -np.inf)
    nearest = np.argsort(-cosines, axis=1, kind="stable")[:, : min(NEAREST, n - 1)]
    return {"neighbours": np.asarray(matches[nearest].mean(axis=1))}


# Token matches of papers, raised by their full-text passages.
#
# A passage counts only if it is closer to the question than the abstract is. The token match f of the paper becomes
#
#     f + 0.5 max(0, g - f - 0.08 ln n)
#
# where g is the token match of its best passage, and n the number of its passages: the best of many is high by chance
# alone. Passages raise the match of a paper by a rule of the same form (`retrieval/lookup/full_texts.py`).

MAX_READ = 8
"""Maximum number of passages that are read for a question, one from each of the first papers; each takes about 20 ms on
two cores.
"""

GAIN, MATCH_PER_LOG = 0.5, 0.08
"""Share of the excess (the lead minus the expected lead) that is added to the paper's token match, and the lead
expected of the best of n passages, divided by ln n; both are measured in `benchmarks/FULLTEXT.md`.
"""


def raised_by_passages(
    predictors: dict[str, Floats],
    candidates: Candidates,
    n_passages: Rows,
    terms: Terms,
    embedder: TokenEmbedder,
    tokens: TokenSource,
) -> dict[str, Floats]:
    """Return the token matches of the papers, raised by the best passage of each; other predictors are left out.

    `predictors` are those of the first candidates, each of shape (n,); `n_passages` counts the passages of each paper
    in the corpus, by row.
    """
    places = places_to_read(candidates, len(next(iter(predictors.values()))))
    if not places:
        return {}
    token_vectors = embedder.embed_tokens([text_of_passage(candidates, place) for place in places])
    own = [tokens.project(each.vectors[each.spans[:, 1] > each.spans[:, 0]]) for each in token_vectors]
    cosines = [cosines_of(vectors, terms.vectors) for vectors in own]
    matches = by_tokens(
        TokenPool(np.concatenate(cosines), np.array([len(each) for each in own], dtype=np.int64)), terms
    )
    n_each = n_passages[candidates.rows[places]]
    return {name: raised_at(places, predictors[name], match, n_each) for name, match in matches.items()}


def raised_at(places: Sequence[int], own: Floats, match: Floats, n_each: Rows) -> Floats:
    """Return the scores of papers, of shape (n,): `own`, raised for the papers at `places` by the scores `match` of
    their best passages; `n_each` counts the passages of each of these papers.
    """
    raised_matches = own.copy()
    raised_matches[places] += GAIN * np.maximum(match - own[places] - MATCH_PER_LOG * np.log(n_each), 0.0)
    return raised_matches


def places_to_read(candidates: Candidates, n: int) -> list[int]:
    """Return the places, among the first n, of the papers whose best passage is worth reading: eight at most."""
    return [place for place in range(n) if _best_passage(candidates, place)][:MAX_READ]


def text_of_passage(candidates: Candidates, place: int) -> str:
    """Return the best passage of the paper at `place`, preceded by the paper's title and the passage's heading."""
    paper, passage = candidates.papers[place], candidates.full_texts[int(candidates.rows[place])][0]
    return ". ".join(part.rstrip(".") for part in (paper.title, passage.heading, passage.text) if part)


def _best_passage(candidates: Candidates, place: int) -> FullTextPassage | None:
    """Return the best passage of a paper, if it is closer to the question in meaning than the abstract is."""
    passages = candidates.full_texts.get(int(candidates.rows[place]), ())
    if not passages:
        return None
    best, dense = passages[0], candidates.dense[place]
    return None if best.score is not None and best.score <= dense else best
