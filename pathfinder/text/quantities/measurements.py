"""Measured values in a scientific text: numbers with their uncertainties, limits, units and positions.

Positions count characters of the text itself, LaTeX included, so that a value can be shown where it stands.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from pathfinder.text.languages import ENGLISH
from pathfinder.text.latex.same_length import plain_signs
from pathfinder.text.quantities.bounds import bound
from pathfinder.text.quantities.units import Unit, unit_at

UPPER, LOWER, ABOUT = "upper", "lower", "about"
LOOKS_BACK = 40
"""Number of characters read before a number."""
MOST_ERRORS = 2
"""A statistical uncertainty and a systematic one."""
LARGEST_POWER = 300
"""Power of ten beyond the range of a floating-point number."""

_S = r"\s{0,24}"
_NUMBER = r"(?:\d{1,3}(?:(?:,|[ ]{2}|[\u2009\u202f])\d{3}(?!\d))+|\d{1,12})(?:\.\d{1,12})?"
_POWER = rf"{_S}[×x*·]{_S}10{_S}\^{_S}([-+]?\s?\d{{1,3}})(?![\d.])"
_MINUS = "[-–−]"
_WIDER = rf"(?:{_S}\({_NUMBER}\))?"
"""Error at a higher confidence level: "+0.72(1.43)"."""

_START = re.compile(
    rf"(?<![\w.,^_/\\])(?P<sign>[-+](?=\d))?(?:(?P<power>10{_S}\^{_S}[-+]?\s?\d{{1,3}}(?:\.\d+)?)(?![\d.])"
    rf"|(?P<digits>{_NUMBER})(?:[eE](?P<exponent>[-+]?\d{{1,3}})(?!\w))?)(?!\.\d)"
)
_WORDS = re.compile(
    rf"(?<![\w-])(?P<word>{'|'.join(ENGLISH.numbers)}|half a|a)[ -](?P<scale>hundred|thousand|million|billion)\b",
    re.IGNORECASE,
)
_ERRORS = (
    re.compile(rf"{_S}(?:±|\+{_S}/{_S}[-–]|\+{_S}\\?[-–]|, give or take){_S}(?P<plus>{_NUMBER}|one(?=\W))"),
    re.compile(
        rf"{_S}\^{_S}\+{_S}(?P<plus>{_NUMBER}){_WIDER}{_S}(?:\+{_S}(?P<plus2>{_NUMBER}))?{_S}_{_S}{_MINUS}{_S}"
        rf"(?P<minus>{_NUMBER}){_WIDER}(?:{_S}{_MINUS}{_S}(?P<minus2>{_NUMBER}))?"
    ),
    re.compile(
        rf"{_S}_{_S}{_MINUS}{_S}(?P<minus>{_NUMBER}){_S}(?:{_MINUS}{_S}(?P<minus2>{_NUMBER}))?{_S}\^{_S}\+{_S}"
        rf"(?P<plus>{_NUMBER})(?:{_S}\+{_S}(?P<plus2>{_NUMBER}))?"
    ),
    re.compile(
        rf"{_S}\({_S}\+{_S}(?P<plus>{_NUMBER}){_S}[,/]?{_S}{_MINUS}{_S}(?P<minus>{_NUMBER}){_S}\)"
        rf"|{_S}\(\+(?P<plus_c>{_NUMBER})\){_S}\({_MINUS}(?P<minus_c>{_NUMBER})\)"
        rf"|{_S}\+{_S}(?P<plus_b>{_NUMBER}){_S}[,/]?{_S}{_MINUS}{_S}(?P<minus_b>{_NUMBER})"
    ),
)
_LAST_DIGITS = re.compile(r"\((\d{1,3})\)(?![\w.])")
_KIND = re.compile(
    rf"{_S}\({_S}(?P<kind>stat|sys|stoch|ran)[a-z]*\.?{_S}\)|{_S}(?P<bare>stat|sys|stoch|ran)[a-z]*\.?(?=[\s,;)])",
    re.IGNORECASE,
)
_CLOSING = re.compile(rf"{_S}\)")
_TIMES = re.compile(_POWER)
_THEN = re.compile(
    rf",?\s+with\s+(?P<random>{_NUMBER})\s+of\s+(?:random|statistical)\s+and\s+(?P<systematic>{_NUMBER})\s+of\s+"
    rf"systematic\s+error|,?\s+with\s+errors\s+of\s+\+(?P<plus>{_NUMBER})\s+and\s+-(?P<minus>{_NUMBER})"
    rf"|\s+to\s+(?P<share>{_NUMBER})\s?(?:per\s?cent|%)|,\s+give\s+or\s+take\s+(?P<both>{_NUMBER}|one)\b"
    rf"|,?\s+with\s+errors\s+(?:near|of(?: about)?)\s+(?P<errors>{_NUMBER})",
)
_ABOUT = re.compile(
    r"(?:[~≈∼≃]|\b(?:about|around|approximately|roughly|nearly|almost|some|near|close to|order of|of order)"
    r")\s*$",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\s+times\s+(?:(?:that|the (?:mass|radius|size|diameter|luminosity)) of\s+|as (?:massive|large|heavy) as\s+)?"
    r"(?:the\s+|our\s+)?(Jupiter|Earth|Sun)(?:['’]s)?\b|\s+(Sun)s\b|\s+(Jupiter|Earth)s\b"
)
_JOINED = re.compile(
    rf"{_S}(?:,|,?{_S}\b(?:and|or|to)\b|[-–—]){_S}(?:and\s+|about\s+)?(?:the\s+[a-z]+\s+)?(?:~{_S})?|{_S}\({_S}"
)
_RANGE = re.compile(rf"{_S}(?:[-–—]|\bto\b){_S}")
_BETWEEN = re.compile(r"\b(?:between|from)\s+(?:about\s+|some\s+|roughly\s+)?$", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:\b(?:v|ver|versions?|release|dr|fig|figs|figure|figures|table|tables|sect|section|sections|eq|eqs|equation|p|pp|"
    r"pages?|vol|volume|no|nos|number|chapter|cycle|paper|part|class|type|types|sector|campaign|arxiv|doi|et al|year|"
    r"ref|refs|january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|"
    r"aug|sep|sept|oct|nov|dec)\.?[\s(~]*|[#§]\s?|\w:)$",
    re.IGNORECASE,
)
"""Words that precede a number that labels something, or a date."""
_DESIGNATION = re.compile(r"(?:^|[\s(\[,;])(?=[^\s=<>~≈()]*[A-Za-z])[^\s=<>~≈()^]*[-–+]$")
"""Beginning of a name that ends in a dash: "J2215-" before "3537"."""
_NO_VALUE_BEHIND = re.compile(r"\s{0,9}-?\s{0,9}[σ]|\s?\+\s?log|\s?(?:th|st|nd|rd)\b|\s?-?sigma\b")
"""Text that follows confidence levels, ordinals and the 12 of "12 + log(O/H)"."""
_DASH_BETWEEN_FORMULAS = re.compile(r"\d\s{0,2}$")
_NAME = re.compile(r"(?:[A-Z][A-Za-z]*[A-Z][A-Za-z]*|[A-Z][a-z]{2,}|[A-Z]{1,3})[\s~]$")
_DATE_BEHIND = re.compile(
    r"\s+(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_GLUED = re.compile(r"[A-Za-z]|_[A-Za-z]|-[A-Za-z]|\.\d|/\d|:\d")
_TIE = re.compile(r"(?<=[\w$}).])~(?=[\\{$])")
"""Tildes that stand for a space before LaTeX."""
_SCRIPT = re.compile(r"[_^]\s{0,24}-?\s?$")
_SEPARATORS = re.compile(r"[,\s]")
_DECADE = re.compile(r"(?:1[5-9]|20)\d0s\b|(?:1[89]|20)\d\d[A-Z]{1,2}\b|(?:1[89]|20)\d\d[a-z]{2,4}\b")
"""Decades, and the year in the name of a supernova: "1970s", "1969L"."""
_CATALOGUE = re.compile(r"[A-Z]{2,}[A-Za-z]*[\s~-]$")
_PLANET = re.compile(r"\d+\s?[b-h](?![\w/^])")
_LONE_SPACES = re.compile(r"\s+")
_EXPONENT = re.compile(r"\s*\^\s*(-?)\s?(\d)")
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_YEARS = range(1500, 2101)

_SAME_LENGTH = tuple(
    (re.compile(pattern), written)
    for pattern, written in (
        (r"\bthousand million\b", "billion"),
        (r"\bmillion million\b", "trillion"),
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
    )
)
"""Spellings of numbers and units, and the shorter ones that replace them, padded with spaces."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number in a text, with everything that belongs to it."""

    value: float
    plus: float | None
    """Upper uncertainty; the statistical one, if a systematic one is stated separately."""
    minus: float | None
    """Lower uncertainty, as a positive number."""
    plus_systematic: float | None
    minus_systematic: float | None
    unit: Unit | None
    """Unit by dimension and size; `None` for a plain number."""
    written_unit: str
    """Unit as written, without LaTeX; empty for a plain number."""
    relative_to: str | None
    """"Jupiter", "Earth" or "Sun" for a multiple of one of their properties."""
    limit: str | None
    """"upper", "lower" or "about"; `None` for a measurement."""
    start: int
    """Position of its first character in the text."""
    end: int
    """Position after its last character, including its unit and uncertainty."""
    power: float = 1.0
    """Power of ten, or the factor of a word such as "million", that is part of it."""
    is_attributive: bool = False
    """True if a hyphen joins it to its unit: "3.35-day orbital period"."""

    @property
    def has_uncertainty(self) -> bool:
        """True if an uncertainty is stated."""
        return self.plus is not None


class _Errors(NamedTuple):
    pairs: tuple[tuple[float, float], ...]
    """Upper and lower, statistical before systematic."""
    end: int


def plain_text_of(text: str) -> str:
    """Return `text` in the form in which measurements are read: without LaTeX, but of the same length."""
    plain = plain_signs(_TIE.sub(" ", text))
    for pattern, written in _SAME_LENGTH:
        plain = pattern.sub(partial(_filled, written=written), plain)
    return plain


def _filled(match: re.Match[str], written: str) -> str:
    short = next(filter(None, match.groups()), "") + "E" if written == "E" else match.expand(written)
    return short.ljust(len(match[0]))


def measurements(text: str) -> tuple[Measurement, ...]:
    """Read the measurements in `text`, in order. Years, versions, page numbers and numbers in names are not
    measurements.
    """
    plain = plain_text_of(text)
    separate: list[Measurement] = []
    for reading in _readings(text, plain):
        if not separate or reading.start >= separate[-1].end:
            separate.append(reading)
    return tuple(_ends_as_limits(plain, _with_shared_units(plain, separate)))


def _readings(text: str, plain: str) -> Iterator[Measurement]:
    starts = [*_START.finditer(plain), *_WORDS.finditer(plain)]
    read_to = 0
    for match in sorted(starts, key=lambda match: match.start()):
        if match.start() < read_to or _belongs_to_name(plain, match):
            continue
        reading = _measurement(text, plain, match)
        if reading is not None:
            read_to = reading.end
            yield reading


def _belongs_to_name(plain: str, match: re.Match[str]) -> bool:
    before = plain[max(0, match.start() - LOOKS_BACK) : match.start()]
    if _DESIGNATION.search(before) or _SCRIPT.search(before):
        return True
    if _NO_VALUE_BEHIND.match(plain, match.end()) or _DECADE.match(plain, match.start()):
        return True
    if _CATALOGUE.search(before) and _PLANET.match(plain, match.start()):
        return True
    if _NUMBERED.search(before) is not None and not before.rstrip().endswith("="):
        return True
    return match.lastgroup != "scale" and _DATE_BEHIND.match(plain, match.end()) is not None


def _measurement(text: str, plain: str, match: re.Match[str]) -> Measurement | None:
    value, end, step = _value(plain, match)
    if value is None:
        return None
    errors = _errors(plain, end, step)
    end, pairs = errors.end, errors.pairs
    start, has_bracket = match.start(), False
    if match.groupdict().get("sign") == "-" and _DASH_BETWEEN_FORMULAS.search(plain[max(0, start - 4) : start]):
        value, start = -value, start + 1  # "$6.7$-7.3" is a range
    if (
        plain[:start].rstrip().endswith("(")
        and (closing := _CLOSING.match(plain, end))
        and _TIMES.match(plain, closing.end())
    ):
        end, has_bracket = closing.end(), True
    factor, end = _factor(plain, end)
    late, unit_start = errors, end
    unit, unit_end, relative = _unit(plain, end)
    if unit is None and relative is None and _is_no_value(plain, match, bool(pairs)):
        return None
    if not pairs and (unit or relative):
        late = _errors(plain, unit_end, step)
        if late.pairs:
            again, again_end, _ = _unit(plain, late.end)
            pairs, unit_end_behind = late.pairs, again_end if again == unit else late.end
        else:
            pairs, unit_end_behind = _errors_in_words(plain, unit_end, value, factor)
    else:
        unit_end_behind = unit_end
    if not pairs and not unit:
        pairs, unit_end_behind = _errors_in_words(plain, unit_end, value, factor)
    scaled = [(_rounded(plus * factor), _rounded(minus * factor)) for plus, minus in pairs]
    statistical, systematic = [*scaled, None, None][:2]
    is_attributive = plain[unit_start : unit_start + 1] == "-" and unit is not None
    return Measurement(
        value=_rounded(value * factor),
        plus=statistical[0] if statistical else None,
        minus=statistical[1] if statistical else None,
        plus_systematic=systematic[0] if systematic else None,
        minus_systematic=systematic[1] if systematic else None,
        unit=unit,
        written_unit="" if relative else _written_unit(plain[unit_start:unit_end]),
        relative_to=relative,
        limit=_limit(plain, start, unit_end),
        start=start - 1 if has_bracket and plain[start - 1] == "(" else start,
        end=_end_in_latex(text, plain, max(unit_end, unit_end_behind)),
        power=factor,
        is_attributive=is_attributive,
    )


def _rounded(number: float) -> float:
    """Return a number without the noise of binary arithmetic in its last digits."""
    return float(f"{number:.12g}")


def _written_unit(plain: str) -> str:
    """Return a unit with raised exponents: "km s⁻¹ Mpc⁻¹"."""
    raised = _EXPONENT.sub(lambda match: f"{match[1]}{match[2]}".translate(_RAISED), plain)
    return _LONE_SPACES.sub(" ", raised).strip(" -)")


def _end_in_latex(text: str, plain: str, end: int) -> int:
    """Return `end` moved past the LaTeX that `plain` leaves blank: closing braces and the like."""
    while end < len(text) and plain[end].isspace() and not text[end].isspace():
        end += 1
    return end


def _value(plain: str, match: re.Match[str]) -> tuple[float | None, int, float]:
    """Return the value of a number, its end, and the value of one unit in its last digit."""
    groups = match.groupdict()
    if word := groups.get("word"):
        number = {"a": 1.0, "half a": 0.5}.get(word.lower()) or ENGLISH.numbers[word.lower()]
        return number, match.end("word"), 1.0
    sign = -1.0 if groups["sign"] == "-" else 1.0
    if groups["power"]:
        exponent = float(groups["power"].partition("^")[2].replace(" ", ""))
        return (sign * 10.0**exponent if abs(exponent) <= LARGEST_POWER else None), match.end(), 1.0
    is_glued = _GLUED.match(plain, match.end()) is not None and _TIMES.match(plain, match.end()) is None
    if is_glued and _unit(plain, match.end())[0] is None:
        return None, match.end(), 1.0
    digits = groups["digits"]
    power = int(groups["exponent"] or 0)
    _, point, decimals = digits.partition(".")
    value = sign * _number(digits) * 10.0**power if abs(power) <= LARGEST_POWER else None
    return value, match.end(), 10.0 ** -len(decimals) if point else 0.0


def _errors(plain: str, end: int, step: float) -> _Errors:
    pairs: list[tuple[str, float, float]] = []
    if step and (last_digits := _LAST_DIGITS.match(plain, end)):
        error = float(last_digits[1]) * step
        return _Errors(((error, error),), last_digits.end())
    while len(pairs) < MOST_ERRORS:
        match = next(filter(None, (pattern.match(plain, end) for pattern in _ERRORS)), None)
        if match is None:
            break
        end = match.end()
        kind = _KIND.match(plain, end)
        end = kind.end() if kind else end
        groups = match.groupdict()
        plus = _number(groups["plus"] or groups.get("plus_b") or groups.get("plus_c") or "")
        minus = _number(groups.get("minus") or groups.get("minus_b") or groups.get("minus_c") or groups["plus"] or "")
        pairs.append(((kind["kind"] or kind["bare"]).lower() if kind else "", plus, minus))
        if groups.get("plus2"):
            pairs.append(("", _number(groups["plus2"]), _number(groups.get("minus2") or groups["plus2"])))
    if pairs and pairs[0][0].startswith("sys") and len(pairs) > 1:
        pairs.reverse()
    return _Errors(tuple((plus, minus) for _, plus, minus in pairs), end)


def _number(written: str) -> float:
    return 1.0 if written == "one" else float(_SEPARATORS.sub("", written))


def _factor(plain: str, end: int) -> tuple[float, int]:
    """Return the power of ten or the word such as "million" at `end`, as a factor, and its end."""
    if power := _TIMES.match(plain, end):
        exponent = int(power[1].replace(" ", ""))
        return (10.0**exponent, power.end()) if abs(exponent) <= LARGEST_POWER else (1.0, end)
    lead = len(plain[end : end + 24]) - len(plain[end : end + 24].lstrip())
    factor, scale_end = ENGLISH.scale_at(plain, end + max(0, lead - 1))
    return (factor, scale_end) if factor != 1.0 else (1.0, end)


def _unit(plain: str, end: int) -> tuple[Unit | None, int, str | None]:
    if match := _RELATIVE.match(plain, end):
        return None, match.end(), next(filter(None, match.groups()))
    unit, unit_end = unit_at(plain, end)
    if unit and plain[unit_end - 1 : unit_end + 1].isalnum() and unit_end < len(plain) and plain[end] != " ":
        unit, unit_end = None, end  # "3L1S" is a name
    if unit is None and (closing := _CLOSING.match(plain, end)) and plain.count("(", max(0, end - LOOKS_BACK), end):
        unit, unit_end = unit_at(plain, closing.end())  # "76.6 (76.6 ± 14) km/s"
        unit_end = unit_end if unit else end
    return unit, unit_end, None


def _is_no_value(plain: str, match: re.Match[str], has_errors: bool) -> bool:
    """Return whether a number without a unit is a year or part of a name."""
    if has_errors:
        return False
    before = plain[max(0, match.start() - LOOKS_BACK) : match.start()]
    is_whole = match.groupdict().get("digits", "").isdigit() if match.groupdict().get("digits") else False
    is_year = is_whole and len(match["digits"]) == 4 and int(match["digits"]) in _YEARS
    return (is_year and not before.rstrip().endswith("=")) or (is_whole and _NAME.search(before) is not None)


def _errors_in_words(plain: str, end: int, value: float, factor: float) -> tuple[tuple[tuple[float, float], ...], int]:
    match = _THEN.match(plain, end)
    if match is None:
        return (), end
    if match["random"]:
        random, systematic = float(match["random"]), float(match["systematic"])
        return ((random, random), (systematic, systematic)), match.end()
    if match["plus"]:
        return ((float(match["plus"]), float(match["minus"])),), match.end()
    if match["share"]:
        # A share in per cent has two or three digits, and the error that follows from it has no more.
        error = float(f"{abs(value) * float(match['share']) / 100.0:.3g}")
        return ((error, error),), match.end()
    error = _number(match["both"] or match["errors"]) / (factor if match["both"] == "one" else 1.0)
    return ((error, error),), match.end()


def _limit(plain: str, start: int, end: int) -> str | None:
    side = bound(plain, start, end)
    if side:
        return LOWER if side > 0 else UPPER
    before = plain[max(0, start - LOOKS_BACK) : start].rstrip(" (")
    return ABOUT if _ABOUT.search(before) else None


def _with_shared_units(plain: str, numbers: Sequence[Measurement]) -> list[Measurement]:
    """Give a number the unit of the next number if only "and", "or", "to" or a dash stands between them."""
    shared = list(numbers)
    for place in range(len(shared) - 2, -1, -1):
        number, following = shared[place], shared[place + 1]
        has_none = number.unit is None and number.relative_to is None
        is_listed = _JOINED.fullmatch(plain, number.end, following.start) is not None
        if is_listed and number.limit == ABOUT and following.limit is None:
            shared[place + 1] = replace(following, limit=ABOUT)
        if is_listed and _shares_power(plain, number, following):
            number = shared[place] = replace(number, value=_rounded(number.value * following.power))
        if has_none and (following.unit or following.relative_to) and is_listed and not _is_year(number):
            shared[place] = replace(
                number,
                unit=following.unit,
                written_unit=following.written_unit,
                relative_to=following.relative_to,
            )
    return shared


def _shares_power(plain: str, number: Measurement, following: Measurement) -> bool:
    """Return whether the power of ten of the second number of a range also applies to the first: "1.2-1.4 × 10^11"."""
    is_range = _RANGE.fullmatch(plain, number.end, following.start) is not None
    is_bare = number.power == 1.0 and number.unit is None and not number.has_uncertainty
    return is_range and is_bare and following.power >= 1e3 and number.value < following.value / following.power


def _is_year(number: Measurement) -> bool:
    return number.value in _YEARS and number.value == int(number.value) and not number.has_uncertainty


def _ends_as_limits(plain: str, numbers: Sequence[Measurement]) -> Iterator[Measurement]:
    """Yield the two ends of a range as limits."""
    ends = list(numbers)
    for place in range(len(ends) - 1):
        first, second = ends[place], ends[place + 1]
        joint = plain[first.end : second.start]
        is_between = _BETWEEN.search(plain[max(0, first.start - LOOKS_BACK) : first.start]) is not None
        is_range = _RANGE.fullmatch(joint) is not None or (is_between and joint.strip() == "and")
        if is_range and first.unit == second.unit and not first.has_uncertainty and first.value < second.value:
            ends[place], ends[place + 1] = replace(first, limit=LOWER), replace(second, limit=UPPER)
    yield from ends
