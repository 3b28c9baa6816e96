"""Numbers in a text, with their units, and a comparison of two numbers, whatever their languages and units."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from pathfinder.text.author_names import YEARS_IN_TEXT
from pathfinder.text.inflection import base_form
from pathfinder.text.languages import ENGLISH, LETTERS, Language
from pathfinder.text.quantities.units import SHARE, unit_at
from pathfinder.text.quantities.written_numbers import (
    ABOUT,
    LOWER,
    UPPER,
    Quantity,
    digits,
    number_words,
    relations,
)
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE

LOOKS_BACK = 70
LOOKS_AHEAD = 40
"""Number of characters read on either side of a number."""

_THAN = r"(?:or equal to\s*)?(?:about|around|approximately|roughly|some|an?|[∼≈~])?\s*$"
_LEAST = re.compile(
    r"(?:[>≥≳⩾]=?|\b(?:more|greater|larger|higher|older|longer|hotter|heavier) than|\bat least|\babove|"
    r"\bover|\bexceed(?:s|ed|ing)?|\blower limits? of|\bminimum of)\s*" + _THAN,
    re.IGNORECASE,
)
_MOST = re.compile(
    r"(?:[<≤≲⩽]=?|\b(?:less|fewer|smaller|lower|younger|shorter|cooler|lighter) than|\bat most|\bbelow|\bunder|\bup to|"
    r"\bupper limits? of|\bmaximum of)\s*" + _THAN,
    re.IGNORECASE,
)
_DENIAL = re.compile(r"(?:\b(?:no|not|never|cannot)|n['’]t)(?:\s+be)?\s*$", re.IGNORECASE)
_LEAST_BEHIND = re.compile(r"\s*(?:or (?:more|higher|larger|greater|above)\b|[<≤≲]\s*[A-Za-zα-ω])")
_MOST_BEHIND = re.compile(r"\s*(?:or (?:less|fewer|lower|smaller|below)\b|[>≥≳]\s*[A-Za-zα-ω])")
_ABOUT = re.compile(
    r"(?:[~≈∼≃]|\b(?:about|around|approximately|roughly|nearly|almost|some|near|close to|order of|of order)"
    r")\s*$",
    re.IGNORECASE,
)
_JUST_BESIDE = re.compile(
    r"\b(?:somewhat|slightly|just|a (?:little|bit))\s(?:below|above|under|over|\w+er than|(?:less|more) than)\s*"
    + _THAN,
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:decreas|declin|drop|f[ae]ll|reduc|los[ets]|lower|negativ|minus|deficit|below|cool|shr[iau]nk|weak|less|"
    r"blueshift|south|anti-?correl|invers|absolute|steep|magnitude|before|under|behind|shorter|smaller)|\|",
    re.IGNORECASE,
)
"""Words that stand for a minus sign, or imply that it is omitted."""
_ERROR_BAR = re.compile(r"(?:±|\+/-)\s*$")
_SPEAKS_OF_ERRORS = re.compile(
    r"\b(?:uncertaint(?:y|ies)|errors?|precision|accuracy|scatter|deviation)\b(?:\s\w+){0,2}\s*$", re.IGNORECASE
)


def limit_of(plain: str, start: int, end: int) -> str | None:
    """Return whether the words around the number from `start` to `end` make it a lower bound ("> 3", "at least 3"), an
    upper bound, or an approximate value; `None` if they say nothing of the kind.
    """
    before, behind = plain[max(0, start - LOOKS_BACK) : start], plain[end : end + LOOKS_AHEAD]
    if _JUST_BESIDE.search(before):
        return ABOUT
    for pattern, side, other in ((_LEAST, LOWER, UPPER), (_MOST, UPPER, LOWER)):
        if match := pattern.search(before):
            return other if _DENIAL.search(before[: match.start()]) else side
    if _LEAST_BEHIND.match(behind):
        return LOWER
    return UPPER if _MOST_BEHIND.match(behind) else ABOUT if _ABOUT.search(before.rstrip(" (")) else None


def has_open_sign(plain: str, start: int, end: int) -> bool:
    """Return whether the words around a number may imply a minus sign: "lower by 0.3 mag" may be -0.3 mag."""
    return _OPEN.search(plain[max(0, start - LOOKS_BACK) : end + LOOKS_AHEAD]) is not None


def is_error(plain: str, start: int) -> bool | None:
    """Return whether a number is the error of another; `None` if that is unclear ("an error of 1.2")."""
    before = plain[max(0, start - LOOKS_BACK) : start]
    if _ERROR_BAR.search(before):
        return True
    return None if _SPEAKS_OF_ERRORS.search(before) else False


# Numbers in a text, with their units, and a comparison of two numbers, whatever their languages and units.

_ENUMERATOR = re.compile(r"\s*\(?\d{1,2}[).]")
"""Beginning of a list item: "(3)"."""
LIST_LINK = re.compile(
    r"\s{0,24}+(?:\(|(?:,\s{0,24}+)?\b(?:and|to|or)\b|\+|[\^_]\s{0,24}[-+]|y|o|e|et|ou|und|bis|oder|à|a|-|–|—|,|±|\+/-"
    r"|plus(?:/|\s{1,9}or\s{1,9})minus|give\s{1,9}or\s{1,9}take|más\s{1,9}o\s{1,9}menos|plus\s{1,9}ou\s{1,9}moins"
    r"|plus\s{1,9}oder\s{1,9}minus|più\s{1,9}o\s{1,9}meno|mais\s{1,9}ou\s{1,9}menos)\s{0,24}+"
    r"(?:(?:and|or|about)\s{1,24}+)?(?:the\s{1,24}+[a-z]{1,30}\s{1,24}+)?~?\s{0,24}+"
)
"""Words between numbers that share the unit after the last one: "between 67 and 73 km/s"."""
_BEHIND = re.compile(r"[ -]([A-Za-z]{3,})")
_DECADE = re.compile(r"s\b")
_TIMES = re.compile(r"x(?!\w)")
_GLUED = re.compile(rf"(?![\d_])[{LETTERS}]|-D\b")
_HALF_A = re.compile(r"(half) an?(?= )", re.IGNORECASE)
HALF = 0.5
MOST_COUNTED = 3
"""Maximum number of words after a number that may name the things it counts: "seven giant planets"."""
SAME = 1e-9
"""Relative difference below which values in the same unit count as equal."""
SAME_CONVERTED = 1e-3
"""Relative difference below which values in different units count as equal: a year has 365.25 or 365 days."""


def quantities(
    text: str, language: Language | None = ENGLISH, names: Sequence[tuple[int, int]] = ()
) -> tuple[Quantity, ...]:
    """Read the numbers in `text` in order: those in digits and, if the language is known, those in words.

    LaTeX in `text` must already be resolved. Digits within `names`, such as those of "NGC 1068", are ignored; `names`
    must be in order and must not overlap. A number without a unit takes the unit of the next number if there is only
    "to", "and" or the like between them: "80 to 120 km/s".
    """
    return with_shared_units(text, readings(text, language, tuple(names)))


def with_shared_units(text: str, numbers: Sequence[Quantity]) -> tuple[Quantity, ...]:
    """Give a number without a unit that of the next one, if both are in a list or a range."""
    with_units = list(numbers)
    for place in range(len(with_units) - 2, -1, -1):
        number, following = with_units[place], with_units[place + 1]
        joint = LIST_LINK.fullmatch(text, number.end, following.start)
        if joint is None or number.unit or number.relative_to or not (following.unit or following.relative_to):
            continue
        if "(" in joint[0] and unit_at(text, text.find(")", following.start) + 1)[0] != following.unit:
            continue  # unlike "28 (19) km", "18 (29%)" and "0.3 (2σ)" do not share a unit
        is_listed_year = "," in joint[0] and number.value in YEARS_IN_TEXT
        if not (number.is_hint or number.is_part or is_listed_year):
            with_units[place] = replace(
                number,
                unit=following.unit,
                written_unit=following.written_unit,
                relative_to=following.relative_to,
                counts=(),
                is_loose=False,
            )
    return tuple(with_units)


def multiples(text: str) -> tuple[Quantity, ...]:
    """Read the shares and multiples expressed in words in an English `text`: "a third of", "doubled".

    "Half an hour" and "half a million" are not shares.
    """
    words = quantities(text) if "half" in text.lower() else ()
    halves = {number.start for number in words if number.unit is not None or number.value != HALF}
    return tuple(
        _with_words(text, ENGLISH, Quantity(text[start:end], (value,), step, start, end, end, unit))
        for (start, end), value, unit, step in relations(text)
        if unit != SHARE or value != HALF or start not in halves
    )


@lru_cache(maxsize=16)
def readings(text: str, language: Language | None, names: tuple[tuple[int, int], ...] = ()) -> tuple[Quantity, ...]:
    """Read the numbers as `quantities` does, each with its own unit; once for all questions that are asked about a
    text.
    """
    in_words = number_words(text, language) if language is not None else ()
    firsts = [first for first, _ in names]
    numbers: list[Quantity] = []
    for number in sorted((*digits(text, language), *in_words), key=lambda number: number.start):
        place = bisect_right(firsts, number.start) - 1
        is_in_name = not number.is_in_words and place >= 0 and number.start < names[place][1]
        if is_in_name or (numbers and number.start < numbers[-1].end):
            continue
        if number.is_in_words:
            numbers.append(_with_words(text, language, _with_unit_of_words(text, language, number)))
        elif not (_opens_item(text, number.end) or _is_glued(text, language, number)):
            numbers.append(_of_digits(text, language, number))
    return tuple(numbers)


def _of_digits(text: str, language: Language | None, number: Quantity) -> Quantity:
    unit, end = (None, number.end) if _is_decade(text, number) else unit_at(text, number.end, language is ENGLISH)
    with_unit = _with_words(text, language, replace(number, unit=number.unit or unit, end=end))
    is_signed = text[number.start] in "+-"
    return replace(
        with_unit,
        has_open_sign=number.has_open_sign or (not is_signed and with_unit.has_open_sign),
        is_part=number.is_part or _is_multiple(text, number),
        is_error=number.is_error or with_unit.is_error,
    )


def _opens_item(text: str, end: int) -> bool:
    start = text.rfind("\n", 0, end) + 1
    return _ENUMERATOR.fullmatch(text, start, end + 1) is not None


def _is_decade(text: str, number: Quantity) -> bool:
    """Return whether a number is a decade, as in "the 1990s"."""
    words = text[number.start : number.end]
    return len(words) == 4 and words.endswith("0") and words.isdigit() and _DECADE.match(text, number.end) is not None


def _is_multiple(text: str, number: Quantity) -> bool:
    """Return whether a number is a multiple, as in "1.5x", which `multiples` reads."""
    return _TIMES.match(text, number.number_end) is not None


def _is_glued(text: str, language: Language | None, number: Quantity) -> bool:
    """Return whether letters other than a unit directly follow an integer, as in "3D", "3-D" and "2MASS", but not in
    "0.5pixels".
    """
    is_word = _GLUED.match(text, number.end) is not None
    is_whole = text[number.start : number.end].lstrip("+-").isdigit()
    if not (is_whole and is_word) or _is_decade(text, number) or _is_multiple(text, number):
        return False
    return unit_at(text, number.end, language is ENGLISH)[0] is None


def _with_unit_of_words(text: str, language: Language | None, number: Quantity) -> Quantity:
    unit, end = (None, number.end) if number.is_hint else unit_at(text, number.end, language is ENGLISH)
    if language is ENGLISH and (half := _HALF_A.match(text, number.start)) and half.end(1) == number.end:
        unit, end = unit_at(text, half.end())
        end = end if unit else number.end
    return replace(number, unit=unit, end=end, is_loose=number.is_hint or (number.is_loose and unit is None))


def _with_words(text: str, language: Language | None, number: Quantity) -> Quantity:
    """Add what the words around a number say about it."""
    is_english = language is ENGLISH
    return replace(
        number,
        text=text[number.start : number.end],
        is_error=is_error(text, number.start),
        counts=() if number.unit or not is_english else _counted_words(text, number.number_end),
        limit=limit_of(text, number.start, number.end) if is_english else None,
        has_open_sign=is_english and has_open_sign(text, number.start, number.end),
    )


def _counted_words(text: str, end: int) -> tuple[str, ...]:
    words: list[str] = []
    while len(words) < MOST_COUNTED and (word := _BEHIND.match(text, end)):
        if word[1].lower() in STOP_WORDS_BY_LANGUAGE["English"]:
            break
        words.append(base_form(word[1].lower()))
        end = word.end()
    return tuple(words)


def have_same_value(quantity: Quantity, other: Quantity) -> bool:
    """Return whether two numbers may have the same value, whatever their units."""
    return any(_is_same(a, b) for a in quantity.values for b in other.values)


def are_same_amount(quantity: Quantity, other: Quantity) -> bool:
    """Return whether two numbers are the same amount of the same thing."""
    unit, other_unit = quantity.unit, other.unit
    if unit is None or other_unit is None:
        return unit is other_unit and have_same_value(quantity, other)
    tolerance = SAME if _is_same(unit.size, other_unit.size) else SAME_CONVERTED
    return unit.dimensions == other_unit.dimensions and any(
        _is_same(a * unit.size, b * other_unit.size, tolerance) for a in quantity.values for b in other.values
    )


def _is_same(a: float, b: float, tolerance: float = SAME) -> bool:
    return a == b or abs(a - b) <= tolerance * max(abs(a), abs(b))
