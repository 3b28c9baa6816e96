"""Finds papers by author: names as readers write them are compared with the spellings in a corpus.

A name is "Riess", "Riess, A", "Adam Riess" or "Planck Collaboration"; a ^ before it means the first author only. Family
names must agree; given names must not contradict each other, so "Riess, A" also matches "Riess, Adam G.". Case and
accents are ignored, and so are hyphens and apostrophes; "Mueller" is also found as "Müller". People are distinguished
by name alone.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.text.author_names import is_initials, parse_name
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.spelling import fold

_PUNCTUATION = str.maketrans(dict.fromkeys("-‐‑–—", " ") | dict.fromkeys("'’ʼ`´"))
_DIGRAPHS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "đ": "dj"}
_UMLAUTS = str.maketrans(_DIGRAPHS | {letter.upper(): both.title() for letter, both in _DIGRAPHS.items()})
_ARTICLE = re.compile(r"the\s+(?=.*\s)", re.IGNORECASE)
_WORD = re.compile(r"[^\s,.;]+")
_MOST_GIVEN = 6
"""Number of given names up to which some are tried as part of the family name."""
FIRST = "^"
"""Sign before the name of a first author, as in ADS."""


@dataclass(frozen=True, slots=True)
class AuthorName:
    """A name in lower case and without accents."""

    readings: tuple[tuple[frozenset[str], tuple[str, ...]], ...]
    """Family names as people may write them, such as "muller" and "mueller", each with the first names: first as
    `parse_name` reads them, and then with more words, but no initials, in the family name, because "Ana Rodríguez
    Soler" may be one of Rodríguez Soler, and "Di Matteo" the full name of a person whose first name is Di.
    """
    is_first_author: bool = False

    @property
    def last(self) -> frozenset[str]:
        """The family name as people may write it."""
        return self.readings[0][0]

    @property
    def longest_words(self) -> frozenset[str]:
        """The longest word of each family name in `last`."""
        return frozenset(max(last.split(), key=len, default="") for last in self.last)

    @property
    def first(self) -> tuple[str, ...]:
        """The first names."""
        return self.readings[0][1]

    @classmethod
    def of(cls, name_text: str) -> "AuthorName":
        """Read a name as a reader or a paper writes it."""
        plain = _ARTICLE.sub("", plain_text(name_text.strip().removeprefix(FIRST)))
        name = parse_name(plain)
        given = name.first.split() if "," not in plain and plain.startswith(name.first) else []
        given = given if len(given) <= _MOST_GIVEN else []
        n_before = max((n for n, word in enumerate(given, start=1) if is_initials(word)), default=0)
        starts = [len(given), *range(n_before, len(given))]
        families = [" ".join([*given[start:], name.last]) for start in starts]
        first_texts = (" ".join(given[:start]) if given else name.first for start in starts)
        first_words = (text.replace(".", " ").replace("-", " ").split() for text in first_texts)
        firsts = [
            tuple(fold(part) for word in words for part in (word if is_initials(word) else (word,)))
            for words in first_words
        ]
        return cls(tuple(zip(map(_spellings, families), firsts, strict=True)), name_text.strip().startswith(FIRST))

    def matches(self, spelling: str) -> bool:
        """True if `spelling` may be this name: the family names agree, and the first names do not contradict each
        other.
        """
        if all(self.longest_words.isdisjoint(_WORD.findall(whole)) for whole in _spellings(plain_text(spelling))):
            return False
        return any(
            not last.isdisjoint(other_last)
            and all(a.startswith(b) or b.startswith(a) for a, b in zip(first, other, strict=False))
            for last, first in self.readings
            for other_last, other in AuthorName.of(spelling).readings
        )


@dataclass(frozen=True, slots=True, eq=False)
class ByAuthors:
    """The papers in a corpus by certain authors."""

    mask: NDArray[np.bool_]
    """True for their papers, shape (n_papers,)."""
    spellings: tuple[str, ...]
    """Spellings under which the names occur in the corpus."""


def papers_by(authors: pa.ChunkedArray, names: Sequence[str]) -> ByAuthors:
    """Find the papers by any of `names`; `authors` is the column of author lists."""
    column = authors.combine_chunks()
    flat, papers = pc.list_flatten(column), _array(pc.list_parent_indices(column))
    is_by, spellings = np.zeros(len(column), dtype=np.bool_), []
    for name in map(AuthorName.of, names):
        # Only these need comparing: with the longest word of the family name, an accent, an apostrophe or LaTeX.
        conditions = [
            *(pc.match_substring(flat, word, ignore_case=True) for word in sorted(name.longest_words)),
            pc.invert(pc.string_is_ascii(flat)),
            pc.match_substring_regex(flat, r"['\\]"),
        ]
        candidates = _array(pc.indices_nonzero(reduce(pc.or_, conditions)))
        name_codes = flat.take(pa.array(candidates)).dictionary_encode()
        author_names = name_codes.dictionary.to_pylist()
        matching = [place for place, spelling in enumerate(author_names) if name.matches(spelling)]
        entries = candidates[np.isin(_array(name_codes.indices), matching)]
        if name.is_first_author:
            entries = entries[(entries == 0) | (papers[entries] != papers[entries - 1])]
        is_by[papers[entries]] = True
        spellings += [author_names[place] for place in matching]
    return ByAuthors(is_by, tuple(dict.fromkeys(spellings)))


def _spellings(name: str) -> frozenset[str]:
    """Return the ways of writing a name without accents; hyphens count as spaces, and apostrophes not at all."""
    plain = " ".join(name.translate(_PUNCTUATION).split())
    return frozenset({fold(plain), fold(plain.translate(_UMLAUTS))})


def _array(column: pa.Array) -> NDArray[np.int64]:
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.int64)
