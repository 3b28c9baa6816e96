"""Numbers of a text with their units, and whether one text has a number of another."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pathfinder.assessment.evidence.bounds import bound, has_open_sign, is_error
from pathfinder.assessment.evidence.digits import Digits, digits
from pathfinder.assessment.evidence.units import PERCENT, TEN_TO_THE, Unit, unit_at, with_signs
from pathfinder.corpus.language.inflection import base_form
from pathfinder.corpus.language.latex import plain_text
from pathfinder.index.words import QUESTION_STOP_WORDS

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_RAISED = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_ENUMERATOR = re.compile(r"\s*\(?\d{1,2}[).]")
"""What begins an item of a list: "(3)"."""
_JOINED = re.compile(r"\s*(?:to|and|or|±|\+/-|–|-|—)\s*")
_BEHIND = re.compile(r"[ -]([A-Za-z]{3,})")
MOST_COUNTED = 3
"""Words behind a number of which one may be what it counts: "seven giant planets"."""


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
    counts: tuple[str, ...] = ()
    """Of a number without a unit, the words behind it, without their plurals: "bit" of "4-bit"."""
    bound: int = 0
    """1 of a least ("> 3"), -1 of a most, else 0."""
    has_open_sign: bool = False
    """Whether it may be meant with the other sign, as in "lower by 0.3" or behind a dash that may be no minus."""


def readable(text: str) -> str:
    """`text` on one line without LaTeX, its exponents as 10^9 and its units as signs."""
    plain = _RAISED.sub(lambda raised: f"^{raised[0].translate(_SUPERSCRIPTS)}", plain_text(text))
    plain = plain.replace("−", "-").replace("\u2009", " ").replace("\xa0", " ").replace("\u202f", " ")
    return with_signs(" ".join(plain.split()))


def quantities(plain: str, names: Sequence[tuple[int, int]] = ()) -> tuple[Quantity, ...]:
    """The numbers in digits of a `readable` text, in order, less those within `names`, such as that of "NGC 1068".

    `names` are in order and apart.
    """
    found: list[tuple[int, int, Quantity]] = []
    firsts = [first for first, _ in names]
    for one in digits(plain):
        place = bisect_right(firsts, one.start) - 1
        if (place >= 0 and one.start < names[place][1]) or (found and one.start < found[-1][1]):
            continue
        if _ENUMERATOR.fullmatch(plain, 0, one.end + 1):
            continue
        unit, behind = unit_at(plain, one.end)
        if unit is None and plain[one.end : one.end + 1].isalpha():
            continue  # "3D", "2MASS": a name
        found.append((one.start, behind, _in_digits(plain, one, behind, unit)))
    return tuple(_with_shared_units(plain, found))


def _in_digits(plain: str, one: Digits, behind: int, unit: Unit | None) -> Quantity:
    value = -one.value if one.sign == -1 else one.value
    found = quantity(plain, (one.start, behind), value, TEN_TO_THE if one.is_exponent else unit, one.step)
    is_signed = plain[one.start] in "+-"
    return replace(found, has_open_sign=one.sign is None or (not is_signed and found.has_open_sign))


def quantity(plain: str, span: tuple[int, int], value: float, unit: Unit | None, step: float) -> Quantity:
    """A number that lies in `span`, with what is around it."""
    start, end = span
    return Quantity(
        written=plain[start:end],
        value=value,
        unit=unit,
        step=step,
        is_error=is_error(plain, start),
        counts=() if unit else _counted(plain, end),
        bound=bound(plain, start, end),
        has_open_sign=has_open_sign(plain, start, end),
    )


def _counted(plain: str, end: int) -> tuple[str, ...]:
    counted: list[str] = []
    while len(counted) < MOST_COUNTED and (word := _BEHIND.match(plain, end)):
        if word[1].lower() in QUESTION_STOP_WORDS:
            break
        counted.append(base_form(word[1].lower()))
        end = word.end()
    return tuple(counted)


def _with_shared_units(plain: str, found: list[tuple[int, int, Quantity]]) -> list[Quantity]:
    """A number without a unit before "to", "and" or "±" has that of the number behind: "80 to 120 km/s"."""
    shared: list[Quantity] = []
    unit, begins = None, -1
    for start, behind, one in reversed(found):
        own = one.unit
        if own is None and begins >= 0 and _JOINED.fullmatch(plain, behind, begins):
            own = unit
        unit, begins = own, start
        shared.append(replace(one, unit=own, counts=() if own else one.counts))
    return shared[::-1]


def same_dimensions(first: Quantity, second: Quantity) -> bool:
    """Whether the two can be compared: with units of the same dimensions, or both without."""
    one, other = first.unit, second.unit
    return (one.dimensions if one else None) == (other.dimensions if other else None)


def agrees(claimed: Quantity, given: Quantity) -> bool:
    """Whether `claimed` is `given`, in another unit or rounded perhaps.

    A number without a unit that is known fits one with a unit, unless it is a single digit: a "2" is in every text.
    An error bar is no value: "1.2" is not in "4.2 ± 1.2". A least is no most, and where both have a sign that is told,
    it is the same.
    """
    if given.is_error is True and claimed.is_error is False:
        return False
    if claimed.bound * given.bound < 0 or _has_other_sign(claimed, given):
        return False
    if (claimed.unit is None) != (given.unit is None) and _is_plain(claimed) and given.unit is None:
        return False
    return any(_is_near(claimed, given, factor) for factor in _factors(claimed.unit, given.unit))


def _has_other_sign(claimed: Quantity, given: Quantity) -> bool:
    is_told = not (claimed.has_open_sign or given.has_open_sign)
    return is_told and claimed.value * given.value < 0


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
    """Signs aside; rounded, but never made more precise."""
    rounding = 0.5001 * claimed.step if given.step * factor <= 1.0001 * claimed.step else 0.0
    difference = abs(abs(claimed.value) - abs(given.value * factor))
    return difference <= max(rounding, 1e-6 * abs(claimed.value))
