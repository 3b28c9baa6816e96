"""Citations by author and year, such as "Riess et al. (2022)" or "(Smith & Jones 2019a; Doe 2020)"."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

from pathfinder.text.author_names import CITED_YEAR, ET_AL, SUFFIX, TEAM, is_group, is_particle
from pathfinder.text.spelling import fold


class CitedAt(NamedTuple):
    """Position of a citation in a text, and the keys of the references that it cites; no keys if it fits none."""

    start: int
    end: int
    keys: tuple[str, ...]


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


@dataclass(frozen=True, slots=True)
class ListedWork:
    """Authors and year of an entry in the reference list."""

    key: str
    first: str
    """Its first author or collaboration, without initials, folded for comparison."""
    words: frozenset[str]
    """Folded words of all its authors; if the year comes at the end, also those of the title and journal."""
    n_authors: int
    """Number of authors that the entry names; three if it says "et al." after fewer."""
    year: str
    letter: str
    """Letter after the year, as in 2019a; empty if there is none."""

    @classmethod
    def of(cls, key: str, entry: str) -> Self | None:
        """Return the authors and year of an entry; `None` if it names no author before a year."""
        text = entry[:LONGEST_HEAD]
        year = _year(text)
        head = text[: year.start()] if year else ""
        names = [name for name in map(_without_initials, _SEPARATOR.split(head)) if name]
        if year is None or not names:
            return None
        n_authors = max(len(names), 3) if _ET_AL_IN_LIST.search(head) else len(names)
        words = frozenset(fold_name(word) for word in _WORD.findall(head))
        return cls(key, names[0], words, n_authors, year[1], year[2])


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
                works = (self._work(first, others, size, *each) for each in _years(years[0]))
                keys = tuple(dict.fromkeys(work.key for work in works if work is not None))
                if keys:
                    return CitedAt(group[place].start, closing, keys)
        if et_al and groups:
            return CitedAt(groups[-1][0].start, closing, ())
        return None

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


# Citations by number, such as [3], [2, 5-7] or superscript: galaxies²,⁵⁻⁷.

MOST_CITED = 30
"""Longest range of numbers that counts as a citation."""

_BRACKETS = re.compile(r"\[(\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*)\]")
_PART = re.compile(r"(\d{1,4})(?:\s*[–-]\s*(\d{1,4}))?")

_DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_SUPERSCRIPT = re.compile(rf"(?<=[^\W\d_]|[.,;:!?)\]\"'’”%]) ?([{_DIGITS}]{{1,3}}(?:[,;⁻] ?[{_DIGITS}]{{1,3}})*)(?!\w)")
_PLAIN = str.maketrans(f"{_DIGITS}⁻", "0123456789-")
_LONGEST_WORD = 60
_WORD_BEFORE = re.compile(rf"([^\W\d_{_DIGITS}]{{1,{_LONGEST_WORD}}})$")
_LONGEST_SYMBOL, _LONGEST_UNIT = 2, 4
"""Longest symbol whose power looks like a citation (σT⁴), and longest unit whose square or cube does (km², kpc³)."""


def raised_citations(text: str, keys: Collection[str]) -> tuple[CitedAt, ...]:
    """Return the superscript numbers in a paragraph that cite the references whose numbers are `keys`.

    A single digit after a symbol, and a 2 or a 3 after a short word, may be an exponent, as in "km²", and does not
    count.
    """
    matches = (match for match in _SUPERSCRIPT.finditer(text) if not _may_be_power(text, match))
    cited_numbers = ((match, tuple(_numbers(match[1].translate(_PLAIN)))) for match in matches)
    return tuple(
        CitedAt(match.start(1), match.end(), numbers)
        for match, numbers in cited_numbers
        if numbers and set(keys) >= {*numbers}
    )


def _may_be_power(text: str, match: re.Match[str]) -> bool:
    word, number = (
        _WORD_BEFORE.search(text, max(0, match.start(1) - _LONGEST_WORD), match.start(1)),
        match[1].translate(_PLAIN),
    )
    longest = _LONGEST_UNIT if number in ("2", "3") else _LONGEST_SYMBOL if len(number) == 1 else 0
    return word is not None and len(word[1]) <= longest


def numbered_citations(text: str, keys: Collection[str]) -> tuple[CitedAt, ...]:
    """Return the citations in a paragraph that refer to the references whose numbers are `keys`."""
    matches = ((match, tuple(key for key in _numbers(match[1]) if key in keys)) for match in _BRACKETS.finditer(text))
    return tuple(CitedAt(match.start(), match.end(), numbers) for match, numbers in matches if numbers)


def _numbers(text: str) -> Iterator[str]:
    for part in _PART.finditer(text):
        first, last = int(part[1]), int(part[2] or part[1])
        yield from map(str, range(first, min(last, first + MOST_CITED) + 1))


# The authors and year of an entry in the reference list, by which citations refer to it.

REFERENCE_LIST = re.compile(
    r"(?:(?:\d{1,2}|[IVX]{1,5})\.?\s+)?(?:(?:main |cited )?references?(?: cited| and notes)?|bibliography|"
    r"literature cited|works cited|"
    r"literatur(?:verzeichnis)?|bibliographie|références(?: bibliographiques)?|"
    r"bibliografía|referencias|bibliografia)\s*:?",
    re.IGNORECASE,
)
"""Heading of a reference list."""

LONGEST_HEAD = 3000
"""Number of characters in an entry that are searched for its authors and its year; lists of authors may be long."""

_YEAR = re.compile(rf"(?<![\d.:/-])({CITED_YEAR})([a-z]?)(?![\w/-])(?!\.\d)")
_NO_YEAR = re.compile(r"(?:\b(?:pp?|[Vv]ol|[Nn]o|[Aa]rt|[Ii][Dd])\.?\s*|[–-]\s*)$")
_AT_YEAR = re.compile(rf"(?:[(,.]|\bal|{TEAM})\s*$")
_SEPARATOR = re.compile(r"(?:(?<!\s)\s+)?(?:[,;&(]|\band\b|\bund\b|\bet\b(?!\s+al)|\by\b)\s*")
_INITIALS = re.compile(r"(?:[^\W\d_]\.?-?){1,3}")
_ET_AL_IN_LIST = re.compile(ET_AL, re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def fold_name(name: str) -> str:
    """Return a name for comparison: in lower case without accents, with plain apostrophes and single spaces."""
    return " ".join(fold(name.replace("’", "'")).split())


def _year(text: str) -> re.Match[str] | None:
    """Return the year of an entry: the first in brackets or between punctuation marks, or else the first that is not a
    page number. A number at the very end is more often a page than a year.
    """
    years = [match for match in _YEAR.finditer(text) if not _NO_YEAR.search(_before(text, match))]
    marked_years = (
        year
        for year in years
        if _AT_YEAR.search(_before(text, year)) and text[year.end() : year.end() + 1] in {",", ")", ".", ":", ";"}
    )
    return next(marked_years, years[0] if years else None)


def _before(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - 20) : match.start()]


def _without_initials(part: str) -> str:
    """Return part of a list of authors, folded and without initials; empty if it contains only initials."""
    tokens = [token.strip(" .:\"'“”()[]") for token in _ET_AL_IN_LIST.sub("", part).replace(".", ". ").split()]
    if not any(map(is_group, tokens)):
        tokens = [token for token in tokens if not (token.isupper() and _INITIALS.fullmatch(token))]
        tokens = [token for token in tokens if not SUFFIX.fullmatch(token)]
    return fold_name(" ".join(tokens))
