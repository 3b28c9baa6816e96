"""Finds the numbers in a claim and in its sources, and matches them."""

import re
from collections.abc import Sequence

from pathfinder.text.latex.search_text import plain_text
from pathfinder.text.quantities.number_words import MOST_OF_PRONOUN
from pathfinder.text.quantities.quantities import Quantity, multiples, quantities
from pathfinder.text.quantities.units import PERCENT, Unit, with_symbols

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SUPERSCRIPT = re.compile(r"[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_NO_COUNTS = frozenset({"twice", "thrice", "half", "double", "doubled", "doubles", "triple"})
_MEANS_THOSE_NAMED = re.compile(r"\b(?:the|these|those|all|both|other|last|first|its|their|our|any)\s+$", re.IGNORECASE)
"""Words that, in front of "two", make it refer to things mentioned earlier instead of counting them."""


def readable(text: str) -> str:
    """Return `text` on one line without LaTeX, with exponents written as in 10^9 and units as symbols."""
    plain = _SUPERSCRIPT.sub(lambda match: f"^{match[0].translate(_SUPERSCRIPTS)}", plain_text(text))
    plain = plain.replace("−", "-").replace("\u2009", " ").replace("\xa0", " ").replace("\u202f", " ")
    return with_symbols(" ".join(plain.split()))


def numbers_in_digits(plain: str, names: Sequence[tuple[int, int]] = ()) -> tuple[Quantity, ...]:
    """Return the numbers in a `readable` text that are written in digits, except those in `names` or in larger
    expressions.
    """
    return tuple(number for number in quantities(plain, names=names) if not number.is_in_words and not number.is_part)


def numbers_in_words(plain: str) -> tuple[Quantity, ...]:
    """Return the numbers in a `readable` text that are written in words, including every reading that a source may
    intend.
    """
    return (*(number for number in quantities(plain) if number.is_in_words), *multiples(plain))


def counts_in_words(plain: str) -> tuple[Quantity, ...]:
    """Return the numbers in words that say how many or how much, rather than standing for a thing themselves.

    "One of them", "the two", "first", "two-point" and "one day" are not amounts; "seven planets" and "two years" are.
    """
    amounts_in_words = (number for number in quantities(plain) if number.is_in_words and _is_count(plain, number))
    return (*amounts_in_words, *multiples(plain))


def _is_count(plain: str, number: Quantity) -> bool:
    if number.is_hint or (number.text.lower().split()[0] in _NO_COUNTS and not _is_half_a_unit(number)):
        return False
    if number.unit is None and (not number.counts or number.value == 1.0):
        return False
    if number.text.lower() == "one day":
        return False
    before = plain[max(0, number.start - 12) : number.start]
    return number.value >= MOST_OF_PRONOUN or _MEANS_THOSE_NAMED.search(before) is None


def _is_half_a_unit(number: Quantity) -> bool:
    """Return whether a number that begins with "half" is an amount: "half an hour", "half a million"."""
    return number.text.lower().startswith("half") and (number.unit is not None or number.value > 1.0)


def same_dimensions(first: Quantity, second: Quantity) -> bool:
    """Return whether two numbers can be compared: their units have the same dimensions, or neither has a unit."""
    unit, other_unit = first.unit, second.unit
    return (unit.dimensions if unit else None) == (other_unit.dimensions if other_unit else None)


def agrees(claim_number: Quantity, source_number: Quantity) -> bool:
    """Return whether `claim_number` equals `source_number`, perhaps in another unit or rounded.

    A number without a known unit matches one with a unit, unless it is a single digit: every text contains a "2". An
    error bar is not a value: "1.2" is not in "4.2 ± 1.2". A lower bound is not an upper bound, and if both signs are
    known, they must agree.
    """
    if source_number.is_error is True and claim_number.is_error is False:
        return False
    if claim_number.bound * source_number.bound < 0 or _has_other_sign(claim_number, source_number):
        return False
    if (
        (claim_number.unit is None) != (source_number.unit is None)
        and _is_plain(claim_number)
        and source_number.unit is None
    ):
        return False
    return any(
        _is_near(claim_number, source_number, factor) for factor in _factors(claim_number.unit, source_number.unit)
    )


def _has_other_sign(claim_number: Quantity, source_number: Quantity) -> bool:
    is_told = not (claim_number.has_open_sign or source_number.has_open_sign)
    return is_told and claim_number.value * source_number.value < 0


def _factors(claim_unit: Unit | None, source_unit: Unit | None) -> tuple[float, ...]:
    """Return the factors that convert the source number to the unit of the claimed number; none if the units do not
    match.
    """
    if claim_unit and source_unit:
        return (source_unit.size / claim_unit.size,) if claim_unit.dimensions == source_unit.dimensions else ()
    if claim_unit == PERCENT:
        return (1.0, 100.0)
    return (1.0, 0.01) if source_unit == PERCENT else (1.0,)


def _is_plain(number: Quantity) -> bool:
    """Return whether a number has a single digit; such numbers are too common to be evidence."""
    return len(re.sub(r"\D", "", number.text.split()[0]).strip("0")) < 2


def _is_near(claim_number: Quantity, source_number: Quantity, factor: float) -> bool:
    """Return whether the numbers agree apart from their signs; rounding is allowed, but added precision is not."""
    rounding = 0.5001 * claim_number.step if source_number.step * factor <= 1.0001 * claim_number.step else 0.0
    difference = abs(abs(claim_number.value) - abs(source_number.value * factor))
    return difference <= max(rounding, 1e-6 * abs(claim_number.value))
