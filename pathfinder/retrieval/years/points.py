"""Patterns for a year or a decade in a question, and for quantities that look like a year."""

import re

from pathfinder.text.english import BE, CONJUNCTIONS, DO, HAVE, PREPOSITIONS, any_of
from pathfinder.text.quantities.unit_table import WORD_UNITS
from pathfinder.text.quantities.units import is_unit, with_symbols
from pathfinder.text.wordlists import words

YEAR = r"(?:18|19|20)\d\d"
_END = r"(?![\w°%]|[.,:/'’]\w|[-–]\w)"
_PART = r"(?:(?:early|mid|late)[\s-]*)?"


def point(name: str) -> str:
    """Return a regular expression for a year or a decade ("2015", "the year 2015", "mid-1990s"), in group `name`."""
    return rf"(?P<{name}>(?:the\s+)?(?:year\s+)?{_PART}{YEAR}(?:['’]?s)?){_END}"


def decade(name: str) -> str:
    """Return a regular expression for a decade on its own, such as "the 1990s"."""
    return rf"(?P<{name}>the\s+{_PART}{YEAR}['’]?s){_END}"


def bare_year(name: str) -> str:
    """Return a regular expression for four digits followed by a dash or a noun."""
    return rf"(?P<{name}>{YEAR})"


def first_and_last(text: str) -> tuple[int, int]:
    """Return the first and last year of a year or decade (1990 to 1999); thirds of a decade do not overlap."""
    (year,) = map(int, re.findall(r"\d{4}", text))
    if not text.lower().endswith("s"):
        return year, year
    part = re.search("early|mid|late", text.lower())
    start, end = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}[part[0]] if part else (0, 9)
    return year + start, year + end


_LETTERS = words("K m A s G Å")
"""Single-letter units, which are more likely after a number than a star's class or a band."""
_COUNTS = words("times orbit orbits epoch epochs cycle cycles")
_WORD = re.compile(r"\s*[-–]?\s*([A-Za-zμÅ⊙]+)(?!\w)")
_OTHER_WORDS = "about above as be how that the their using what which".split()
_FUNCTION_WORDS = rf"{any_of(PREPOSITIONS, CONJUNCTIONS, BE, DO, HAVE, _OTHER_WORDS)}\b"
_COUNTED = (
    rf"(?:(?!{_FUNCTION_WORDS})[a-z-]+\s+)?(?:stars|galaxies|quasars|planets|exoplanets|objects|sources|supernovae|"
    r"clusters|spectra|sightlines|pulsars|asteroids|binaries|candidates|systems|halos|bursts|sunspots|lenses)\b"
)
_AFTER_A_QUANTITY = re.compile(rf"\s*[-–]?\s*(?:[°%±]|{_COUNTED})")
_AFTER_A_DURATION = re.compile(r"\s*(?:exposures?|integrations?|cadence|time-?scales?)\b")
_BEFORE_A_QUANTITY = re.compile(
    r"\b(?:multipoles?|ell|ℓ|l|resolution|resolving\s+power|R|temperatures?|wavelengths?|frequenc(?:y|ies)|"
    r"velocit(?:y|ies)|speeds?|redshifts?|numbers?|densit(?:y|ies)|harmonics?|factors?|magnitudes?|luminosit\w+|"
    r"mass(?:es)?|S/N|equinox|epochs?|MJD|JD)\W+(?:[a-z]+\W+){0,2}$"
)

_SAID_OF_QUANTITIES = re.compile(r"(?:between|from|of|over|up\s+to|until|through|by|within)\b", re.IGNORECASE)


def is_quantity(match: re.Match[str]) -> bool:
    """Return whether the number in the phrase counts or measures something: "up to 2000 K", "in 1900 galaxies"."""
    groups = [name for name, text in match.groupdict().items() if name in {"a", "b"} and text]
    if groups and _SAID_OF_QUANTITIES.match(match[0]) and _BEFORE_A_QUANTITY.search(match.string[: match.start()]):
        return True
    return any(_measures(match.string, match.end(name), match[name]) for name in groups)


def _measures(question: str, end: int, text: str) -> bool:
    if text[-1].isdigit():
        return _AFTER_A_QUANTITY.match(question, end) is not None or _is_unit_ahead(with_symbols(question[end:]))
    return _AFTER_A_DURATION.match(question, end) is not None


def _is_unit_ahead(text: str) -> bool:
    """Return whether `text` begins with a unit, such as "GHz" or "solar masses"; "Newton" is more likely a person."""
    match = _WORD.match(text)
    word = match[1] if match else ""
    is_name = len(word) > 2 and word.islower() and word != "bar" and is_unit(word)
    return word in WORD_UNITS or word in _LETTERS or word in _COUNTS or word.endswith("⊙") or is_name
