"""Finds papers by author: names as readers write them are compared with the spellings in a corpus.

A name is "Riess", "Riess, A", "Adam Riess" or "Planck Collaboration"; a ^ before it means the first author only. Family
names must agree; given names must not contradict each other, so "Riess, A" also matches "Riess, Adam G.". Case and
accents are ignored, and so are hyphens and apostrophes; "Mueller" is also found as "Müller". People are distinguished
by name alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.text.author_names import PersonName, is_initials, parse_name
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.spelling import fold

_PUNCTUATION = str.maketrans(dict.fromkeys("-‐‑–—", " ") | dict.fromkeys("'’ʼ`´"))
_DIGRAPHS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "đ": "dj"}
_UMLAUTS = str.maketrans(_DIGRAPHS | {letter.upper(): both.title() for letter, both in _DIGRAPHS.items()})
FIRST = "^"
"""Sign before the name of a first author, as in ADS."""


@dataclass(frozen=True, slots=True)
class AuthorName:
    """A name in lower case and without accents."""

    last: frozenset[str]
    """The family name as people may write it: "muller" and "mueller"."""
    first: tuple[str, ...]
    is_first_author: bool = False
    whole: frozenset[str] = frozenset()
    """The name in one piece, because "Di Matteo" may be a family name, or the full name of a person whose first name is
    Di.
    """

    @property
    def is_initialled(self) -> bool:
        """Whether the first names are initials, which are no part of a family name."""
        return all(len(name) == 1 for name in self.first)

    @classmethod
    def of(cls, name_text: str) -> "AuthorName":
        """Read a name as a reader writes it."""
        plain = plain_text(name_text.strip().removeprefix(FIRST))
        name = parse_name(plain)
        return cls(_spellings(name.last), _first_names(name), name_text.strip().startswith(FIRST), _spellings(plain))

    def matches(self, spelling: str) -> bool:
        """True if `spelling` may be this name: the family names agree, and the first names do not contradict each
        other.
        """
        other = parse_name(plain_text(spelling))
        last = _spellings(other.last)
        pairs = zip(self.first, _first_names(other), strict=False)
        agree = all(a.startswith(b) or b.startswith(a) for a, b in pairs)
        if "," not in spelling and self.first and not self.is_initialled:  # "Rodríguez Soler" of "Ana Rodríguez Soler"
            agree = agree or any(whole.endswith(f" {own}") for whole in _spellings(spelling) for own in self.whole)
        return not last.isdisjoint(self.whole) or (agree and not last.isdisjoint(self.last))


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
        words = {max(last.split(), key=len, default="") for last in name.last}
        conditions = [
            *(pc.match_substring(flat, word, ignore_case=True) for word in sorted(words)),
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


def _first_names(name: PersonName) -> tuple[str, ...]:
    words = name.first.replace(".", " ").replace("-", " ").split()
    return tuple(fold(part) for word in words for part in (word if is_initials(word) else (word,)))


def _array(column: pa.Array) -> NDArray[np.int64]:
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.int64)
