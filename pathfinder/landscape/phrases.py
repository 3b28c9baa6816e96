"""What a part of the map is about: keyword phrases that are frequent there and rare elsewhere.

Class-based TF-IDF (Grootendorst 2022) over the keywords that the papers have: for the phrase t and the part c,
`tf(t, c) log(1 + A / f(t))`, where tf is its share of all phrases counted in c, f how often it is counted anywhere,
and A how many phrases a part has on average. A phrase counts once a paper.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TypeVar

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.corpus.lemmas import lemmas
from pathfinder.corpus.papers import PaperTable
from pathfinder.index.terms import KeywordIndex
from pathfinder.types import Floats, Rows

MIN_PAPERS = 3
"""Of a part that have a phrase; fewer are a coincidence."""
LEAST_LIFT = 2.0
"""How much more frequent than in all papers together a phrase must be. Boilerplate ("results", "model") is equally
frequent everywhere, so no list of such words is needed."""
SINGLE_WORD = 0.55
"""Times its score is what a phrase of one word counts beside longer ones, which say more: "gas" beside "cold gas"."""
MAX_LEMMAS, MAX_LETTERS = 3, 28
"""Of a phrase that is written on the map."""
WHOLE_PHRASE = 0.2
"""Share of the papers looked at that must have it as a keyword of its own: "field" is a part of "magnetic field"."""
N_LOOKED_AT = 25
N_REMEMBERED = 100_000
"""Keywords whose lemmas are kept at hand: the papers of one part have many in common."""
N_CANDIDATES = 12
"""Phrases that are tried for each part, best first."""

_Any = TypeVar("_Any")


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How many papers of each part have a phrase, for every pair where one has."""

    terms: Rows
    """Place of the phrase in the index of keywords."""
    parts: Rows
    papers: Rows
    """Ascending by part."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase as the papers write it."""

    text: str
    lemmas: tuple[str, ...]
    score: float
    """Class-based TF-IDF."""
    lift: float
    """How many times as frequent as in all papers together."""


def count_phrases(index: KeywordIndex, part_of: Rows, n_parts: int) -> Counts:
    """Count the phrases of `index` in parts of the corpus; `part_of` each paper, -1: in none."""
    n_papers_with = np.diff(index.starts)
    frequent = n_papers_with >= MIN_PAPERS
    terms = np.repeat(np.arange(len(index.terms)), n_papers_with)
    parts = part_of[index.rows]
    kept = frequent[terms] & (parts >= 0)
    pairs, papers = np.unique(terms[kept] * n_parts + parts[kept], return_counts=True)
    terms, parts = np.divmod(pairs, n_parts)
    order = np.argsort(parts, kind="stable")
    return Counts(terms[order], parts[order], papers[order])


def scores(counts: Counts, n_terms: int, n_parts: int) -> Floats:
    """Class-based TF-IDF of each pair of `counts`."""
    of_part = np.bincount(counts.parts, counts.papers, minlength=n_parts)
    of_term = np.bincount(counts.terms, counts.papers, minlength=n_terms)
    return class_tf_idf(counts.papers, of_part[counts.parts], of_term[counts.terms], of_part.sum() / n_parts)


def class_tf_idf(papers: Rows, of_part: Rows, of_term: Rows, average: float) -> Floats:
    """`tf log(1 + A / f)` of phrases that are counted in `papers` of a part; 0 where that is none.

    `of_part` is how many phrases are counted in the part, `of_term` how often each is counted anywhere, and `average`
    how many phrases a part has.
    """
    return np.asarray(papers / np.maximum(of_part, 1) * np.log1p(average / np.maximum(of_term, 1)))


def phrases_of_parts(
    index: KeywordIndex, papers: PaperTable, part_of: Rows, n_parts: int, n_phrases: int = 1
) -> list[tuple[Phrase, ...]]:
    """For each part up to `n_phrases`, best first; none where nothing is frequent there and rare elsewhere.

    `part_of` each paper, shape (n_papers,), -1: in none.
    """
    if n_parts == 0:
        return []
    counts = count_phrases(index, part_of, n_parts)
    sizes = np.bincount(part_of[part_of >= 0], minlength=n_parts)
    anywhere = np.diff(index.starts)[counts.terms] / len(part_of)
    lifts = counts.papers / sizes[counts.parts] / anywhere
    rated = scores(counts, len(index.terms), n_parts) * np.where(_is_single(index)[counts.terms], SINGLE_WORD, 1.0)
    rated[(counts.papers < MIN_PAPERS) | (lifts < LEAST_LIFT)] = 0
    bounds = np.searchsorted(counts.parts, np.arange(n_parts + 1))
    found = []
    for part in range(n_parts):
        here = slice(bounds[part], bounds[part + 1])
        candidates = _written(index, papers, np.asarray(part_of == part), counts.terms[here], rated[here], lifts[here])
        found.append(tuple(islice(distinct(candidates, lambda phrase: phrase.lemmas), n_phrases)))
    return found


def _written(
    index: KeywordIndex, papers: PaperTable, is_in: NDArray[np.bool_], terms: Rows, rated: Floats, lifts: Floats
) -> Iterator[Phrase]:
    """The best of a part's `terms`, as its papers write them."""
    best = best_rated(rated, N_CANDIDATES)
    for place, text in zip(best, as_written(index, papers, terms[best], is_in), strict=True):
        if text:
            yield Phrase(text, lemmas(text), float(rated[place]), float(lifts[place]))


def distinct(phrases: Iterable[_Any], lemmas_of: Callable[[_Any], Sequence[str]]) -> Iterator[_Any]:
    """Those of `phrases` that neither take in an earlier one nor are a part of it, by their lemmas."""
    kept: list[set[str]] = []
    for phrase in phrases:
        own = set(lemmas_of(phrase))
        if not any(own <= other or other <= own for other in kept):
            kept.append(own)
            yield phrase


def _is_single(index: KeywordIndex) -> NDArray[np.bool_]:
    """Whether each phrase of the index is one word."""
    return np.asarray(pc.invert(pc.match_substring(index.terms, " ")).to_numpy(zero_copy_only=False))


def best_rated(rated: Floats, n: int) -> Rows:
    """Places of the `n` best that are rated above 0; of equally good ones the first in the alphabet, as terms stand."""
    positive = np.flatnonzero(rated > 0)
    return positive[np.argsort(-rated[positive], kind="stable")[:n]]


def as_written(
    index: KeywordIndex, papers: PaperTable, terms: Rows, is_in: NDArray[np.bool_] | None = None
) -> list[str | None]:
    """How most papers write each of `terms`, places in `index`; `None` where too few have it as one of its own.

    `is_in` says whose papers are asked, by default all. The keywords of all that are looked at are read at once: of
    a large corpus, each reading takes long.
    """
    if not len(terms):
        return []
    with_term = [index.rows[index.starts[term] : index.starts[term + 1]] for term in terms]
    looked_at = [(rows if is_in is None else rows[is_in[rows]])[:N_LOOKED_AT] for rows in with_term]
    read = np.unique(np.concatenate([np.empty(0, dtype=np.int32), *looked_at])).astype(np.int64)
    keywords = papers.take(read).keywords()
    keys = (str(index.terms[int(term)].as_py()) for term in terms)
    return [
        _as_most_write([keywords[place] for place in np.searchsorted(read, rows)], key)
        for rows, key in zip(looked_at, keys, strict=True)
    ]


def _as_most_write(keywords: Sequence[Sequence[str]], term: str) -> str | None:
    """How most papers with these `keywords` write `term`; `None` where too few have it as one of its own."""
    written = Counter(
        form
        for of_one in keywords
        for form in {" ".join(keyword.split()) for keyword in of_one if _is_plain(keyword, term)}
    )
    if written.total() < max(WHOLE_PHRASE * len(keywords), 1):
        return None
    text = min(written, key=lambda form: (-written[form], form))
    words = text.split()
    return text if len(words) <= MAX_LEMMAS and 3 <= len(text) <= MAX_LETTERS else None


def _is_plain(keyword: str, term: str) -> bool:
    """Whether it is that phrase, and not written as the heading of a journal's list ("methods: numerical")."""
    return ":" not in keyword and " ".join(lemmas_of_keyword(keyword)) == term


@lru_cache(N_REMEMBERED)
def lemmas_of_keyword(keyword: str) -> tuple[str, ...]:
    """The lemmas of a keyword of a paper; the same keywords are asked for again and again."""
    return lemmas(keyword)
