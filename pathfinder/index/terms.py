"""Find papers by keyword: the terms of a corpus, each with the rows of the papers that have it.

A term is a run of one to five adjacent lemmas within a keyword or a subject, so "star" is a term of "young stars" and
of "star formation", but not of "starburst".
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pathfinder.index.keyword_phrases import KeywordPhrases, is_among
from pathfinder.index.listed_terms import TERMS_FILE, ListedTerms
from pathfinder.text.language.lemmas import lemmas
from pathfinder.types import Expansion, Floats, Keyword, Paper, Rows

ENTITY_MULTIPLE = 3
"""Weight of a named entity in the question, relative to another keyword of the same rarity."""


class TermPapers(Protocol):
    """The papers that have each term."""

    @property
    def has_keywords(self) -> NDArray[np.bool_]:
        """True for papers that have any keyword, shape (n_papers,)."""

    @property
    def all_terms(self) -> ListedTerms:
        """All terms, each written out with the rows of its papers, for the statistics of the map."""

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        """Return the rows of papers that have `term` (lemmas joined by spaces), ascending."""


@dataclass(frozen=True, slots=True, eq=False)
class KeywordIndex:
    """The keywords of a corpus; row i is paper i."""

    papers: TermPapers

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the index written by `build_keyword_index`, or by an earlier version, memory-mapped.

        Raises `CorpusDamaged` if a file is missing or altered.
        """
        is_listed = (folder / TERMS_FILE).exists()
        return cls(ListedTerms.open(folder) if is_listed else KeywordPhrases.open(folder))

    @property
    def has_keywords(self) -> NDArray[np.bool_]:
        """See `TermPapers.has_keywords`."""
        return self.papers.has_keywords

    @property
    def terms(self) -> pa.LargeStringArray:
        """All terms: lemmas joined by spaces, sorted by code point, without duplicates."""
        return self.papers.all_terms.terms

    @property
    def starts(self) -> NDArray[np.int64]:
        """Start of each term's rows in `rows`, followed by the total number of rows, shape (n_terms + 1,)."""
        return self.papers.all_terms.starts

    @property
    def rows(self) -> NDArray[np.int32]:
        """Rows of the papers that have a term, ascending within each term."""
        return self.papers.all_terms.rows

    def weights(self, keywords: Sequence[Keyword], rows: Rows, expansions: Sequence[Expansion] = ()) -> Floats:
        """Return the fraction of `keywords` that each of the papers at `rows` has, weighted by rarity: shape
        (len(rows),), in [0, 1].

        The fraction is `sum_t m_t idf_t has(paper, t) / sum_t m_t idf_t` over the distinct terms of `keywords`, with
        `m_t = 3` for a named entity and 1 otherwise, and `idf_t = log(1 + N / df_t)`. Terms that no paper in the corpus
        has are omitted from both sums; if none remains, all weights are 0. The weight is NaN for a paper without
        keywords. A paper with a synonym of a keyword, from `expansions`, counts as having the keyword, including in its
        `df`.
        """
        other_names = {_term(lemmas(e.term)): [_term(lemmas(name)) for name in e.names] for e in expansions}
        shares = np.zeros(len(rows))
        total = 0.0
        for term, multiple in _multiples(keywords).items():
            papers = self.rows_of_term(term)
            for name in other_names.get(term, ()):
                papers = np.union1d(papers, self.rows_of_term(name))
            if len(papers):
                worth = multiple * math.log1p(len(self.has_keywords) / len(papers))
                shares += worth * is_among(rows, papers)
                total += worth
        if total == 0:
            return shares
        return np.where(self.has_keywords[rows], np.minimum(shares / total, 1.0), np.nan)

    def papers_with(self, phrase: str) -> NDArray[np.int32]:
        """Return the rows of papers that have `phrase`, compared by lemmas, as a keyword or as part of one."""
        return self.rows_of_term(_term(lemmas(phrase)))

    def rows_of_term(self, term: str) -> NDArray[np.int32]:
        """See `TermPapers.rows_of_term`."""
        return self.papers.rows_of_term(term)


def _multiples(keywords: Iterable[Keyword]) -> dict[str, int]:
    """Return the multiplier of each distinct term; a term counts as a named entity if any of its occurrences is one."""
    multiples: dict[str, int] = {}
    for keyword in keywords:
        term = _term(lemmas(keyword.text))
        multiples[term] = max(multiples.get(term, 1), ENTITY_MULTIPLE if keyword.is_entity else 1)
    return multiples


def _term(sequence: Sequence[str]) -> str:
    return " ".join(sequence)


def keyword_index_of(papers: Iterable[Paper]) -> KeywordIndex:
    """Index the keywords and subjects of `papers` in memory."""
    return KeywordIndex(KeywordPhrases.of(papers))


def build_keyword_index(papers: Iterable[Paper], folder: Path) -> None:
    """Write the index of the keywords and subjects of `papers` into `folder`.

    The same papers always give the same bytes. Row i is the i-th of `papers`, which are read once and not kept in
    memory.
    """
    KeywordPhrases.of(papers).write(folder)
