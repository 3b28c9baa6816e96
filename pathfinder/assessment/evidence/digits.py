"""Numbers in digits: where they stand, what they are worth, and which sign they have."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pathfinder.assessment.evidence.units import is_unit

LARGEST_POWER = 300
"""Of ten, beyond which a floating-point number does not reach: such powers are compared by their exponents."""
MOST_DIGITS = 40
"""Of a number; a longer run of digits is none."""

_NUMBER = re.compile(r"(?<![\w.^_])(?<!\d/)([-+]?)(\d+(?:,\d{3})+(?!\d)|\d+)(\.\d+)?([eE][-+]?\d{1,3}(?!\w))?")
_EXPONENT = r"\s?(?:\^|\*\*)?\s?([-+]?\d{1,4}(?:\.\d{1,4})?)(?!\d)"
_POWER = re.compile(rf"\s?[×x·*∙⋅]\s?10{_EXPONENT}")
_LONE_POWER = re.compile(r"10(?:\^|\*\*)\s?([-+]?\d{1,4}(?:\.\d{1,4})?)(?!\d)")
_SCALE = re.compile(r"[ -]?(thousand|million|billion|trillion)\b|(?<=\d)([MB])\b")
_SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "M": 1e6, "B": 1e9}
_LOOSE = re.compile(
    r"(?:about|around|approximately|roughly|nearly|almost|some|over|under|∼|~|≈|≳|≲|>|<)\s*$", re.IGNORECASE
)
_DATE = re.compile(r"(?<!\d)(?:1[89]|20)\d\d-(?:0\d|1[0-2])-[0-3]\d(?!\d)")
_APART = re.compile(r"(?:(?<=^)|(?<=[\s(=~∼≈<>]))-\s$")
_NO_NUMBER = 0
LONGEST_UNIT = 8
LOOKS_BACK = 40
"""Characters before a number that are looked at."""


@dataclass(frozen=True, slots=True)
class Digits:
    """A number in digits where it stands."""

    start: int
    end: int
    value: float
    """Without its sign; the exponent, where `is_exponent`."""
    step: float
    """One of its last digit."""
    sign: int | None
    """-1 with a minus, 1 with a plus or nothing; `None` where a dash before it may be either."""
    is_exponent: bool = False


def digits(plain: str) -> Iterator[Digits]:
    """The numbers of a `readable` text, in order; of the second of a range the dash is no sign."""
    done = 0
    dates = [match.span() for match in _DATE.finditer(plain)]
    for match in _NUMBER.finditer(plain):
        if match.start() < done or any(first < match.start() < last for first, last in dates):
            continue
        start, sign = _signed(plain, match, done)
        if sign == _NO_NUMBER:
            continue
        if (found := _valued(plain, match, start, sign)) is not None:
            yield found
            done = found.end


def _signed(plain: str, match: re.Match[str], done: int) -> tuple[int, int | None]:
    """Where a number begins and its sign; `done` is where the number before it ends."""
    start = match.start()
    dash = start if match[1] == "-" else start - 1 if plain[max(0, start - 1) : start] == "-" else None
    if dash is None:
        is_apart = _APART.search(plain[max(0, start - LOOKS_BACK) : start]) is not None
        return start, None if is_apart else 1
    prior = plain[max(0, dash - 1) : dash]
    is_range = 0 < done <= dash and dash - done <= LONGEST_UNIT and _ends_a_number(plain[done:dash].strip())
    if prior.isspace() or not prior or not (prior.isalnum() or prior in "%°″′)^_"):
        # "10 -30" may be a range and a difference.
        return dash, None if is_range else -1
    return dash + 1, 1 if is_range else _NO_NUMBER


def _ends_a_number(between: str) -> bool:
    """Whether what stands between a number and a dash belongs to the number: "10-30", "10%-30%", not "NGC-1068"."""
    return not between or between in "%°″′" or is_unit(between)


def _valued(plain: str, match: re.Match[str], start: int, sign: int | None) -> Digits | None:
    _, whole, fraction, exponent = match.groups()
    if len(whole) > MOST_DIGITS:
        return None
    value, step = _plain_value(match, plain[max(0, match.start() - LOOKS_BACK) : match.start()])
    end = match.end()
    lone = _LONE_POWER.match(plain, match.start() + len(match[1] or "")) if whole == "10" and not fraction else None
    raised = lone or _POWER.match(plain, end)
    power = raised[1] if raised else (exponent or "")[1:]
    if raised:
        end = raised.end()
    if power:
        return _raised(start, end, sign, 1.0 if lone else value, 1.0 if lone else step, power)
    if scale := _SCALE.match(plain, end):
        factor = _SCALES[scale[1] or scale[2]]
        return Digits(start, scale.end(), value * factor, step * factor, sign)
    return Digits(start, end, value, step, sign)


def _raised(start: int, end: int, sign: int | None, value: float, step: float, power: str) -> Digits:
    exponent = float(power)
    total = exponent + (math.log10(value) if value else 0.0)
    if abs(total) > LARGEST_POWER:
        return Digits(start, end, total, 0.01, sign, is_exponent=True)
    factor = 10.0**exponent
    _, point, decimals = power.partition(".")
    if point:
        # One of the last digit of the exponent: 10^13.9 ends where 10^13.95 begins.
        step = value * (10.0 ** (10.0 ** -len(decimals)) - 1.0)
    return Digits(start, end, value * factor, step * factor, sign)


def _plain_value(match: re.Match[str], before: str) -> tuple[float, float]:
    """Without an exponent."""
    _, whole, fraction, _ = match.groups()
    written = whole.replace(",", "")
    value = float(f"{written}{fraction or ''}")
    if fraction:
        return value, 10.0 ** (1 - len(fraction))
    zeros = len(written) - len(written.rstrip("0"))
    is_loose = _LOOSE.search(before) is not None and zeros < len(written)
    return value, 10.0**zeros if is_loose else 1.0
