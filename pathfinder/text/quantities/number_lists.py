"""Lists and ranges of numbers, which share a unit or a power of ten."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pathfinder.text.author_year import YEARS_WITHOUT_UNIT
from pathfinder.text.quantities.measurement import ABOUT, LOWER, UPPER, Measurement, round_off
from pathfinder.text.quantities.number_labels import LOOKS_BACK
from pathfinder.text.quantities.uncertainties import SPACE

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
