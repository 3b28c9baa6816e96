"""Numbers of a text with their units, and whether one text has a number of another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pathfinder.assessment.evidence.units import PERCENT, Unit, unit_at, with_signs
from pathfinder.corpus.language.inflection import base_form
from pathfinder.corpus.language.latex import plain_text
from pathfinder.corpus.language.wordlists import pairs
from pathfinder.index.words import QUESTION_STOP_WORDS

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED = re.compile(r"[⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_POWER = re.compile(r"\s?[×x·*]\s?10\s?\^?\s?([-+]?\d{1,2})(?!\d)")
_NUMBER = re.compile(
    r"(?<![\w.^_])(?<!\d/)(?<![\w^]-)([-+]?)(\d+(?:,\d{3})+(?!\d)|\d+)(\.\d+)?([eE][-+]?\d{1,2}(?!\w))?"
)
_LONE_POWER = re.compile(r"(?<![\w.])10\^([-+]?\d{1,2})")
_SCALE = re.compile(r"[ -]?(thousand|million|billion|trillion)\b|(?<=\d)([MB])\b")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "M": 1e6, "B": 1e9}
_ENUMERATOR = re.compile(r"\s*\(?\d{1,2}[).]")
"""What begins an item of a list: "(3)"."""
_LOOSE = re.compile(
    r"(?:about|around|approximately|roughly|nearly|almost|some|over|under|∼|~|≈|≳|≲|>|<)\s*$", re.IGNORECASE
)
_ERROR_BAR = re.compile(r"(?:±|\+/-)\s*$")
_SPEAKS_OF_ERRORS = re.compile(
    r"\b(?:uncertaint(?:y|ies)|errors?|precision|accuracy|scatter|deviation)\b(?:\s\w+){0,2}\s*$", re.IGNORECASE
)
_JOINED = re.compile(r"\s*(?:to|and|or|±|\+/-|–|-|—)\s*")
_IN_WORDS = pairs(
    "one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 eleven:11 twelve:12 dozen:12 thirteen:13 "
    "fourteen:14 fifteen:15 sixteen:16 seventeen:17 eighteen:18 nineteen:19 twenty:20 thirty:30 forty:40 fifty:50 "
    "hundred:100 single:1 both:2 twice:2 half:0.5 first:1 third:3"
)
_WORD = re.compile(r"[a-z]+")
_BEHIND = re.compile(r"[ -]([A-Za-z]{3,})")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a text."""

    written: str
    """With its unit, as in the text."""
    value: float
    unit: Unit | None
    step: float
    """One of its last digit: 0.1 for 73.0, 1 for 42; of a round one that is "about", the place of its last non-zero."""
    is_error: bool | None = False
    """Whether it says how far another may be off: the 1.2 of "4.2 ± 1.2". `None`: "an error of 1.2" leaves it open."""
    counts: str = ""
    """Of a number without a unit, the word behind it, without its plural: "bit" of "4-bit"."""


def readable(text: str) -> str:
    """`text` on one line without LaTeX, its exponents as 10^9 and its units as signs."""
    plain = _RAISED.sub(lambda raised: f"^{raised[0].translate(_SUPERSCRIPTS)}", plain_text(text))
    plain = plain.replace("−", "-").replace("\u2009", " ").replace("\xa0", " ").replace("\u202f", " ")
    return with_signs(" ".join(plain.split()))


def quantities(plain: str, names: Sequence[tuple[int, int]] = ()) -> tuple[Quantity, ...]:
    """The numbers of a `readable` text, in order, those within `names`, such as that of "NGC 1068", left out."""
    found: list[tuple[int, int, Quantity]] = []
    for start, end, value, step in _values(plain):
        if any(first <= start < last for first, last in names) or (found and start < found[-1][1]):
            continue
        if _ENUMERATOR.fullmatch(plain, 0, end + 1):
            continue
        unit, behind = unit_at(plain, end)
        if unit is None and plain[end : end + 1].isalpha():
            continue  # "3D", "2MASS": a name
        found.append((start, behind, _quantity(plain, start, behind, value, unit, step)))
    return tuple(_with_shared_units(plain, found))


def _quantity(plain: str, start: int, end: int, value: float, unit: Unit | None, step: float) -> Quantity:
    counts = "" if unit else _counted(plain, end)
    return Quantity(plain[start:end], value, unit, step, _is_error(plain[:start]), counts)


def _counted(plain: str, end: int) -> str:
    word = _BEHIND.match(plain, end)
    return base_form(word[1].lower()) if word and word[1].lower() not in QUESTION_STOP_WORDS else ""


def _is_error(before: str) -> bool | None:
    if _ERROR_BAR.search(before):
        return True
    return None if _SPEAKS_OF_ERRORS.search(before[-60:]) else False


def _values(plain: str) -> list[tuple[int, int, float, float]]:
    """Start, end, value and step of every number."""
    values = []
    done = 0
    for match in _NUMBER.finditer(plain):
        if match.start() < done:
            continue
        start, end = match.span()
        value, step = _plain_value(match, plain[:start])
        lone, power, scale = _LONE_POWER.match(plain, start), _POWER.match(plain, end), _SCALE.match(plain, end)
        if lone:
            value, step, end = 10.0 ** int(lone[1]), 10.0 ** int(lone[1]), lone.end()
        elif power:
            factor = 10.0 ** int(power[1])
            value, step, end = value * factor, step * factor, power.end()
        elif scale:
            factor = _SCALES[scale[1] or scale[2]]
            value, step, end = value * factor, step * factor, scale.end()
        values.append((start, end, value, step))
        done = end
    return values


def _plain_value(match: re.Match[str], before: str) -> tuple[float, float]:
    sign, whole, fraction, exponent = match.groups()
    digits = whole.replace(",", "")
    value = float(f"{sign}{digits}{fraction or ''}{exponent or ''}")
    factor = 10.0 ** int(exponent[1:]) if exponent else 1.0
    if fraction:
        return value, factor * 10.0 ** (1 - len(fraction))
    zeros = len(digits) - len(digits.rstrip("0"))
    is_loose = _LOOSE.search(before) is not None and zeros < len(digits)
    return value, factor * (10.0**zeros if is_loose else 1.0)


def _with_shared_units(plain: str, found: list[tuple[int, int, Quantity]]) -> list[Quantity]:
    """A number without a unit before "to", "and" or "±" has that of the number behind: "80 to 120 km/s"."""
    shared: list[Quantity] = []
    unit, begins = None, -1
    for start, behind, quantity in reversed(found):
        own = quantity.unit
        if own is None and begins >= 0 and _JOINED.fullmatch(plain, behind, begins):
            own = unit
        unit, begins = own, start
        shared.append(replace(quantity, unit=own))
    return shared[::-1]


def numbers_in_words(plain: str) -> tuple[Quantity, ...]:
    """The numbers that a `readable` text has in words: 3 hours of "three hours"."""
    found = []
    for match in _WORD.finditer(plain.lower()):
        if match[0] in _IN_WORDS:
            unit, end = unit_at(plain, match.end())
            found.append(_quantity(plain, match.start(), end, float(_IN_WORDS[match[0]]), unit, 1.0))
    return tuple(found)


def same_dimensions(first: Quantity, second: Quantity) -> bool:
    """Whether the two can be compared: with units of the same dimensions, or both without."""
    one, other = first.unit, second.unit
    return (one.dimensions if one else None) == (other.dimensions if other else None)


def agrees(claimed: Quantity, given: Quantity) -> bool:
    """Whether `claimed` is `given`, in another unit or rounded perhaps.

    A number without a unit that is known fits one with a unit, unless it is a single digit: a "2" is in every text.
    An error bar is no value: "1.2" is not in "4.2 ± 1.2".
    """
    if given.is_error is True and claimed.is_error is False:
        return False
    if (claimed.unit is None) != (given.unit is None) and _is_plain(claimed) and given.unit is None:
        return False
    return any(_is_near(claimed, given, factor) for factor in _factors(claimed.unit, given.unit))


def _factors(claimed: Unit | None, given: Unit | None) -> tuple[float, ...]:
    """What brings the given number into the claimed one's unit; none where the units do not go together."""
    if claimed and given:
        return (given.size / claimed.size,) if claimed.dimensions == given.dimensions else ()
    if claimed == PERCENT:
        return (1.0, 100.0)
    return (1.0, 0.01) if given == PERCENT else (1.0,)


def _is_plain(number: Quantity) -> bool:
    """Whether it is written with one digit, as too many numbers are."""
    return len(re.sub(r"\D", "", number.written.split()[0]).strip("0")) < 2


def _is_near(claimed: Quantity, given: Quantity, factor: float) -> bool:
    """Signs aside, which minus signs and dashes do not always tell; rounded, but never made more precise."""
    rounding = 0.5001 * claimed.step if given.step * factor <= 1.0001 * claimed.step else 0.0
    difference = abs(abs(claimed.value) - abs(given.value * factor))
    return difference <= max(rounding, 1e-6 * abs(claimed.value))
