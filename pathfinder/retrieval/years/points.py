"""Patterns for a year or a decade in a question, and for quantities that look like a year."""

import re
from functools import lru_cache

from pathfinder.profile import Names
from pathfinder.text.author_names import YEAR_IN_TEXT
from pathfinder.text.english import BE, CONJUNCTIONS, DO, HAVE, PREPOSITIONS, any_of, words
from pathfinder.text.inflection import plurals_of
from pathfinder.text.quantities.nouns import QUANTITY_NOUNS
from pathfinder.text.quantities.unit_table import LETTER_UNITS, WORD_UNITS
from pathfinder.text.quantities.units import is_unit, with_symbols

_END = r"(?![\w°%]|[.,:/'’]\w|[-–]\w)"
_PART = r"(?:(?:early|mid|late)[\s-]*)?"


def point(name: str) -> str:
    """Return a regular expression for a year or a decade ("2015", "the year 2015", "mid-1990s"), in group `name`."""
    return rf"(?P<{name}>(?:the\s+)?(?:year\s+)?{_PART}{YEAR_IN_TEXT}(?:['’]?s)?){_END}"


def decade(name: str) -> str:
    """Return a regular expression for a decade on its own, such as "the 1990s"."""
    return rf"(?P<{name}>the\s+{_PART}{YEAR_IN_TEXT}['’]?s){_END}"


def bare_year(name: str) -> str:
    """Return a regular expression for four digits followed by a dash or a noun."""
    return rf"(?P<{name}>{YEAR_IN_TEXT})"


def first_and_last(text: str) -> tuple[int, int]:
    """Return the first and last year of a year or decade (1990 to 1999); thirds of a decade do not overlap."""
    (year,) = map(int, re.findall(r"\d{4}", text))
    if not text.lower().endswith("s"):
        return year, year
    part = re.search("early|mid|late", text.lower())
    start, end = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}[part[0]] if part else (0, 9)
    return year + start, year + end


_LOOKS_AHEAD = 40
"""Number of characters after a number that are searched for its unit."""
_COUNTS = words("times orbit orbits epoch epochs cycle cycles")
_WORD = re.compile(r"\s*+(?:[-–]\s*+)?([A-Za-zμÅ⊙]+)(?!\w)")
_OTHER_WORDS = "about above as be how that the their using what which".split()
_FUNCTION_WORDS = rf"{any_of(PREPOSITIONS, CONJUNCTIONS, BE, DO, HAVE, _OTHER_WORDS)}\b"
_COUNT_NOUN = rf"(?:(?!{_FUNCTION_WORDS})[a-z-]+\s+)?(?:objects|sources|spectra|candidates|systems|samples|THINGS)\b"
_AFTER_A_QUANTITY = rf"\s*[-–]?\s*(?:[°%±]|{_COUNT_NOUN})"
_AFTER_A_DURATION = re.compile(r"\s*(?:exposures?|integrations?|cadence|time-?scales?)\b")
_LIKE_YEARS = "temperature wavelength frequency velocity speed number density mass".split()
"""Quantities with values that may look like years, such as 2000 K."""
_BEFORE_A_QUANTITY = (
    r"\b(?:resolution|resolving\s+power|harmonics?|factors?|S/N|"
    rf"{'|'.join(QUANTITY_NOUNS[noun] for noun in _LIKE_YEARS)}|MEASURES)\W+(?:[a-z]+\W+){{0,2}}$"
)


@lru_cache(maxsize=8)
def _of_field(names: Names) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compile the patterns for words before and after a quantity, which contain the things and measures of a field."""
    things = plurals_of((*names.things, *names.counted)) or "(?!)"
    measures = "|".join((*names.measures, *names.no_years)) or "(?!)"
    return (
        re.compile(_BEFORE_A_QUANTITY.replace("MEASURES", measures)),
        re.compile(_AFTER_A_QUANTITY.replace("THINGS", things)),
    )


_SAID_OF_QUANTITIES = re.compile(r"(?:between|from|of|over|up\s+to|until|through|by|within)\b", re.IGNORECASE)


def is_quantity(match: re.Match[str], names: Names) -> bool:
    """Return whether the number in the phrase counts or measures something: "up to 2000 K", "in 1900 galaxies".
    `names` holds the things and measures of the field.
    """
    before, after = _of_field(names)
    groups = [name for name, text in match.groupdict().items() if name in {"a", "b"} and text]
    if groups and _SAID_OF_QUANTITIES.match(match[0]) and before.search(match.string[: match.start()]):
        return True
    return any(_measures(match.string, match.end(name), match[name], after) for name in groups)


def _measures(question: str, end: int, text: str, after: re.Pattern[str]) -> bool:
    if text[-1].isdigit():
        return after.match(question, end) is not None or _is_unit_ahead(
            with_symbols(question[end : end + _LOOKS_AHEAD])
        )
    return _AFTER_A_DURATION.match(question, end) is not None


def _is_unit_ahead(text: str) -> bool:
    """Return whether `text` begins with a unit, such as "GHz" or "solar masses"; "Newton" is more likely a person."""
    match = _WORD.match(text)
    word = match[1] if match else ""
    is_name = len(word) > 2 and word.islower() and word != "bar" and is_unit(word)
    return word in WORD_UNITS or word in LETTER_UNITS or word in _COUNTS or word.endswith("⊙") or is_name
