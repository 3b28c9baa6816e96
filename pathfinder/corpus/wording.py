"""Words and abbreviations of a corpus as its papers write them, read once from their texts when first needed."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.index.words import INDEX_STOP_WORDS, stems, words
from pathfinder.text.abbreviations import definitions, paired_keywords
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.spelling import fold

MOST_ABSTRACTS = 5_000
"""Maximum number of papers, spread evenly over a corpus, whose abstracts are read: reading takes about 0.2 ms each. In
a larger corpus, an abbreviation counts only if two of these papers define it.
"""
SHARE_OF_DEFINITIONS = 0.6
"""Minimum share of an abbreviation's definitions that must agree: "PSF" with two meanings in a corpus has none."""

_WORD = re.compile(r"[^\W\d_]{4,}")
_NAME = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A short form, and the long form that papers of the corpus give it."""

    short: str
    long: str
    n_papers: int
    """Number of papers that define it so."""


class Wording:
    """Words and abbreviations in the columns of a corpus."""

    def __init__(self, table: pa.Table) -> None:
        self._table = table

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of at least four letters in titles, keywords and abstracts, in lower case and in alphabetical order."""
        found: set[str] = set()
        for title in self._table.column("title").to_pylist():
            found.update(_WORD.findall((title or "").lower()))
        for keywords in self._table.column("subjects").to_pylist():
            for keyword in keywords or ():
                found.update(_WORD.findall(keyword.lower()))
        for text in self._sample("abstract"):
            found.update(_WORD.findall(text.lower()))
        return tuple(sorted(found))

    def words_from(self, start: str) -> tuple[str, ...]:
        """Return the `words` that begin with `start`."""
        return self.words[bisect_left(self.words, start) : bisect_left(self.words, f"{start}\U0010ffff")]

    @cached_property
    def author_words(self) -> frozenset[str]:
        """Words of the authors' names, in lower case and without accents."""
        authors = pc.unique(pc.list_flatten(self._table.column("authors").combine_chunks())).to_pylist()
        return frozenset(fold(word) for author in authors if author for word in _NAME.findall(plain_text(author)))

    @cached_property
    def abbreviations(self) -> tuple[Abbreviation, ...]:
        """Abbreviations that papers define, in the order in which they occur, each with its most frequent long form; a
        short form on whose meaning the papers do not agree is left out.
        """
        meanings: dict[str, Counter[str]] = {}
        spellings: dict[tuple[str, str], Counter[str]] = {}
        for short, long_form in self._definitions():
            if key := " ".join(stems(words(long_form), INDEX_STOP_WORDS)):
                meanings.setdefault(short, Counter())[key] += 1
                spellings.setdefault((short, key), Counter())[long_form] += 1
        agreed = ((short, counts.most_common(1)[0], counts.total()) for short, counts in meanings.items())
        return tuple(
            Abbreviation(short, spellings[short, key].most_common(1)[0][0], n)
            for short, (key, n), total in agreed
            if n >= max(SHARE_OF_DEFINITIONS * total, 1 if self._table.num_rows <= MOST_ABSTRACTS else 2)
        )

    def _definitions(self) -> Iterator[tuple[str, str]]:
        rows = zip(self._sample("title"), self._sample("abstract"), self._sample("subjects"), strict=True)
        for title, abstract, keywords in rows:
            own = (*definitions(title), *definitions(abstract), *paired_keywords(keywords))
            yield from dict.fromkeys(own)

    def _sample(self, name: str) -> Iterator[str]:
        column, n_papers = self._table.column(name), self._table.num_rows
        if n_papers > MOST_ABSTRACTS:
            column = column.take(pa.array(np.linspace(0, n_papers - 1, MOST_ABSTRACTS).astype(np.int64).tolist()))
        return (value or "" for value in column.to_pylist())
