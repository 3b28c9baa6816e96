"""Describes papers, or districts of the map, by keywords that are frequent among them and rare elsewhere."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.map_data import MapData
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Floats, Rows

MOST_READ = 120
"""Maximum number of papers whose keywords are read; from a larger set, an even sample is taken."""
LONGEST = 40
"""Maximum length of a phrase, in characters."""
N_PHRASES = 3
"""Number of phrases in a description."""
MOST_COUNTED = 50_000
"""Approximate maximum number of papers whose keywords are counted to name districts; from a larger set, an even sample
is taken.
"""


def describe_papers(map_data: MapData, rows: Rows) -> str:
    """Describe the papers at `rows` by the three phrases with the highest tf * log(N / df), joined by commas.

    tf is the number of these papers that have the phrase. If there are several papers, at least two of them, and at
    least a twentieth, must have it. Without an index of keywords, df is the same for all phrases. Returns "" if no
    phrase remains.
    """
    step = max(1, math.ceil(len(rows) / MOST_READ))
    papers = map_data.papers.take(rows[::step]).keywords()
    frequency: Counter[tuple[str, ...]] = Counter()
    spellings: dict[tuple[str, ...], str] = {}
    for keywords in papers:
        keys = {lemmas(phrase): phrase for phrase in keywords if len(phrase) <= LONGEST and ":" not in phrase}
        for key, phrase in keys.items():
            spellings.setdefault(key, phrase)
        frequency.update(key for key in keys if key)
    least = min(max(2, len(papers) // 20), len(papers))
    score = {key: count * _weight(map_data, key) for key, count in frequency.items() if count >= least}
    best = sorted(score, key=lambda key: (-score[key], key))
    return ", ".join(spellings[key] for key in best[:N_PHRASES] if score[key] > 0)


def _weight(map_data: MapData, key: tuple[str, ...]) -> float:
    length = SINGLE_WORD if len(key) == 1 else 1.0
    if map_data.terms is None:
        return length
    return length * math.log((len(map_data.papers) + 1) / max(len(map_data.terms.papers_with(" ".join(key))), 1))


def name_districts(map_data: MapData, of: Rows, n: int, districts: Collection[int] | None = None) -> tuple[str, ...]:
    """Name each of `n` districts by up to three keyword phrases; `of` gives the district of each paper, shape
    (n_papers,).

    The name is "" if no phrase is frequent there and rare elsewhere, or if there is no index of keywords. If
    `districts` is given, only these are named, because naming one takes a hundredth of a second; the others also get
    "".
    """
    if map_data.terms is None:
        return ("",) * n
    sample = of if districts is None else np.where(np.isin(of, list(districts)), of, -1)
    sample = np.where(np.arange(len(of)) % max(1, len(of) // MOST_COUNTED) == 0, sample, -1)
    phrases_of = phrases_of_parts(map_data.terms, map_data.papers, sample, n, N_PHRASES)
    return tuple(", ".join(phrase.text for phrase in phrases) for phrases in phrases_of)


def in_sentence(name: str) -> str:
    """Write the name of a district for use within a sentence."""
    return name or "a region without distinctive keywords"


# Finds keyword phrases that are frequent in one part of the map and rare elsewhere.
#
# Class-based TF-IDF (Grootendorst 2022) over the keywords of the papers: for the phrase t and the part c, `tf(t, c)
# log(1 + A / f(t))`, where tf is the share of t among all phrases counted in c, f the number of times that t is
# counted on the whole map, and A the average number of phrases in a part. A phrase counts once per paper.

MIN_PAPERS = 3
"""Minimum number of papers in a part that must have a phrase; with fewer, the phrase may be there by chance."""
LEAST_LIFT = 2.0
"""Minimum factor by which a phrase must be more frequent in a part than in all papers together. Boilerplate ("results",
"model") is equally frequent everywhere, so no stop list is needed.
"""
SINGLE_WORD = 0.55
"""Factor applied to the score of a single word, which says less than a longer phrase: "gas" compared with "cold gas".
"""
MAX_LEMMAS, MAX_LETTERS = 3, 28
"""Maximum number of lemmas and letters in a phrase that is written on the map."""
WHOLE_PHRASE = 0.2
"""Minimum share of the sampled papers in which the phrase must be a keyword in its own right: "field" often occurs only
as part of "magnetic field".
"""
N_READ = 25
N_CANDIDATES = 12
"""Number of phrases tried for each part, best first."""

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, eq=False)
class PhraseCounts:
    """The number of papers in a part that have a phrase, for every pair of part and phrase that occurs."""

    terms: Rows
    """Index of the phrase among the keywords."""
    parts: Rows
    papers: Rows
    """Number of papers in the part that have the phrase. All three arrays are sorted by part."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase in the papers' own spelling."""

    text: str
    lemmas: tuple[str, ...]
    score: float
    """Class-based TF-IDF."""
    lift: float
    """Frequency relative to that in all papers together."""


def count_phrases(index: KeywordIndex, part_of: Rows, n_parts: int) -> PhraseCounts:
    """Count the phrases of `index` in parts of the corpus; `part_of` gives the part of each paper, -1 for none."""
    n_papers_with = np.diff(index.starts)
    frequent = n_papers_with >= MIN_PAPERS
    terms = np.repeat(np.arange(len(index.terms)), n_papers_with)
    parts = part_of[index.rows]
    is_counted = frequent[terms] & (parts >= 0)
    pairs, papers = np.unique(terms[is_counted] * n_parts + parts[is_counted], return_counts=True)
    terms, parts = np.divmod(pairs, n_parts)
    order = np.argsort(parts, kind="stable")
    return PhraseCounts(terms[order], parts[order], papers[order])


def scores(counts: PhraseCounts, n_terms: int, n_parts: int) -> Floats:
    """Compute the class-based TF-IDF of each pair of part and phrase in `counts`."""
    of_part = np.bincount(counts.parts, counts.papers, minlength=n_parts)
    of_term = np.bincount(counts.terms, counts.papers, minlength=n_terms)
    return class_tf_idf(counts.papers, of_part[counts.parts], of_term[counts.terms], of_part.sum() / n_parts)


def class_tf_idf(papers: Rows, of_part: Rows, of_term: Rows, average: float) -> Floats:
    """Compute `tf log(1 + A / f)` for phrases that occur in `papers` papers of a part; 0 if they occur in none.

    `of_part` is the number of phrases counted in the part, `of_term` the number of times each is counted anywhere, and
    `average` the average number of phrases in a part.
    """
    return np.asarray(papers / np.maximum(of_part, 1) * np.log1p(average / np.maximum(of_term, 1)))


def phrases_of_parts(
    index: KeywordIndex, papers: PaperTable, part_of: Rows, n_parts: int, n_phrases: int = 1
) -> list[tuple[Phrase, ...]]:
    """Find up to `n_phrases` phrases for each part, best first; none if no phrase is frequent there and rare elsewhere.

    `part_of`, shape (n_papers,), gives the part of each paper, -1 for none.
    """
    if n_parts == 0:
        return []
    counts = count_phrases(index, part_of, n_parts)
    sizes = np.bincount(part_of[part_of >= 0], minlength=n_parts)
    anywhere = np.diff(index.starts)[counts.terms] / len(part_of)
    lifts = counts.papers / sizes[counts.parts] / anywhere
    ratings = scores(counts, len(index.terms), n_parts) * np.where(_is_single(index)[counts.terms], SINGLE_WORD, 1.0)
    ratings[(counts.papers < MIN_PAPERS) | (lifts < LEAST_LIFT)] = 0
    bounds = np.searchsorted(counts.parts, np.arange(n_parts + 1))
    phrases = []
    for part in range(n_parts):
        here = slice(bounds[part], bounds[part + 1])
        candidates = _spell_phrases(
            index, papers, np.asarray(part_of == part), counts.terms[here], ratings[here], lifts[here]
        )
        phrases.append(tuple(islice(distinct(candidates, lambda phrase: phrase.lemmas), n_phrases)))
    return phrases


def _spell_phrases(
    index: KeywordIndex, papers: PaperTable, is_in: NDArray[np.bool_], terms: Rows, ratings: Floats, lifts: Floats
) -> Iterator[Phrase]:
    """Write the best of a part's `terms` as its papers spell them."""
    best = best_rated(ratings, N_CANDIDATES)
    for place, text in zip(best, as_written(index, papers, terms[best], is_in), strict=True):
        if text:
            yield Phrase(text, lemmas(text), float(ratings[place]), float(lifts[place]))


def distinct(phrases: Iterable[_Item], lemmas_of: Callable[[_Item], Sequence[str]]) -> Iterator[_Item]:
    """Leave out phrases whose lemmas contain those of an earlier phrase or are contained in them."""
    earlier: list[set[str]] = []
    for phrase in phrases:
        own = set(lemmas_of(phrase))
        if not any(own <= other or other <= own for other in earlier):
            earlier.append(own)
            yield phrase


def _is_single(index: KeywordIndex) -> NDArray[np.bool_]:
    return np.asarray(pc.invert(pc.match_substring(index.terms, " ")).to_numpy(zero_copy_only=False))


def best_rated(ratings: Floats, n: int) -> Rows:
    """Return the positions of the `n` highest ratings above 0; ties keep the alphabetical order of the index."""
    positive = np.flatnonzero(ratings > 0)
    return positive[np.argsort(-ratings[positive], kind="stable")[:n]]


def as_written(
    index: KeywordIndex, papers: PaperTable, terms: Rows, is_in: NDArray[np.bool_] | None = None
) -> list[str | None]:
    """Find the most common spelling in the papers for each of `terms`, given as positions in `index`; `None` if too few
    papers have it as a keyword in its own right.

    `is_in` selects the papers, by default all. All keywords are read at once, because each pass over a large corpus is
    slow.
    """
    if not len(terms):
        return []
    with_term = [index.rows[index.starts[term] : index.starts[term + 1]] for term in terms]
    samples = [(rows if is_in is None else rows[is_in[rows]])[:N_READ] for rows in with_term]
    sampled_rows = np.unique(np.concatenate([np.empty(0, dtype=np.int32), *samples])).astype(np.int64)
    keywords = papers.take(sampled_rows).keywords()
    keys = (str(index.terms[int(term)].as_py()) for term in terms)
    return [
        _most_common_spelling([keywords[place] for place in np.searchsorted(sampled_rows, rows)], key)
        for rows, key in zip(samples, keys, strict=True)
    ]


def _most_common_spelling(keywords: Sequence[Sequence[str]], term: str) -> str | None:
    """Find the most common spelling of `term` in papers with these `keywords`; `None` if too few have it as a keyword
    in its own right.
    """
    spellings = Counter(
        form
        for of_paper in keywords
        for form in {" ".join(keyword.split()) for keyword in of_paper if _is_plain(keyword, term)}
    )
    if spellings.total() < max(WHOLE_PHRASE * len(keywords), 1):
        return None
    text = min(spellings, key=lambda form: (-spellings[form], form))
    words = text.split()
    return text if len(words) <= MAX_LEMMAS and 3 <= len(text) <= MAX_LETTERS else None


def _is_plain(keyword: str, term: str) -> bool:
    """True if `keyword` is the phrase itself rather than a heading from a journal's keyword list ("methods:
    numerical").
    """
    return ":" not in keyword and " ".join(lemmas(keyword)) == term
