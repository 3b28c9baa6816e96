"""The authors and year of an entry in the reference list, by which citations refer to it."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Self

from pathfinder.text.author_names import SUFFIX, TEAM, is_group
from pathfinder.text.author_year import CITED_YEAR, ET_AL

REFERENCE_LIST = re.compile(
    r"(?:(?:\d{1,2}|[IVX]+)\.?\s+)?(?:references?(?: and notes)?|bibliography|literature cited|works cited|"
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
_ET_AL = re.compile(ET_AL, re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


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
        n_authors = max(len(names), 3) if _ET_AL.search(head) else len(names)
        words = frozenset(fold_name(word) for word in _WORD.findall(head))
        return cls(key, names[0], words, n_authors, year[1], year[2])


def fold_name(name: str) -> str:
    """Return a name for comparison: in lower case without accents, with plain apostrophes and single spaces."""
    letters = unicodedata.normalize("NFKD", name.replace("’", "'").replace("ß", "ss").casefold())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(plain.replace("ł", "l").replace("ø", "o").split())


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
    tokens = [token.strip(" .:\"'“”()[]") for token in _ET_AL.sub("", part).replace(".", ". ").split()]
    if not any(map(is_group, tokens)):
        tokens = [token for token in tokens if not (token.isupper() and _INITIALS.fullmatch(token))]
        tokens = [token for token in tokens if not SUFFIX.fullmatch(token)]
    return fold_name(" ".join(tokens))
