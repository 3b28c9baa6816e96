"""Measured values in a scientific text: its numbers with their uncertainties, without years, names and labels.

Positions are counted in characters of the text itself, including LaTeX, so that a value can be shown where it
occurs.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from pathfinder.text.author_names import YEAR_IN_TEXT, YEARS_WITHOUT_UNIT
from pathfinder.text.english import MONTHS, any_of
from pathfinder.text.languages import ENGLISH
from pathfinder.text.latex.search_text import plain_signs
from pathfinder.text.quantities.quantities import LIST_LINK, limit_of, readings, with_shared_units
from pathfinder.text.quantities.units import TEN_TO_THE, Unit, unit_at
from pathfinder.text.quantities.written_numbers import ABOUT, LOWER, UPPER, Quantity, factor_at

LOOKS_BACK = 40
"""Number of characters read before a number."""
_CLOSING = re.compile(r"\s{0,24}\)")
_RELATIVE = re.compile(
    r"\s+times\s+(?:(?:that|the (?:mass|radius|size|diameter|luminosity)) of\s+|as (?:massive|large|heavy) as\s+)?"
    r"(?:the\s+|our\s+)?(Jupiter|Earth|Sun)(?:['’]s)?\b|\s+(Sun)s\b|\s+(Jupiter|Earth)s\b"
)
_DASH_OF_A_RANGE = re.compile(r"\d\s{0,2}$")
_HUNDRED, _SOME_HUNDRED = "hundred", re.compile(r"(?<![\w-])an?\s$", re.IGNORECASE)
_LEADING_ZERO = re.compile(r"[-+]?0\d")
_LONE_SPACES = re.compile(r"\s+")
_EXPONENT = re.compile(r"(?:(?<!\s)\s+)?\^\s*(-?)\s?(\d)")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def measurements(text: str) -> tuple[Quantity, ...]:
    """Read the measurements in `text`, in order: numbers in digits, or in words such as "two thousand", each with its
    uncertainties. Years, versions, page numbers and numbers in names are not measurements, nor are numbers that cannot
    be read, such as 007.
    """
    plain = plain_text_of(text)
    numbers: list[Quantity] = []
    for reading in readings(plain, ENGLISH):
        is_read = numbers and reading.start < numbers[-1].end
        if not is_read and _may_be_measured(plain, reading) and (number := _with_errors(text, plain, reading)):
            numbers.append(number)
    shared = with_shared_units(plain, _with_shared_powers(plain, numbers))
    return tuple(number for number in _ends_as_limits(plain, shared) if _is_readable(plain, number))


def _is_readable(plain: str, number: Quantity) -> bool:
    """Return whether a number and its uncertainties can be read, unlike 007 and 1e400."""
    is_finite = all(math.isfinite(error) for pair in number.errors for error in pair)
    return is_finite and _LEADING_ZERO.match(plain, number.start) is None


def _with_errors(text: str, plain: str, number: Quantity) -> Quantity | None:
    """Read what may come between a number and its unit: its uncertainties, and a power of ten after them; `None` if it
    turns out to be a year or part of a name.
    """
    start, value = number.start, number.value
    # The error of a number in words is written in full: "five thousand ± 200".
    power = own_power = 1.0 if number.is_in_words else number.power
    if plain[start] == "-" and _DASH_OF_A_RANGE.search(plain[max(0, start - 4) : start]):
        value, start = abs(value), start + 1  # "$6.7$-7.3" is a range
    step = number.step / power if "." in plain[start : number.number_end] else 0.0
    errors = errors_at(plain, number.number_end, step, value) if power == 1.0 else Errors((), number.number_end)
    unit_start = errors.end
    is_in_bracket = False
    if power == 1.0:
        closing = _CLOSING.match(plain, errors.end) if plain[:start].rstrip().endswith("(") else None
        power, unit_start = factor_at(plain, closing.end() if closing else errors.end)
        is_in_bracket = closing is not None and power != 1.0
        unit_start = unit_start if power != 1.0 else errors.end
        value *= power
    unit = _unit(plain, unit_start)
    if not unit.is_written and (
        _GLUED_BEHIND.match(plain, number.number_end) or (not errors.pairs and _is_year_or_name(plain, number))
    ):
        return None
    if not errors.pairs:
        errors = _errors_behind(plain, unit, step, value / power)
    if not errors.pairs and power == 1.0:
        errors = _interval_behind(plain, unit, value)
    end = max(unit.end, errors.end)
    while end < len(text) and plain[end].isspace() and not text[end].isspace():
        end += 1  # closing braces and the like, which `plain` leaves blank
    return replace(
        number,
        values=(round_off(value),),
        step=number.step * power / own_power,
        errors=tuple((round_off(plus * power), round_off(minus * power)) for plus, minus in errors.pairs),
        interval=errors.interval,
        unit=unit.unit,
        written_unit="" if unit.relative_to else _unit_text(plain[unit_start : unit.end]),
        relative_to=unit.relative_to,
        limit=limit_of(plain, start, unit.end),
        start=start - (is_in_bracket and plain[start - 1] == "("),
        end=end,
        power=number.power * power / own_power,
        is_attributive=plain[unit_start : unit_start + 1] == "-" and unit.unit is not None,
    )


def round_off(number: float) -> float:
    """Return a number without the noise of binary arithmetic in its last digits."""
    return float(f"{number:.12g}")


def _errors_behind(plain: str, unit: "_WrittenUnit", step: float, value: float) -> "Errors":
    """Return the uncertainty that follows the unit; if the unit is repeated after it, the repetition is included."""
    errors = errors_at(plain, unit.end, step, value) if unit.is_written else Errors((), unit.end)
    if not errors.pairs:
        return errors
    again = _unit(plain, errors.end)
    return errors._replace(end=again.end) if again.unit == unit.unit else errors


def _unit_text(plain: str) -> str:
    """Return a unit with raised exponents: "km s⁻¹ Mpc⁻¹"."""
    with_superscripts = _EXPONENT.sub(lambda match: f"{match[1]}{match[2]}".translate(_SUPERSCRIPTS), plain)
    return _LONE_SPACES.sub(" ", with_superscripts).strip(" -)")


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


# Years, names and labels, which are no values.

_NUMBERED_THING = re.compile(
    r"(?:\b(?:v|ver|versions?|release|dr|fig|figs|figure|figures|table|tables|sect|section|sections|eq|eqs|equation|p|pp|"
    r"pages?|vol|volume|no|nos|number|chapter|cycle|paper|part|class|type|types|sector|campaign|arxiv|doi|et al|year|"
    rf"ref|refs|{any_of(MONTHS)}|{any_of(month[:3] for month in MONTHS)}|sept)\.?[\s(~]*|[#§]\s?|\w:)$",
    re.IGNORECASE,
)
"""Words that precede a date or a number that labels something."""
_DESIGNATION = re.compile(r"(?:^|[\s(\[,;])(?=[^\s=<>~≈()]*[A-Za-z])[^\s=<>~≈()^]*[-–+]$")
"""Beginning of a name, up to a dash: "J2215-" before "3537"."""
_LEVEL = (
    r"(?:C\.?[IL]\.?s?|CrIs?|HDIs?|HPDs?)(?!\w)"
    r"|(?i:(?:confidence|credib(?:le|ility))(?:[- ](?:intervals?|limits?|levels?|bounds?))?)\b"
)
"""Name of an interval that contains a value with some probability."""
_WITH_LEVEL = rf"[5-9]\d(?:\.\d+)?\s?(?:%|per\s?cent)[\s-]{{0,2}}(?:{_LEVEL})"
_CONFIDENCE_LEVEL = re.compile(_WITH_LEVEL)
_NO_VALUE_BEHIND = re.compile(
    r"\s{0,9}-?\s{0,9}[σ]|\s?\+\s?log|(?:\+|\s\+\s)[A-Za-zα-ω](?!\w)|\s?(?:th|st|nd|rd)\b|\s?-?sigma\b"
)
"""Text after a number that is a significance, an ordinal, the 12 of "12 + log(O/H)" or the 1 of "(1+z)"."""
MOST_DIGITS_OF_A_MARK = 2
_MARK_BEHIND = re.compile(r"(\))(?=\s|[A-Za-z])|\.\s+(?=[a-z])")
"""Text behind a number that may mark an item of a list."""
_OPENS_ITEM = re.compile(r"(?:^|[,;:])\s*$")
_NAME = re.compile(r"(?:[A-Z][A-Za-z]*[A-Z][A-Za-z]*|[A-Z][a-z]{2,}|[A-Z]{1,3})[\s~]$")
_CATALOGUE_NUMBER = re.compile(r"[A-Z]{2,}[A-Za-z]*[\s~]\d{3,}[-–+]$")
"""Beginning of a name whose number has two parts: "IRAS 16475-" before "4609"."""
_DATE_BEHIND = re.compile(rf"\s+{any_of(MONTHS)}\b")
_FACTOR_OR_POWER = re.compile(r"\*\*\s?-?$|[×∙⋅]\s{0,8}$|[A-Za-zα-ω]\)$")
"""Text before a power of ten whose own number was not read, or before an exponent, even one that is no longer written
as a superscript: "(1+z)3".
"""
_GLUED = re.compile(r"[\w.,^_/\\]$|(?<![\w.,])\d[\d.]{0,9}\s(?:\d[\d.]{0,9}-)?$")
"""Text before a number that is the end of something else, or of a longer number: "410" that became "41 0"."""
_GLUED_BEHIND = re.compile(r"[A-Za-z]|_[A-Za-z]|-[A-Za-z]|[.,/:]\d")
_DECADE = re.compile(rf"(?:1[5-9]|20)\d0s\b|{YEAR_IN_TEXT}(?:[A-Z]{{1,2}}|[a-z]{{2,4}})\b")
"""Decades, and the year in the name of a supernova: "1970s", "1969L"."""
_CATALOGUE = re.compile(r"[A-Z]{2,}[A-Za-z]*[\s~-]$")
_PLANET = re.compile(r"\d+\s?[b-h](?![\w/^])")
_MAY_BE_NO_POWER = re.compile(r".*[MB]|[-+]?\d\s{0,24}[×x·*∙⋅]\s{0,24}10\s?\d+")
"""Numbers with a factor that may be something else: "a magnitude of 10M", "3 × 1080 pixels"; "1.5 × 1014" has one."""


def _may_be_measured(plain: str, number: Quantity) -> bool:
    """Return whether a number may be a value: it is not part of a name, a label, a date or a formula, and not a small
    number in words, which is more often a count.
    """
    before = plain[max(0, number.start - LOOKS_BACK) : number.start]
    if number.is_in_words:
        words = plain[number.start : number.number_end].lower()
        is_vague = words == _HUNDRED and _SOME_HUNDRED.search(before) is None
        return not is_vague and not ENGLISH.scales.keys().isdisjoint(re.split(r"[ -]", words))
    is_glued = _GLUED.search(before) is not None and plain[number.start] not in "+-"
    if is_glued or number.is_part or number.is_error is True or number.unit == TEN_TO_THE:
        return False
    if any(pattern.search(before) for pattern in (_DESIGNATION, _FACTOR_OR_POWER)):
        return False
    if _MAY_BE_NO_POWER.fullmatch(plain, number.start, number.number_end):
        return False
    if _NO_VALUE_BEHIND.match(plain, number.number_end) or _DECADE.match(plain, number.start):
        return False
    if _CONFIDENCE_LEVEL.match(plain, number.start):
        return False
    if _CATALOGUE.search(before) and _PLANET.match(plain, number.start):
        return False
    if _NUMBERED_THING.search(before) is not None and not before.rstrip().endswith("="):
        return False
    if _is_list_mark(plain, number):
        return False
    return _DATE_BEHIND.match(plain, number.number_end) is None


def _is_list_mark(plain: str, number: Quantity) -> bool:
    """Return whether a number marks an item of a list: "1)", "; 2. costs", or "(3)" if "(2)" or "(4)" is there too."""
    digits, behind = plain[number.start : number.number_end], _MARK_BEHIND.match(plain, number.number_end)
    if behind is None or not digits.isdigit() or len(digits) > MOST_DIGITS_OF_A_MARK:
        return False
    before = plain[: number.start]
    if not behind[1]:
        return _OPENS_ITEM.search(before) is not None
    if sum(map(before.count, "([")) <= sum(map(before.count, ")]")):
        return True  # nothing was opened that this bracket could close
    neighbours = (f"({int(digits) + step})" for step in (-1, 1))
    return before.endswith("(") and any(mark in plain for mark in neighbours)


def _is_year_or_name(plain: str, number: Quantity) -> bool:
    """Return whether a number without a unit or an uncertainty is a year or part of a name."""
    digits = plain[number.start : number.number_end]
    if not digits.isdigit():
        return False
    before = plain[max(0, number.start - LOOKS_BACK) : number.start]
    is_year = len(digits) == 4 and int(digits) in YEARS_WITHOUT_UNIT and not before.rstrip().endswith("=")
    return is_year or any(pattern.search(before) for pattern in (_NAME, _CATALOGUE_NUMBER))


# Ranges of numbers, which share a power of ten.

_RANGE = re.compile(r"\s{0,24}(?:[-–—]|\bto\b)\s{0,24}")
_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:about\s+|some\s+|roughly\s+)?$", re.IGNORECASE)


def _with_shared_powers(plain: str, numbers: Sequence[Quantity]) -> list[Quantity]:
    """Give the first number of a range the power of ten of the second, as in "1.2-1.4 × 10^11", and a number in a list
    the "about" of the one before it.
    """
    shared = list(numbers)
    for place in range(len(shared) - 2, -1, -1):
        number, following = shared[place], shared[place + 1]
        joint = plain[number.end : following.start]
        if number.limit == ABOUT and following.limit is None and LIST_LINK.fullmatch(joint):
            shared[place + 1] = replace(following, limit=ABOUT)
        is_bare = number.power == 1.0 and number.unit is None and not number.errors
        if (
            is_bare
            and _RANGE.fullmatch(joint)
            and following.power >= 1e3
            and number.value < following.value / following.power
        ):
            shared[place] = replace(
                number,
                values=(round_off(number.value * following.power),),
                step=number.step * following.power,
                power=following.power,
            )
    return shared


def _ends_as_limits(plain: str, numbers: Sequence[Quantity]) -> Iterator[Quantity]:
    """Yield the numbers, marking the two ends of each range as lower and upper limits."""
    ends = list(numbers)
    for place in range(len(ends) - 1):
        first, second = ends[place], ends[place + 1]
        joint = plain[first.end : second.start]
        is_between = _BETWEEN.search(plain[max(0, first.start - LOOKS_BACK) : first.start]) is not None
        is_range = _RANGE.fullmatch(joint) is not None or (is_between and joint.strip() == "and")
        is_pair = first.unit == second.unit and not (first.errors or second.errors) and first.value < second.value
        if is_range and is_pair:
            ends[place], ends[place + 1] = replace(first, limit=LOWER), replace(second, limit=UPPER)
    yield from ends


# Uncertainties of a number: after a sign, above and below it, or in brackets.

MOST_ERRORS = 2
"""Maximum number of uncertainties per number: a statistical one and a systematic one."""

SPACE = r"\s{0,24}"
NUMBER = r"(?:[1-9]\d{0,2}(?:[,\u00a0\u2009\u202f]{1,2}\d{3}(?!\d))+|\d{1,12})(?:\.\d{1,12})?"
_ERROR = rf"{NUMBER}(?:[eE][-+]?\d{{1,3}}(?!\w))?"
_MINUS = "[-–−]"
_WIDER = rf"(?:{SPACE}\({NUMBER}\))?"
"""Error at a higher confidence level: "+0.72(1.43)"."""
_ERRORS = (
    re.compile(rf"{SPACE}(?:±|\+{SPACE}/{SPACE}[-–]|\+{SPACE}\\?[-–]){SPACE}(?P<plus>{_ERROR})"),
    re.compile(rf"{SPACE}\({SPACE}(?:±|\+{SPACE}/{SPACE}[-–]){SPACE}(?P<plus>{_ERROR}){SPACE}\)"),
    re.compile(
        rf"{SPACE}\^{SPACE}\+{SPACE}(?P<plus>{_ERROR}){_WIDER}{SPACE}(?:\+{SPACE}(?P<plus2>{_ERROR}))?{SPACE}_{SPACE}{_MINUS}{SPACE}"
        rf"(?P<minus>{_ERROR}){_WIDER}(?:{SPACE}{_MINUS}{SPACE}(?P<minus2>{_ERROR}))?"
    ),
    re.compile(
        rf"{SPACE}_{SPACE}{_MINUS}{SPACE}(?P<minus>{_ERROR}){SPACE}(?:{_MINUS}{SPACE}(?P<minus2>{_ERROR}))?{SPACE}\^{SPACE}\+{SPACE}"
        rf"(?P<plus>{_ERROR})(?:{SPACE}\+{SPACE}(?P<plus2>{_ERROR}))?"
    ),
    re.compile(
        rf"{SPACE}\({SPACE}\+{SPACE}(?P<plus>{_ERROR}){SPACE}[,/]?{SPACE}{_MINUS}{SPACE}(?P<minus>{_ERROR}){SPACE}\)"
        rf"|{SPACE}\(\+(?P<plus_c>{_ERROR})\){SPACE}\({_MINUS}(?P<minus_c>{_ERROR})\)"
        rf"|{SPACE}\+{SPACE}(?P<plus_b>{_ERROR}){SPACE}[,/]?{SPACE}{_MINUS}{SPACE}(?P<minus_b>{_ERROR})"
        rf"|{_MINUS}(?P<minus_d>{_ERROR})\+(?P<plus_d>{_ERROR})"
    ),
)
_LAST_DIGITS = re.compile(r"\((?:(\d{1,3})|(\d{1,3}\.\d{1,6}))\)(?![\w.])")
_KIND = re.compile(
    rf"{SPACE}\({SPACE}(?P<kind>stat|sys|stoch|ran)[a-z]*\.?{SPACE}\)|{SPACE}(?P<bare>stat|sys|stoch|ran)[a-z]*\.?(?=[\s,;)])",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[,\s]")


class Errors(NamedTuple):
    """The uncertainties of a number, and the position after them."""

    pairs: tuple[tuple[float, float], ...]
    """Upper and lower uncertainty in each pair; the statistical pair comes before the systematic one."""
    end: int
    interval: str | None = None
    """Name of the interval if the text states its ends instead of uncertainties: "95% CI"."""


def errors_at(plain: str, end: int, step: float, value: float = math.inf) -> Errors:
    """Read the uncertainties of the number `value`, which begin at position `end`; `step` is the value of one
    unit in its last digit, or 0.
    """
    pairs: list[tuple[str, float, float]] = []
    if step and (last_digits := _LAST_DIGITS.match(plain, end)):
        error = float(last_digits[1]) * step if last_digits[1] else float(last_digits[2])
        return Errors(((error, error),), last_digits.end())
    while len(pairs) < MOST_ERRORS:
        match = next(filter(None, (pattern.match(plain, end) for pattern in _ERRORS)), None)
        if match is None:
            break
        groups = match.groupdict()
        plus, minus = (
            next(filter(None, (groups.get(f"{side}{form}") for form in ("", "_b", "_c", "_d"))), groups["plus"] or "")
            for side in ("plus", "minus")
        )
        if groups.get("plus_d") and not _may_be_errors(plain, match, max(number_of(plus), number_of(minus)), value):
            break
        end = match.end()
        kind = _KIND.match(plain, end)
        end = kind.end() if kind else end
        pairs.append(((kind["kind"] or kind["bare"]).lower() if kind else "", number_of(plus), number_of(minus)))
        if groups.get("plus2"):
            pairs.append(("", number_of(groups["plus2"]), number_of(groups.get("minus2") or groups["plus2"])))
    if pairs and pairs[0][0].startswith("sys") and len(pairs) > 1:
        pairs.reverse()
    return Errors(tuple((plus, minus) for _, plus, minus in pairs), end)


_INTERVAL = re.compile(
    rf"{SPACE}[,;:]?{SPACE}[(\[]?{SPACE}(?:with\s(?:an?\s)?)?"
    rf"(?P<name>(?P<sure>{_WITH_LEVEL}|(?i:(?:confidence|credib(?:le|ility))[- ](?:interval|limit)s?\b))|{_LEVEL})"
    rf"(?:\s\((?:{_LEVEL})\))?[\s,:=(\[]{{0,4}}(?:(?:of|from)\s)?"
)
_END_OF_INTERVAL = re.compile(rf"([-−]?){SPACE}({NUMBER})")
_JOINT_OF_INTERVAL = re.compile(rf"{SPACE}(?:[-–—−,;]|to\b|and\b){SPACE}")


def _interval_behind(plain: str, unit: "_WrittenUnit", value: float) -> Errors:
    """Read the interval around `value` whose two ends follow its unit: "(95% CI 9 to 13)". Outside brackets, "CI" alone
    may be neutral carbon.
    """
    nothing = Errors((), unit.end)
    head = _INTERVAL.match(plain, unit.end)
    low = _END_OF_INTERVAL.match(plain, head.end()) if head else None
    if head is None or low is None:
        return nothing
    before = plain[max(0, head.start("name") - LOOKS_BACK) : head.start("name")]
    if not (head["sure"] or before.count("(") > before.count(")") or before.count("[") > before.count("]")):
        return nothing
    low_unit = _unit(plain, low.end())
    joint = _JOINT_OF_INTERVAL.match(plain, low_unit.end)
    high = _END_OF_INTERVAL.match(plain, joint.end()) if joint else None
    if high is None:
        return nothing
    high_unit = _unit(plain, high.end())
    if any(each.is_written and each.unit != unit.unit for each in (low_unit, high_unit)):
        return nothing
    first, last = (number_of(end[2]) * (-1.0 if end[1] else 1.0) for end in (low, high))
    if not first <= value <= last:
        return nothing
    return Errors(((last - value, value - first),), high_unit.end, " ".join(head["name"].split()))


def _may_be_errors(plain: str, match: re.Match[str], larger: float, value: float) -> bool:
    """Return whether "-4+5" behind a number are its errors, rather than terms of a sum such as "2-1+3": two of three
    signs must say so.
    """
    has_unit = _unit(plain, factor_at(plain, match.end())[1]).is_written
    return has_unit + ("." in match[0]) + (larger <= abs(value)) >= 2


def number_of(digits: str) -> float:
    """Return the value of digits with separators; NaN for digits like "007"."""
    return math.nan if _LEADING_ZERO.match(digits) else float(_SEPARATORS.sub("", digits))


# Spellings of numbers and units in LaTeX, replaced by plain text of the same length.

_TIE = re.compile(r"(?<=[\w$}).])~(?=[\\{$(])")
"""Tildes that stand for a space before LaTeX."""

_SAME_LENGTH = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"\bthousand million\b", "billion"),
        (r"\bfor each\b", "per"),
        (r"(?<![A-Za-z])([MLRZ])\s{0,16}_?\s{0,24}(?:⊙|solar\b|sun\b|Sun\b|odot\b)", r"\1⊙"),
        (r"(?<![A-Za-z])([MR])\s{0,16}_\s{0,24}(?:J(?:up)?|jup)(?![A-Za-z])", r"\1J"),
        (r"(?<![A-Za-z])([MR])\s{0,16}_?\s{0,24}⊕|(?<![A-Za-z])([MR])\s{0,16}_\s{0,24}[Ee](?:arth)?(?![A-Za-z])", "E"),
        (r"(?<=\d)([MR])e\b", "E"),
        (r"\bkms\s{0,8}\^\s{0,8}-\s?1", "km/s"),
        (r"\^\s{0,8}°", "°"),
        (r"\bkm\s{0,2}/\s{0,2}sec\b", "km/s"),
        (r"(?<=\d)\s{0,9}h(?:_?\d\d)?\s{0,8}\^\s{0,8}-\s?1(?=\s{0,24}(?:[GMk]?pc|M⊙))", " "),
        (r"\(1-?σ\)", " "),
        (r"(?<=\d)~(?=\d{3}(?!\d))", " "),
    )
)
"""Spellings of numbers and units, and the shorter ones that replace them, padded with spaces."""
_THOUSANDS = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:[ ]{1,2}\d{3}(?!\d))+")
"""Thousands that are set apart by spaces, as in "16 300"; only a measurement is written so."""


def plain_text_of(text: str) -> str:
    """Return `text` in the form in which measurements are read: without LaTeX, but of the same length."""
    plain = plain_signs(_TIE.sub(" ", text))
    for pattern, replacement in _SAME_LENGTH:
        plain = pattern.sub(partial(_fill, replacement=replacement), plain)
    return _THOUSANDS.sub(lambda match: match[0].replace(" ", "\N{NO-BREAK SPACE}"), plain)


def _fill(match: re.Match[str], replacement: str) -> str:
    short = next(filter(None, match.groups()), "") + "E" if replacement == "E" else match.expand(replacement)
    return short.ljust(len(match[0]))
