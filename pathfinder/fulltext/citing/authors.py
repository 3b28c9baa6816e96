"""Citations by author and year, such as "Riess et al. (2022)" or "(Smith & Jones 2019a; Doe 2020)"."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pathfinder.fulltext.citing.cited_at import CitedAt
from pathfinder.fulltext.citing.listed_works import ListedWork, fold_name
from pathfinder.text.author_names import is_particle
from pathfinder.text.author_year import CITED_YEAR, ET_AL

LONGEST_NAMES = 160
"""Number of characters before a year that are searched for the authors."""

_YEARS = re.compile(
    rf"(?<![\w.:/-]){CITED_YEAR}[a-z]?(?![\w/-])(?!\.\d)"
    rf"(?:\s*[,;&]\s*(?:and\s+)?(?:{CITED_YEAR}[a-z]?(?![\w/-])|[a-z](?=\s*[,;)\]]))|\s+and\s+{CITED_YEAR}[a-z]?(?=\s*[,;)\]]))*"
)
_ONE_YEAR = re.compile(rf"({CITED_YEAR})?([a-z]?)(?=\W|$)")
_BEFORE_YEAR = re.compile(r"(?P<possessive>['’]s)?(?:\s*,)?\s*[(\[]?\s*$")
_ET_AL = re.compile(rf"(?:{ET_AL}|,?\s+(?:and\s+(?:others|collaborators)|u\.\s?a\.|y\s+col\.))$")
_TOKEN = re.compile(r"[^\s,;&()\[\]]+|[,;&()\[\]]")
_AND = frozenset({"and", "&", "und", "et", "y", "e"})


class _NameToken(NamedTuple):
    """A token in a list of names, with its place in the text."""

    text: str
    start: int


class AuthorCitations:
    """Finds citations by author and year, and resolves them to the entries in a reference list."""

    def __init__(self, entries: Iterable[tuple[str, str]]) -> None:
        """Create it from the key and text of each entry in the reference list."""
        self._by_year: dict[str, list[ListedWork]] = {}
        for work in filter(None, (ListedWork.of(*entry) for entry in entries)):
            self._by_year.setdefault(work.year, []).append(work)

    def citations(self, text: str) -> Iterator[CitedAt]:
        """Yield the citations in a paragraph, in order; a citation with "et al." that fits no entry has no keys."""
        last = 0
        for match in _YEARS.finditer(text):
            citation = self._citation(text, match, max(last, match.start() - LONGEST_NAMES))
            if citation is not None:
                last = citation.end
                yield citation

    def _citation(self, text: str, years: re.Match[str], earliest: int) -> CitedAt | None:
        before = _BEFORE_YEAR.search(text, earliest, years.start())
        end = before.start() if before else years.start()
        et_al = _ET_AL.search(text, earliest, end)
        groups = _names(text, earliest, et_al.start() if et_al else end)
        closing = years.end() + (text[years.end() : years.end() + 1] in {")", "]"} and _opens(text, years.start()))
        for at, group in enumerate(groups):
            others = frozenset(
                fold_name(name.text) for other in groups[at + 1 :] for name in other if _is_name(name.text)
            )
            for place in range(len(group)):
                first = fold_name(" ".join(name.text for name in group[place:]))
                size = 3 if et_al else len(groups) - at
                keys = self._keys(first, others, size, years[0])
                if keys:
                    return CitedAt(group[place].start, closing, keys)
        if et_al and groups:
            return CitedAt(groups[-1][0].start, closing, ())
        return None

    def _keys(self, first: str, others: frozenset[str], size: int, years: str) -> tuple[str, ...]:
        """Return the keys of the entries by these authors, for each year that fits exactly one entry."""
        works = (self._work(first, others, size, *each) for each in _years(years))
        return tuple(dict.fromkeys(work.key for work in works if work is not None))

    def _work(self, first: str, others: frozenset[str], size: int, year: str, letter: str) -> ListedWork | None:
        fitting = [
            work
            for work in self._by_year.get(year, ())
            if (not letter or work.letter in {"", letter}) and _is_same(work.first, first) and others <= work.words
        ]
        for narrower in (
            [work for work in fitting if work.letter == letter],
            [work for work in fitting if work.letter == letter and min(work.n_authors, 3) == min(size, 3)],
            [work for work in fitting if min(work.n_authors, 3) == min(size, 3)],
            fitting,
        ):
            if len(narrower) == 1:
                return narrower[0]
        return None


def _opens(text: str, start: int) -> bool:
    """Return whether the brackets contain only the years."""
    return text[max(0, start - 2) : start].rstrip().endswith(("(", "["))


def _years(text: str) -> Iterator[tuple[str, str]]:
    """Yield the year and letter of each part of "2019a,b, 2021"; a letter alone belongs to the year before it."""
    before = ""
    for match in _ONE_YEAR.finditer(text):
        if match[0]:
            before = match[1] or before
            yield before, match[2]


def _names(text: str, start: int, end: int) -> list[list[_NameToken]]:
    """Return the names that end at `end`, each as its tokens; names are separated by a comma, "and" or an ampersand."""
    groups: list[list[_NameToken]] = [[]]
    for match in reversed(list(_TOKEN.finditer(text, start, end))):
        word = match[0]
        if word in _AND or word == ",":
            if groups == [[]]:
                break
            if groups[0]:
                groups.insert(0, [])
        elif _is_name(word) or (is_particle(word) and groups[0]):
            groups[0].insert(0, _NameToken(word, match.start()))
        else:
            break
    return [group for group in groups if group]


def _is_name(word: str) -> bool:
    return word[:1].isupper() or (len(word) > 2 and word[1] in "'’" and word[2].isupper())


def _is_same(surname: str, name: str) -> bool:
    """Return whether a name in the text matches one in the list; either may have further words, such as first names or
    the number after a collaboration's name.
    """
    return (
        surname == name
        or surname.endswith(f" {name}")
        or surname.startswith(f"{name} ")
        or name.startswith(f"{surname} ")
    )
