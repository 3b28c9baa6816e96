"""Units of measurement, and where they occur in a text."""

import re
from dataclasses import dataclass
from functools import lru_cache

from pathfinder.text.quantities.unit_table import FOREIGN_PER, FOREIGN_WORDS, OTHER_NAMES, PHRASES, UNITS

_PHRASES = tuple((re.compile(pattern), symbol) for pattern, symbol in PHRASES)
_TOKEN = re.compile(
    # the word "as", not the arcsecond
    r"(?!as (?:an?|the|well|compared|opposed|part|of|shown|expected|measured|seen|many|much|it|we|massive|large)\b)"
    r"(°C|[%°″′]|[A-Za-zμÅåΩσ°⊙⊕]+)"
)
_POWER = re.compile(r"(?:\s{0,2}(?:\^|\*\*)\s{0,2}([-−]?\s?\d)|([-−]?\d)|([⁻]?[¹²³⁴⁵⁶]))(?!\d|\.\d)")
_POWER_IN_WORDS = re.compile(r"[ -](?:(squared)|(cubed))(?!\w)", re.IGNORECASE)
_POWER_APART = re.compile(r"\s([-−]\d)(?!\d|\.\d)")
"""Exponents no longer written as superscripts, as in "km s -1"; accepted only after the second unit of a product."""
_RAISING = re.compile(r"\s{0,24}-?(?:(square|sq\.?)|(cubic))[ -]\s{0,8}(?=[A-Za-zμÅ°])", re.IGNORECASE)
"""Words before a unit that raise it to a power: "square degrees", "cubic metre"."""
_BETWEEN = re.compile(r"\s{0,24}(/|\bper\b(?! cent)|·)\s*|\s{0,24}-?")
_BETWEEN_FOREIGN = re.compile(
    rf"\s{{0,24}}(/|\bper\b(?!\s*cent)|·|{FOREIGN_PER})\s*|\s{{0,24}}-?(?:de\s|d['’]|di\s)?", re.IGNORECASE
)
_FOREIGN = re.compile(
    rf"(?:{'|'.join(f'({words})' for words in FOREIGN_WORDS.values())})(?![A-Za-zÀ-ÿ])", re.IGNORECASE
)
_FOREIGN_SYMBOLS = tuple(FOREIGN_WORDS)
_FROM_SUPERSCRIPTS = str.maketrans("⁻¹²³⁴⁵⁶−", "-123456-", " ")


@dataclass(frozen=True, slots=True)
class Unit:
    """A product of units, such as km/s."""

    dimensions: tuple[tuple[str, int], ...]
    """Dimensions with their exponents, in alphabetical order: (("length", 1), ("time", -1))."""
    size: float
    """Size in the base units of its dimensions: 1000 for km/s."""


PERCENT = Unit((("share", 1),), 0.01)
SHARE = Unit((("share", 1),), 1.0)
"""The unit of "a third of them"."""
FACTOR = Unit((("factor", 1),), 1.0)
"""The unit of "doubled" and "by a factor of two"."""
TEN_TO_THE = Unit((("power of ten", 1),), 1.0)
"""Unit assigned to a power of ten beyond the range of a float; such numbers are compared by exponent."""
SMALLEST = 1e-150
"""Minimum size of a unit in base units, so that "Da^9" is not a unit; the maximum is the inverse."""


def with_symbols(text: str) -> str:
    """Return `text` with each unit of several words replaced by its symbol: "M⊙" for "solar masses"."""
    text = text.replace("µ", "μ").replace("☉", "⊙")
    for pattern, symbol in _PHRASES:
        text = pattern.sub(symbol, text)
    return text


def is_unit(word: str) -> bool:
    """Return whether `word` is the symbol or the name of a unit: "GeV", "kelvin"."""
    return _known_unit(word) is not None


def unit_at(text: str, start: int, is_english: bool = True) -> tuple[Unit | None, int]:
    """Return the unit at `start` of `text`, after any white space, and its end; (`None`, `start`) if there is none.

    Unless `is_english`, unit names in the other known languages are recognised too.
    """
    powers: dict[str, int] = {}
    size, end, is_inverse = 1.0, start, False
    while True:
        between = (_BETWEEN if is_english else _BETWEEN_FOREIGN).match(text, end)
        at = between.end() if between else end
        joint = between[1] if between else None
        raising = _RAISING.match(text, at) if is_english else None
        unit, behind = _single(text, raising.end() if raising else at, is_english)
        if unit is None:
            break
        power_match = None if raising else _power_at(text, behind, is_first=not powers)
        if powers and power_match is None and joint is None:  # a "square" without "per" does not begin a second unit
            break  # an ordinary word: the "s" of "3 km s" has no exponent, that of "3 km s^-1" has one
        power = _exponent(power_match or raising)
        is_inverse = is_inverse or (joint is not None and joint != "·")
        if is_inverse and power > 0:
            power = -power  # as in "erg/s/cm^2" and "erg/s cm^2"; the exponent in "km/s Mpc^-1" has its own sign
        if not SMALLEST < size * unit[1] ** power < 1.0 / SMALLEST:
            break
        powers[unit[0]] = powers.get(unit[0], 0) + power
        size, end = size * unit[1] ** power, power_match.end() if power_match else behind
    if not powers:
        return None, start
    return Unit(tuple(sorted((name, power) for name, power in powers.items() if power)), size), end


def _power_at(text: str, start: int, is_first: bool) -> re.Match[str] | None:
    """Match the exponent after a unit: "^2", "²", "squared"."""
    return (
        _POWER.match(text, start)
        or _POWER_IN_WORDS.match(text, start)
        or (None if is_first else _POWER_APART.match(text, start))
    )


def _exponent(power_match: re.Match[str] | None) -> int:
    if power_match is None:
        return 1
    if power_match.re in (_RAISING, _POWER_IN_WORDS):
        return 2 if power_match[1] else 3
    return int(next(filter(None, power_match.groups())).translate(_FROM_SUPERSCRIPTS))


def _single(text: str, start: int, is_english: bool) -> tuple[tuple[str, float] | None, int]:
    """Return the dimension and size of the single unit at `start`, and its end."""
    for pattern, symbol in _PHRASES:
        if match := pattern.match(text, start):
            return _known_unit(match.expand(symbol)), match.end()
    if not is_english and (match := _FOREIGN.match(text, start)):
        return _known_unit(_FOREIGN_SYMBOLS[(match.lastindex or 1) - 1]), match.end()
    token = _TOKEN.match(text, start)
    return (_known_unit(token[1]), token.end()) if token else (None, start)


@lru_cache(maxsize=4096)
def _known_unit(name: str) -> tuple[str, float] | None:
    """Return the dimension and size of the unit with this symbol or name, singular or plural."""
    for form in (name, name.replace("μ", "u")):
        if form in UNITS:
            return UNITS[form]
        for word in (form, form.removesuffix("s")):
            other = OTHER_NAMES.get(word) or OTHER_NAMES.get(word.lower() if len(word) > 2 else word)
            if other in UNITS:
                return UNITS[other]
        plural = form.lower().removesuffix("s")
        if len(plural) > 3 and plural in UNITS:
            return UNITS[plural]
    return None
