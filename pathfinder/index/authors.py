"""Finds papers by author: names as readers write them are compared with the spellings in a corpus.

A name is "Riess", "Riess, A", "Adam Riess" or "Planck Collaboration"; a ^ before it means the first author only. Family
names must agree; given names must not contradict each other, so "Riess, A" also matches "Riess, Adam G."; where that
finds nobody, the given name before a family name may be the second: "Jocelyn Bell" finds "Bell, S. J.". Case and
accents are ignored, and so are hyphens, apostrophes, full stops and spaces; "Mueller" is also found as "Müller". People
are distinguished by name alone.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.text.author_names import is_initials, is_particle, parse_name
from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.spelling import fold

_PUNCTUATION = str.maketrans(dict.fromkeys("-‐‑–—.,;", " ") | dict.fromkeys("'‘’ʻʼ`´"))
_DIGRAPHS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "đ": "dj"}
_UMLAUTS = str.maketrans(_DIGRAPHS | {letter.upper(): both.title() for letter, both in _DIGRAPHS.items()})
_ARTICLE = re.compile(r"the\s+(?=.*?\s)", re.IGNORECASE)
_UNSPACED = re.compile(r"[\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2,5}")
"""A name in Chinese, Japanese or Korean script, where nothing parts the family name from the given name."""
_MOST_WORDS, _LONGEST = 4, 200
_MOST_GIVEN = 6
"""Number of given names up to which some are tried as part of the family name."""
FIRST = "^"
"""Sign before the name of a first author, as in ADS."""


@dataclass(frozen=True, slots=True)
class AuthorName:
    """A name in lower case and without accents."""

    readings: tuple[tuple[frozenset[str], tuple[str, ...]], ...]
    """Family names as people may write them, such as "muller" and "mueller", each with the first names: first as
    `parse_name` reads them, and then with more words, but no initials with a full stop, in the family name, because
    "Ana Rodríguez Soler" may be one of Rodríguez Soler, "Di Matteo" the full name of a person whose first name is Di,
    and "O Dell" a family name.
    """
    is_first_author: bool = False

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
        n_before = max((n for n, word in enumerate(given, start=1) if is_initials(word) and "." in word), default=0)
        starts = [len(given), *range(n_before, len(given))]
        families = [" ".join([*given[start:], name.last]) for start in starts]
        first_texts = (" ".join(given[:start]) if given else name.first for start in starts)
        first_words = (text.replace(".", " ").replace("-", " ").split() for text in first_texts)
        firsts = [
            tuple(fold(part) for word in words for part in (word if is_initials(word) else (word,)))
            for words in first_words
        ]
        lasts = (frozenset(key.replace(" ", "") for key in _keys(family)) for family in families)
        return cls(tuple(zip(lasts, firsts, strict=True)), name_text.strip().startswith(FIRST))

    def matches(self, other: "AuthorName", *, is_written_out: bool = False) -> bool:
        """True if `other` may be this name: the family names agree, and the first names do not contradict each other;
        or, if `is_written_out`, the first of them, if given, is the same.
        """
        return any(
            not last.isdisjoint(other_last)
            and all(a.startswith(b) or b.startswith(a) for a, b in zip(first, other_first, strict=False))
            and not (is_written_out and first and first[:1] != other_first[:1])
            for last, first in self.readings
            for other_last, other_first in other.readings
        )

    def is_second_of(self, other: "AuthorName") -> bool:
        """True if `other` may be called by this name although it is not its first one."""
        return any(
            not last.isdisjoint(other_last)
            and len(first) == 1 < len(first[0])
            and any(first[0].startswith(later) for later in other_first[1:])
            for last, first in self.readings
            for other_last, other_first in other.readings
        )

    @property
    def pattern(self) -> str:
        """Pattern for keys (`_keys`) that may be those of this name: with a family name as a word, or as several."""
        lasts = sorted({last for lasts, _ in self.readings for last in lasts if 0 < len(last) <= _LONGEST})
        spaced = "|".join(" ?".join(map(re.escape, last)) for last in lasts)
        return rf"(?:^|[ |])(?:{spaced})(?:$|[ |])" if lasts else "^$"


def family_first(name: str) -> Iterator[str]:
    """Yield the ways in which `name`, of up to four words, may be one whose family name comes first, although no comma
    says so, as in Vietnam, Hungary or China: "Nguyen Van Thi" as "Nguyen, Van Thi".
    """
    words = [] if "," in name else name.split()
    if len(words) <= _MOST_WORDS:
        yield from (f"{' '.join(words[:n])}, {' '.join(words[n:])}" for n in range(1, len(words)))
    if _UNSPACED.fullmatch(name):
        yield from (f"{name[:n]}, {name[n:]}" for n in range(1, min(len(name), 3)))


@dataclass(frozen=True, slots=True, eq=False)
class ByAuthors:
    """The papers in a corpus by certain authors."""

    mask: NDArray[np.bool_]
    """True for their papers, shape (n_papers,)."""
    spellings: tuple[str, ...]
    """Spellings under which the names occur in the corpus."""


class AuthorLists:
    """A column of author lists, in which names are looked up."""

    def __init__(self, authors: pa.ChunkedArray) -> None:
        self._column = authors.combine_chunks()

    @cached_property
    def _names(self) -> tuple[list[str], pa.Array, NDArray[np.int64], NDArray[np.int64]]:
        """The names as written, the keys of each, and for each entry its name and the row of its paper."""
        entries = pc.list_flatten(self._column).dictionary_encode()
        names = entries.dictionary.to_pylist()
        keys = pa.array(["|".join(_keys(_family_together(plain_text(name)))) for name in names], pa.string())
        return names, keys, _array(entries.indices), _array(pc.list_parent_indices(self._column))

    def papers_by(self, names: Sequence[str]) -> ByAuthors:
        """Find the papers by any of `names`."""
        written, keys, codes, papers = self._names
        is_by, spellings = np.zeros(len(self._column), dtype=np.bool_), []
        for text in names:
            name = AuthorName.of(text)
            candidates = pc.indices_nonzero(pc.match_substring_regex(keys, name.pattern)).to_pylist()
            found = [(place, AuthorName.of(written[place])) for place in candidates]
            matching = [place for place, other in found if name.matches(other)]
            if not matching and "," not in text:
                matching = [place for place, other in found if name.is_second_of(other)]
            entries = np.flatnonzero(np.isin(codes, matching))
            if name.is_first_author:
                entries = entries[(entries == 0) | (papers[entries] != papers[entries - 1])]
            is_by[papers[entries]] = True
            spellings += [written[place] for place in matching]
        return ByAuthors(is_by, tuple(dict.fromkeys(spellings)))


def _family_together(name: str) -> str:
    """Put the family name of "Berg, Jan van der" before the whole."""
    return f"{parse_name(name).last} {name}" if "," in name and is_particle(name.rsplit(maxsplit=1)[-1]) else name


def _keys(name: str) -> frozenset[str]:
    """Return the ways of writing a name in lower case, without accents and apostrophes, and with spaces for hyphens,
    commas and full stops.
    """
    plain = " ".join(name.translate(_PUNCTUATION).split())
    return frozenset({fold(plain), fold(plain.translate(_UMLAUTS))})


def _array(column: pa.Array) -> NDArray[np.int64]:
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.int64)
