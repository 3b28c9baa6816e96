"""Numbers in a text, with their units, and a comparison of two numbers, whatever their languages and units."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from pathfinder.text.author_names import YEARS_IN_TEXT
from pathfinder.text.inflection import base_form
from pathfinder.text.languages import ENGLISH, LETTERS, Language
from pathfinder.text.quantities.units import SHARE, TEN_TO_THE, Unit, unit_at
from pathfinder.text.quantities.written_numbers import Digits, digits, number_words, relations
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


def bound(plain: str, start: int, end: int) -> int:
    """Return 1 if the number from `start` to `end` is a lower bound ("> 3", "at least 3"), -1 if it is an upper bound,
    else 0.
    """
    before, behind = plain[max(0, start - LOOKS_BACK) : start], plain[end : end + LOOKS_AHEAD]
    for pattern, side in ((_LEAST, 1), (_MOST, -1)):
        if match := pattern.search(before):
            return -side if _DENIAL.search(before[: match.start()]) else side
    return 1 if _LEAST_BEHIND.match(behind) else -1 if _MOST_BEHIND.match(behind) else 0


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
_LIST_LINK = re.compile(
    r"\s*(?:and|to|or|\+|[\^_]\s*[-+]|y|o|e|et|ou|und|bis|oder|à|a|-|–|—|,|±|\+/-|plus(?:/|\s+or\s+)minus|give\s+or\s+take|más\s+o\s+menos|"
    r"plus\s+ou\s+moins|plus\s+oder\s+minus|più\s+o\s+meno|mais\s+ou\s+menos)\s*(?:and\s+|or\s+)?~?\s*",
    re.IGNORECASE,
)
"""Words between numbers that share the unit after the last one: "between 67 and 73 km/s"."""
_BEHIND = re.compile(r"[ -]([A-Za-z]{3,})")
_DECADE = re.compile(r"s\b")
_TIMES = re.compile(r"x(?!\w)")
_WORD_CHARACTER = re.compile(rf"[{LETTERS}]")
_HALF_A = re.compile(r"(half) an?(?= )", re.IGNORECASE)
HALF = 0.5
MOST_COUNTED = 3
"""Maximum number of words after a number that may name the things it counts: "seven giant planets"."""
SAME = 1e-9
"""Relative difference below which values in the same unit count as equal."""
SAME_CONVERTED = 1e-3
"""Relative difference below which values in different units count as equal: a year has 365.25 or 365 days."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text, with its unit."""

    text: str
    """The number and its unit, as written in the text."""
    values: tuple[float, ...]
    """Possible values: "1.234" has two if its point may mark either decimals or thousands."""
    unit: Unit | None
    step: float
    """Value of one unit in the last digit: 0.1 for 73.0, 1 for 42; for a round number after "about", one unit in the
    last non-zero digit.
    """
    is_error: bool | None = False
    """True if the number is the error of another: the 1.2 of "4.2 ± 1.2". `None` if that is unclear, as in "an error of
    1.2".
    """
    counts: tuple[str, ...] = ()
    """Words after a number without a unit, in the singular: "bit" for "4-bit"."""
    bound: int = 0
    """1 for a lower bound ("> 3"), -1 for an upper bound, else 0."""
    has_open_sign: bool = False
    """True if the opposite sign may be meant, as in "lower by 0.3" or after a dash that may not be a minus sign."""
    is_part: bool = False
    """True if the number is part of a larger expression: the -2 of r^-2, the 20 of 17/20, the day of a date, 2x."""
    is_loose: bool = False
    """True if the number is a word that may have another meaning, such as "one", or "two" in "the two"."""
    is_hint: bool = False
    """True if the number is only implied by a word, such as "both"."""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    """Position of the end of the number."""
    unit_end: int = field(default=0, compare=False)
    """Position of the end of the number's unit; `end` if there is no unit."""

    @property
    def value(self) -> float:
        """The most likely of `values`."""
        return self.values[0]

    @property
    def is_in_words(self) -> bool:
        """True if the number is spelled out."""
        return not any(map(str.isdigit, self.text))


def quantities(
    text: str, language: Language | None = ENGLISH, names: Sequence[tuple[int, int]] = ()
) -> tuple[Quantity, ...]:
    """Read the numbers in `text` in order: those in digits and, if the language is known, those in words.

    LaTeX in `text` must already be resolved. Digits within `names`, such as those of "NGC 1068", are ignored; `names`
    must be in order and must not overlap. A number without a unit takes the unit of the next number if there is only
    "to", "and" or the like between them: "80 to 120 km/s".
    """
    return _quantities(text, language, tuple(names))


@lru_cache(maxsize=16)
def _quantities(text: str, language: Language | None, names: tuple[tuple[int, int], ...]) -> tuple[Quantity, ...]:
    """Do so once for the questions that a check asks about one text."""
    readings = [*_in_digits(text, language, names), *_spelled_out(text, language)]
    with_units = list(_apart(sorted(readings, key=lambda quantity: quantity.start)))
    for place in range(len(with_units) - 2, -1, -1):
        number, following = with_units[place], with_units[place + 1]
        joint = _LIST_LINK.fullmatch(text, number.unit_end, following.start)
        if number.unit is not None or following.unit is None or joint is None:
            continue
        is_listed_year = "," in joint[0] and number.value in YEARS_IN_TEXT
        if not (number.is_hint or number.is_part or is_listed_year):
            with_units[place] = replace(number, unit=following.unit, counts=(), is_loose=False)
    return tuple(with_units)


def multiples(text: str) -> tuple[Quantity, ...]:
    """Read the shares and multiples expressed in words in an English `text`: "a third of", "doubled".

    "Half an hour" and "half a million" are not shares.
    """
    words = quantities(text) if "half" in text.lower() else ()
    halves = {number.start for number in words if number.unit is not None or number.value != HALF}
    return tuple(
        _quantity(text, ENGLISH, span, span[1], (value,), unit, step)
        for span, value, unit, step in relations(text)
        if unit != SHARE or value != HALF or span[0] not in halves
    )


def _in_digits(text: str, language: Language | None, names: Sequence[tuple[int, int]]) -> Iterator[Quantity]:
    firsts = [first for first, _ in names]
    read_to = 0
    for number in digits(text, language):
        place = bisect_right(firsts, number.start) - 1
        is_in_name = place >= 0 and number.start < names[place][1]
        if is_in_name or number.start < read_to or _opens_item(text, number.end):
            continue
        unit, unit_end = unit_at(text, number.end, language is ENGLISH)
        if _is_decade(text, number):
            unit, unit_end = None, number.end
        elif unit is None and _is_glued(text, number):
            continue
        read_to = unit_end
        quantity = _of_digits(text, language, number, unit_end, unit)
        yield replace(quantity, is_part=quantity.is_part or _is_multiple(text, number))


def _of_digits(text: str, language: Language | None, number: Digits, unit_end: int, unit: Unit | None) -> Quantity:
    values = tuple(-value for value in number.values) if number.sign == -1 else number.values
    unit = TEN_TO_THE if number.is_exponent else unit
    quantity = _quantity(text, language, (number.start, number.end), unit_end, values, unit, number.step)
    is_signed = text[number.start] in "+-"
    return replace(
        quantity,
        has_open_sign=number.sign is None or (not is_signed and quantity.has_open_sign),
        is_part=number.is_part,
        is_error=number.is_error or quantity.is_error,
    )


def _opens_item(text: str, end: int) -> bool:
    start = text.rfind("\n", 0, end) + 1
    return _ENUMERATOR.fullmatch(text, start, end + 1) is not None


def _is_decade(text: str, number: Digits) -> bool:
    """Return whether a number is a decade, as in "the 1990s"."""
    words = text[number.start : number.end]
    return len(words) == 4 and words.endswith("0") and words.isdigit() and _DECADE.match(text, number.end) is not None


def _is_multiple(text: str, number: Digits) -> bool:
    """Return whether a number is a multiple, as in "1.5x", which `multiples` reads."""
    return _TIMES.match(text, number.end) is not None


def _is_glued(text: str, number: Digits) -> bool:
    """Return whether letters directly follow an integer, as in "3D" and "2MASS", but not in "0.5pixels"."""
    words = text[number.start : number.end].lstrip("+-")
    behind = text[number.end : number.end + 1]
    is_word = behind.isalpha() and _WORD_CHARACTER.match(behind) is not None
    return words.isdigit() and is_word and not (_is_decade(text, number) or _is_multiple(text, number))


def _spelled_out(text: str, language: Language | None) -> Iterator[Quantity]:
    for number in number_words(text, language) if language is not None else ():
        unit, unit_end = (None, number.end) if number.is_hint else unit_at(text, number.end, language is ENGLISH)
        if language is ENGLISH and (half := _HALF_A.match(text, number.start)) and half.end(1) == number.end:
            unit, unit_end = unit_at(text, half.end())
            unit_end = unit_end if unit else number.end
        quantity = _quantity(text, language, (number.start, number.end), unit_end, (number.value,), unit, number.step)
        yield replace(quantity, is_hint=number.is_hint, is_loose=number.is_hint or (number.is_loose and unit is None))


def _quantity(
    text: str,
    language: Language | None,
    span: tuple[int, int],
    unit_end: int,
    values: tuple[float, ...],
    unit: Unit | None,
    step: float,
) -> Quantity:
    start, end = span
    is_english = language is ENGLISH
    return Quantity(
        text=text[start:unit_end],
        values=values,
        unit=unit,
        step=step,
        is_error=is_error(text, start),
        counts=() if unit or not is_english else _counted_words(text, end),
        bound=bound(text, start, unit_end) if is_english else 0,
        has_open_sign=is_english and has_open_sign(text, start, unit_end),
        start=start,
        end=end,
        unit_end=unit_end,
    )


def _counted_words(text: str, end: int) -> tuple[str, ...]:
    words: list[str] = []
    while len(words) < MOST_COUNTED and (word := _BEHIND.match(text, end)):
        if word[1].lower() in STOP_WORDS_BY_LANGUAGE["English"]:
            break
        words.append(base_form(word[1].lower()))
        end = word.end()
    return tuple(words)


def _apart(numbers: Iterable[Quantity]) -> Iterator[Quantity]:
    """Yield the `numbers` that do not lie within the number before them."""
    read_to = 0
    for quantity in numbers:
        if quantity.start >= read_to:
            read_to = quantity.unit_end
            yield quantity


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
