"""Measured values in a scientific text: numbers with their uncertainties, limits, units and positions.

Positions are counted in characters of the text itself, including LaTeX, so that a value can be shown where it
occurs.
"""

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from pathfinder.text.english import any_of
from pathfinder.text.languages import ENGLISH
from pathfinder.text.quantities.bounds import bound
from pathfinder.text.quantities.measurement import ABOUT, LOWER, UPPER, Measurement, round_off
from pathfinder.text.quantities.number_labels import LOOKS_BACK, belongs_to_name, is_no_value
from pathfinder.text.quantities.number_lists import ends_as_limits, with_shared_units
from pathfinder.text.quantities.number_words import number_words
from pathfinder.text.quantities.spellings import plain_text_of
from pathfinder.text.quantities.uncertainties import NUMBER, SPACE, Errors, errors_at, errors_in_words, number_of
from pathfinder.text.quantities.units import Unit, unit_at

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
        power=factor * _scale_of(match),
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


def _scale_of(match: re.Match[str]) -> float:
    """Return the factor of the last word of a number in words: 1000 for "six hundred thousand"."""
    words = match.groupdict().get("scale") or ""
    return ENGLISH.scales.get(re.split(r"[ -]", words.lower())[-1], 1.0)


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
