"""Measured values in a scientific text: numbers with their uncertainties, limits, units and positions.

Positions are counted in characters of the text itself, including LaTeX, so that a value can be shown where it
occurs.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pathfinder.text.author_names import YEAR_IN_TEXT, YEARS_WITHOUT_UNIT
from pathfinder.text.english import MONTHS, any_of
from pathfinder.text.languages import ENGLISH
from pathfinder.text.quantities.measurement import (
    ABOUT,
    LOWER,
    NUMBER,
    SPACE,
    UPPER,
    Errors,
    Measurement,
    errors_at,
    errors_in_words,
    number_of,
    plain_text_of,
    round_off,
)
from pathfinder.text.quantities.quantities import bound
from pathfinder.text.quantities.units import Unit, unit_at
from pathfinder.text.quantities.written_numbers import number_words

LOOKS_BACK = 40
"""Number of characters read before a number."""
_NUMBERED_THING = re.compile(
    r"(?:\b(?:v|ver|versions?|release|dr|fig|figs|figure|figures|table|tables|sect|section|sections|eq|eqs|equation|p|pp|"
    r"pages?|vol|volume|no|nos|number|chapter|cycle|paper|part|class|type|types|sector|campaign|arxiv|doi|et al|year|"
    rf"ref|refs|{any_of(MONTHS)}|{any_of(month[:3] for month in MONTHS)}|sept)\.?[\s(~]*|[#§]\s?|\w:)$",
    re.IGNORECASE,
)
"""Words that precede a date or a number that labels something."""
_DESIGNATION = re.compile(r"(?:^|[\s(\[,;])(?=[^\s=<>~≈()]*[A-Za-z])[^\s=<>~≈()^]*[-–+]$")
"""Beginning of a name, up to a dash: "J2215-" before "3537"."""
_NO_VALUE_BEHIND = re.compile(
    r"\s{0,9}-?\s{0,9}[σ]|\s?\+\s?log|(?:\+|\s\+\s)[A-Za-zα-ω](?!\w)|\s?(?:th|st|nd|rd)\b|\s?-?sigma\b"
)
"""Text after a number that is a confidence level, an ordinal, the 12 of "12 + log(O/H)" or the 1 of "(1+z)"."""
_NAME = re.compile(r"(?:[A-Z][A-Za-z]*[A-Z][A-Za-z]*|[A-Z][a-z]{2,}|[A-Z]{1,3})[\s~]$")
_CATALOGUE_NUMBER = re.compile(r"[A-Z]{2,}[A-Za-z]*[\s~]\d{3,}[-–+]$")
"""Beginning of a name whose number has two parts: "IRAS 16475-" before "4609"."""
_DATE_BEHIND = re.compile(rf"\s+{any_of(MONTHS)}\b")
_SCRIPT = re.compile(r"[_^]\s{0,24}-?\s?$")
_ERROR_OR_POWER = re.compile(r"(?:±|\+/-)\s{0,8}$|\*\*\s?-?$|[×∙⋅]\s{0,8}$|[A-Za-zα-ω]\)$")
"""Text before an error or a power of ten whose own number was not read, as in "r^1.2±0.1"; also text before an
exponent, even one that is no longer written as a superscript: "(1+z)3".
"""
_DECADE = re.compile(rf"(?:1[5-9]|20)\d0s\b|{YEAR_IN_TEXT}(?:[A-Z]{{1,2}}|[a-z]{{2,4}})\b")
"""Decades, and the year in the name of a supernova: "1970s", "1969L"."""
_CATALOGUE = re.compile(r"[A-Z]{2,}[A-Za-z]*[\s~-]$")
_PLANET = re.compile(r"\d+\s?[b-h](?![\w/^])")


def belongs_to_name(plain: str, match: re.Match[str]) -> bool:
    """Return whether a number is part of a name, a label, a date or a formula."""
    before = plain[max(0, match.start() - LOOKS_BACK) : match.start()]
    if any(pattern.search(before) for pattern in (_DESIGNATION, _SCRIPT, _ERROR_OR_POWER)):
        return True
    if _NO_VALUE_BEHIND.match(plain, match.end()) or _DECADE.match(plain, match.start()):
        return True
    if _CATALOGUE.search(before) and _PLANET.match(plain, match.start()):
        return True
    if _NUMBERED_THING.search(before) is not None and not before.rstrip().endswith("="):
        return True
    return match.lastgroup != "scale" and _DATE_BEHIND.match(plain, match.end()) is not None


def is_no_value(plain: str, match: re.Match[str], has_errors: bool) -> bool:
    """Return whether a number without a unit is a year or part of a name."""
    if has_errors:
        return False
    before = plain[max(0, match.start() - LOOKS_BACK) : match.start()]
    is_whole = match.groupdict().get("digits", "").isdigit() if match.groupdict().get("digits") else False
    is_year = is_whole and len(match["digits"]) == 4 and int(match["digits"]) in YEARS_WITHOUT_UNIT
    is_name = any(pattern.search(before) for pattern in (_NAME, _CATALOGUE_NUMBER))
    return (is_year and not before.rstrip().endswith("=")) or (is_whole and is_name)


# Lists and ranges of numbers, which share a unit or a power of ten.

_LIST_LINK = re.compile(
    rf"{SPACE}(?:,|,?{SPACE}\b(?:and|or|to)\b|[-–—]){SPACE}(?:and\s+|about\s+)?(?:the\s+[a-z]+\s+)?(?:~{SPACE})?"
    rf"|{SPACE}\({SPACE}"
)
_RANGE = re.compile(rf"{SPACE}(?:[-–—]|\bto\b){SPACE}")
_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:about\s+|some\s+|roughly\s+)?$", re.IGNORECASE)


def with_shared_units(plain: str, numbers: Sequence[Measurement]) -> list[Measurement]:
    """Give a number the unit of the next number if only "and", "or", "to" or a dash is between them."""
    with_units = list(numbers)
    for place in range(len(with_units) - 2, -1, -1):
        number, following = with_units[place], with_units[place + 1]
        has_none = number.unit is None and number.relative_to is None
        is_listed = _LIST_LINK.fullmatch(plain, number.end, following.start) is not None
        if is_listed and number.limit == ABOUT and following.limit is None:
            with_units[place + 1] = replace(following, limit=ABOUT)
        if is_listed and _shares_power(plain, number, following):
            number = with_units[place] = replace(number, value=round_off(number.value * following.power))
        if has_none and (following.unit or following.relative_to) and is_listed and not _is_year(number):
            with_units[place] = replace(
                number,
                unit=following.unit,
                written_unit=following.written_unit,
                relative_to=following.relative_to,
            )
    return with_units


def _shares_power(plain: str, number: Measurement, following: Measurement) -> bool:
    """Return whether the power of ten of the second number in a range also applies to the first: "1.2-1.4 × 10^11"."""
    is_range = _RANGE.fullmatch(plain, number.end, following.start) is not None
    is_bare = number.power == 1.0 and number.unit is None and not number.has_uncertainty
    return is_range and is_bare and following.power >= 1e3 and number.value < following.value / following.power


def _is_year(number: Measurement) -> bool:
    return number.value in YEARS_WITHOUT_UNIT and number.value == int(number.value) and not number.has_uncertainty


def ends_as_limits(plain: str, numbers: Sequence[Measurement]) -> Iterator[Measurement]:
    """Yield the numbers, marking the two ends of each range as lower and upper limits."""
    ends = list(numbers)
    for place in range(len(ends) - 1):
        first, second = ends[place], ends[place + 1]
        joint = plain[first.end : second.start]
        is_between = _BETWEEN.search(plain[max(0, first.start - LOOKS_BACK) : first.start]) is not None
        is_range = _RANGE.fullmatch(joint) is not None or (is_between and joint.strip() == "and")
        if is_range and first.unit == second.unit and not first.has_uncertainty and first.value < second.value:
            ends[place], ends[place + 1] = replace(first, limit=LOWER), replace(second, limit=UPPER)
    yield from ends


# Measured values in a scientific text: numbers with their uncertainties, limits, units and positions. Positions are
# counted in characters of the text itself, including LaTeX, so that a value can be shown where it occurs.

LARGEST_POWER = 300
"""Maximum exponent of ten that is read; floating-point numbers do not reach much further."""
_POWER = rf"(?:{SPACE}[×x*·]{SPACE}|\s)10{SPACE}\^{SPACE}([-+]?\s?\d{{1,3}})(?![\d.])"

_START = re.compile(
    rf"(?<![\w.,^_/\\])(?P<sign>[-+](?=\d))?(?:(?P<power>10{SPACE}\^{SPACE}[-+]?\s?\d{{1,3}}(?:\.\d+)?)(?![\d.])"
    rf"|(?P<digits>{NUMBER})(?:[eE](?P<exponent>[-+]?\d{{1,3}})(?!\w))?)(?!\.\d)"
)
_WORDS = re.compile(r"(?P<scale>[\s\S]+)")
"""A number written in words, at the position where `number_words` has read one."""
_HAS_SCALE = re.compile(rf"{any_of(ENGLISH.scales)}$", re.IGNORECASE)
_HUNDRED, _SOME_HUNDRED = "hundred", re.compile(r"(?<![\w-])an?\s$", re.IGNORECASE)
_CLOSING = re.compile(rf"{SPACE}\)")
_TIMES = re.compile(_POWER)
_ABOUT = re.compile(
    r"(?:[~≈∼≃]|\b(?:about|around|approximately|roughly|nearly|almost|some|near|close to|order of|of order)"
    r")\s*$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\s+times\s+(?:(?:that|the (?:mass|radius|size|diameter|luminosity)) of\s+|as (?:massive|large|heavy) as\s+)?"
    r"(?:the\s+|our\s+)?(Jupiter|Earth|Sun)(?:['’]s)?\b|\s+(Sun)s\b|\s+(Jupiter|Earth)s\b"
)
_DASH_BETWEEN_FORMULAS = re.compile(r"\d\s{0,2}$")
_GLUED_SIGN = re.compile(r"[A-Za-z]|_[A-Za-z]|-[A-Za-z]|\.\d|/\d|:\d")
_LONE_SPACES = re.compile(r"\s+")
_EXPONENT = re.compile(r"(?:(?<!\s)\s+)?\^\s*(-?)\s?(\d)")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def measurements(text: str) -> tuple[Measurement, ...]:
    """Read the measurements in `text`, in order. Years, versions, page numbers and numbers in names are not
    measurements, nor are numbers that cannot be read, such as 007.
    """
    plain = plain_text_of(text)
    separate: list[Measurement] = []
    for reading in _readings(text, plain):
        if not separate or reading.start >= separate[-1].end:
            separate.append(reading)
    with_units = ends_as_limits(plain, with_shared_units(plain, separate))
    return tuple(number for number in with_units if not number.is_broken)


def _readings(text: str, plain: str) -> Iterator[Measurement]:
    starts = [*_START.finditer(plain), *_spelled_out(plain)]
    read_to = 0
    for match in sorted(starts, key=lambda match: match.start()):
        if match.start() < read_to or belongs_to_name(plain, match):
            continue
        reading = _measurement(text, plain, match)
        if reading is not None:
            read_to = reading.end
            yield reading


def _spelled_out(plain: str) -> Iterator[re.Match[str]]:
    """Yield the numbers spelled out with a word such as "thousand"; smaller numbers in words are more often counts.

    "Hundred" without a number before it, as in "several hundred", does not count.
    """
    for number in number_words(plain):
        words = plain[number.start : number.end].lower()
        is_vague = words == _HUNDRED and _SOME_HUNDRED.search(plain[: number.start][-4:]) is None
        has_scale = any(_HAS_SCALE.match(word) for word in re.split(r"[ -]", words))
        if has_scale and not is_vague and (match := _WORDS.match(plain, number.start, number.end)):
            yield match


def _measurement(text: str, plain: str, match: re.Match[str]) -> Measurement | None:
    """Read the number at `match` with its uncertainty, power of ten and unit; `None` if it is not a value."""
    value, end, step = _value(plain, match)
    if value is None:
        return None
    errors = errors_at(plain, end, step, value)
    start, factor_start = match.start(), _end_of_bracket(plain, match.start(), errors.end)
    if match.groupdict().get("sign") == "-" and _DASH_BETWEEN_FORMULAS.search(plain[max(0, start - 4) : start]):
        value, start = -value, start + 1  # "$6.7$-7.3" is a range
    is_in_bracket = factor_start > errors.end and plain[start - 1] == "("
    factor, unit_start = _factor(plain, factor_start)
    unit = _unit(plain, unit_start)
    if not unit.is_written and is_no_value(plain, match, bool(errors.pairs)):
        return None
    errors = errors._replace(end=unit.end) if errors.pairs else _errors_behind(plain, unit, step, value, factor)
    (plus, minus), (plus_systematic, minus_systematic) = errors.scale(factor)
    # The last word counts: 1000 for "six hundred thousand".
    words = match.groupdict().get("scale") or ""
    return Measurement(
        value=round_off(value * factor),
        plus=plus,
        minus=minus,
        plus_systematic=plus_systematic,
        minus_systematic=minus_systematic,
        unit=unit.unit,
        written_unit="" if unit.relative_to else _unit_text(plain[unit_start : unit.end]),
        relative_to=unit.relative_to,
        limit=_limit(plain, start, unit.end),
        start=start - is_in_bracket,
        end=_end_in_latex(text, plain, max(unit.end, errors.end)),
        power=factor * ENGLISH.scales.get(re.split(r"[ -]", words.lower())[-1], 1.0),
        is_broken=errors.is_broken or not math.isfinite(value * factor),
        is_attributive=plain[unit_start : unit_start + 1] == "-" and unit.unit is not None,
    )


def _end_of_bracket(plain: str, start: int, end: int) -> int:
    """Return the end of the bracket around a number that is multiplied by a power of ten, as in "(1.2 ± 0.1) × 10^5";
    `end` if there is no such bracket.
    """
    closing = _CLOSING.match(plain, end) if plain[:start].rstrip().endswith("(") else None
    return closing.end() if closing and _TIMES.match(plain, closing.end()) else end


def _errors_behind(plain: str, unit: "_WrittenUnit", step: float, value: float, factor: float) -> Errors:
    """Return the uncertainty that follows the unit; if the unit is repeated after it, the repetition is included."""
    errors = errors_at(plain, unit.end, step, value) if unit.is_written else Errors((), unit.end)
    if not errors.pairs:
        return errors_in_words(plain, unit.end, value, factor)
    again = _unit(plain, errors.end)
    return errors._replace(end=again.end) if again.unit == unit.unit else errors


def _unit_text(plain: str) -> str:
    """Return a unit with raised exponents: "km s⁻¹ Mpc⁻¹"."""
    with_superscripts = _EXPONENT.sub(lambda match: f"{match[1]}{match[2]}".translate(_SUPERSCRIPTS), plain)
    return _LONE_SPACES.sub(" ", with_superscripts).strip(" -)")


def _end_in_latex(text: str, plain: str, end: int) -> int:
    """Return `end` moved past the LaTeX that `plain` leaves blank: closing braces and the like."""
    while end < len(text) and plain[end].isspace() and not text[end].isspace():
        end += 1
    return end


def _value(plain: str, match: re.Match[str]) -> tuple[float | None, int, float]:
    """Return the value of a number, its end, and the value of one unit in its last digit."""
    groups = match.groupdict()
    if words := groups.get("scale"):
        return next(number_words(words)).value, match.end(), 1.0
    sign = -1.0 if groups["sign"] == "-" else 1.0
    if groups["power"]:
        exponent = float(groups["power"].partition("^")[2].replace(" ", ""))
        return (sign * 10.0**exponent if abs(exponent) <= LARGEST_POWER else None), match.end(), 1.0
    is_glued = _GLUED_SIGN.match(plain, match.end()) is not None and _TIMES.match(plain, match.end()) is None
    if is_glued and _unit(plain, match.end()).unit is None:
        return None, match.end(), 1.0
    digits = groups["digits"]
    power = int(groups["exponent"] or 0)
    _, point, decimals = digits.partition(".")
    value = sign * number_of(digits) * 10.0**power if abs(power) <= LARGEST_POWER else None
    return value, match.end(), 10.0 ** -len(decimals) if point else 0.0


def _factor(plain: str, end: int) -> tuple[float, int]:
    """Return the power of ten or the word such as "million" at `end`, as a factor, and its end."""
    if power := _TIMES.match(plain, end):
        exponent = int(power[1].replace(" ", ""))
        return (10.0**exponent, power.end()) if abs(exponent) <= LARGEST_POWER else (1.0, end)
    lead = len(plain[end : end + 24]) - len(plain[end : end + 24].lstrip())
    factor, scale_end = ENGLISH.scale_at(plain, end + max(0, lead - 1))
    return (factor, scale_end) if factor != 1.0 else (1.0, end)


class _WrittenUnit(NamedTuple):
    """The unit of a number, or the body that it is relative to, and the position after it."""

    unit: Unit | None
    end: int
    relative_to: str | None = None

    @property
    def is_written(self) -> bool:
        return self.unit is not None or self.relative_to is not None


def _unit(plain: str, end: int) -> _WrittenUnit:
    if match := _RELATIVE.match(plain, end):
        return _WrittenUnit(None, match.end(), next(filter(None, match.groups())))
    unit, unit_end = unit_at(plain, end)
    if unit and plain[unit_end - 1 : unit_end + 1].isalnum() and unit_end < len(plain) and plain[end] != " ":
        unit, unit_end = None, end  # "3L1S" is a name
    if unit is None and (closing := _CLOSING.match(plain, end)) and plain.count("(", max(0, end - LOOKS_BACK), end):
        unit, unit_end = unit_at(plain, closing.end())  # "76.6 (76.6 ± 14) km/s"
        unit_end = unit_end if unit else end
    return _WrittenUnit(unit, unit_end)


def _limit(plain: str, start: int, end: int) -> str | None:
    side = bound(plain, start, end)
    if side:
        return LOWER if side > 0 else UPPER
    before = plain[max(0, start - LOOKS_BACK) : start].rstrip(" (")
    return ABOUT if _ABOUT.search(before) else None
