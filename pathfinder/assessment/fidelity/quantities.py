"""Numbers and their units, each with the value that it has."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pathfinder.assessment.fidelity.languages import ENGLISH, Language
from pathfinder.assessment.fidelity.plain_signs import LATIN
from pathfinder.assessment.fidelity.telling import Telling
from pathfinder.assessment.fidelity.units import Unit, read_unit

SAME = 1e-9
"""Values that differ by less than this share are the same."""
SAME_CONVERTED = 1e-3
"""The same for values in different units: years have 365.25 days or 365."""

MOST_OF_PRONOUN = 5.0
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_NO_BREAK = "\u00a0\u202f\u2009"


def _number(spaces: str) -> re.Pattern[str]:
    """A number in digits, between whose thousands `spaces` may stand."""
    return re.compile(
        rf"(?<![{LATIN}.^])(?<!\d,)(?<!\^[-+])(?P<sign>(?:(?<=\s)|(?<=\()|(?<=[=<>≤≥~≈±])|^)-)?"
        rf"(?:(?P<digits>\d{{1,3}}(?:[{spaces}]\d{{3}})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,'’]\d+)*)"
        r"(?:\s{0,8}(?:×|x|·|\*)\s{0,8}10\s?(?:\^|\*\*)?\s{0,2}(?P<power>[-+]?\s?\d+(?:\.\d+)?|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+)|[eE](?P<exponent>[-+]?\d+))?)"
    )


_NUMBER, _NUMBER_WITH_SPACES = _number(_NO_BREAK), _number(f"{_NO_BREAK} ")
"""In English, "in 2016 100 stars" are two numbers; where commas are decimal, "1 000" is one."""
_POWER_OF_TEN = re.compile(r"\s?(?:(?:\^|\*\*)\s{0,2}(?P<power>[-+]?\s?\d+(?:\.\d+)?)|(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))")
_JOINT = re.compile(
    r"\s*(?:and|to|or|y|o|e|et|ou|und|bis|oder|à|a|-|–|—|,|±|\+/-|plus(?:/|\s+or\s+)minus|give\s+or\s+take|más\s+o\s+menos|"
    r"plus\s+ou\s+moins|plus\s+oder\s+minus|più\s+o\s+meno|mais\s+ou\s+menos)\s*(?:and\s+|or\s+)?~?\s*",
    re.IGNORECASE,
)
"""What stands between numbers that share the unit behind the last: "between 67 and 73 km/s"."""
_LOWER = re.compile(
    r"(?:more than|at least|over|above|greater than|larger than|no less than|exceed\w*|older than|[>≥])\s*~?\s*$",
    re.IGNORECASE,
)
_UPPER = re.compile(
    r"(?:less than|at most|under|below|fewer than|smaller than|no more than|up to|younger than|[<≤])\s*~?\s*$",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:the|these|those|all|other|last)\s+$", re.IGNORECASE)
"""Before "two", which then may be no count but stand for things that were named: "the two disagree"."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number where it stands."""

    values: tuple[float, ...]
    """What it may be: "1.234" is two things where commas and points mean either."""
    unit: Unit | None
    start: int
    end: int
    """Of the number."""
    unit_end: int
    """Of its unit; `end` without one."""
    is_loose: bool = False
    """Whether it is a word that may be no number, such as "one", or "two" in "the two": others may be kept by it."""
    bound: str | None = None
    """ "at least" or "at most", where English says so."""

    def has_value_of(self, other: "Quantity") -> bool:
        """Whether both may have the same value, whatever their units say."""
        return any(_same(a, b) for a in self.values for b in other.values)

    def measures_like(self, other: "Quantity") -> bool:
        """Whether both are the same amount of the same thing."""
        if self.unit is None or other.unit is None:
            return self.unit is other.unit and self.has_value_of(other)
        a, b = self.unit, other.unit
        share = SAME if _same(a.factor, b.factor) else SAME_CONVERTED
        return a.powers == b.powers and any(
            _same(x * a.factor, y * b.factor, share) for x in self.values for y in other.values
        )


def quantities(telling: Telling, language: Language | None) -> tuple[Quantity, ...]:
    """The numbers of a text in the order of their places; words for numbers where the language is known."""
    text = telling.plain
    pattern = _NUMBER_WITH_SPACES if language is not None and language.has_decimal_comma else _NUMBER
    found = [one for match in pattern.finditer(text) if (one := _in_digits(text, match, language)) is not None]
    if language is not None:
        found += _in_words(text, language)
    return tuple(_sharing_units(list(_apart(sorted(found, key=lambda one: one.start))), text))


def _apart(found: list[Quantity]) -> Iterator[Quantity]:
    """Those that are no part of the one before, as powers of ten and of units are."""
    read_to = 0
    for one in found:
        if one.start >= read_to:
            read_to = one.unit_end
            yield one


def _in_digits(text: str, match: re.Match[str], language: Language | None) -> Quantity | None:
    values, end = _values(match, language), match.end()
    if match["digits"] == "10" and not match["power"] and (power := _POWER_OF_TEN.match(text, end)):
        values, end = (_ten_to_the(power["power"] or power["raised"]),), power.end()
    values = tuple(-value if match["sign"] else value for value in values)
    values, end = _scaled(text, values, end, language)
    unit, unit_end = _unit_at(text, end)
    is_glued = text[end : end + 1].isalpha() and unit is None
    is_decade = re.match(r"s\b", text[end:]) is not None and re.fullmatch(r"[12]\d{2}0", match["digits"]) is not None
    if is_decade:
        unit, unit_end = None, end
    elif is_glued and match["digits"].isdigit() and ord(text[end]) < _CJK:
        return None  # "2MASS", "3C", "1st", but "0.5pixels"
    return Quantity(values, unit, match.start(), end, unit_end, bound=_bound(text, match.start(), language))


_CJK = 0x900
"""Scripts from here on put no space between a number and a word."""


def _values(match: re.Match[str], language: Language | None) -> tuple[float, ...]:
    digits = re.sub(rf"[{_NO_BREAK} '’]", "", match["digits"])
    raised = match["power"] or match["exponent"]
    factor = _ten_to_the(raised) if raised else 1.0
    return tuple(value * factor for value in _readings(digits, language))


def _readings(digits: str, language: Language | None) -> tuple[float, ...]:
    """What "1,234" or "1.234" may be, in the language that it stands in."""
    marks = re.sub(r"\d", "", digits)
    if not marks:
        return (float(digits),)
    if len(set(marks)) == 2:
        last = marks[-1]
        other = "," if last == "." else "."
        return (float(digits.replace(other, "").replace(last, ".")),)
    mark = marks[0]
    grouped = re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{3})+", digits) is not None
    as_whole = float(digits.replace(mark, ""))
    if len(marks) > 1:
        return (as_whole,) if grouped else ()
    as_decimal = float(digits.replace(",", "."))
    if not grouped:
        return (as_decimal,)
    if language is not None and not language.has_decimal_comma:
        return (as_whole,) if mark == "," else (as_decimal,)
    return (as_whole, as_decimal)


def _scaled(text: str, values: tuple[float, ...], end: int, language: Language | None) -> tuple[tuple[float, ...], int]:
    scales = {**ENGLISH.scales, **(language.scales if language else {})}
    for word in sorted(scales, key=len, reverse=True):
        match = re.compile(rf"[\s-]?{re.escape(word)}(?![A-Za-zÀ-ÿ])(?:\s(?:de|d['’]|di)(?=\s))?", re.IGNORECASE).match(
            text, end
        )
        if match:
            return tuple(value * scales[word] for value in values), match.end()
    return values, end


def _unit_at(text: str, end: int) -> tuple[Unit | None, int]:
    gap = re.compile(r"\s{0,3}-?(?:de\s|d['’]|di\s)?").match(text, end)
    found = read_unit(text, gap.end() if gap else end)
    return (None, end) if found is None else found


def _bound(text: str, start: int, language: Language | None) -> str | None:
    before = text[max(0, start - 30) : start]
    if language is not ENGLISH:
        return None
    return "at least" if _LOWER.search(before) else "at most" if _UPPER.search(before) else None


def _in_words(text: str, language: Language) -> list[Quantity]:
    words = {spelt: value for key, value in language.numbers.items() for spelt in key.split("|")}
    if language is ENGLISH:
        words["one"] = 1.0
    if not words:
        return []
    one = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    pattern = re.compile(rf"(?<![\w-])(?P<first>{one})(?:[\s-](?P<more>{one}))*(?![\w'’]|-l)", re.IGNORECASE)
    found = []
    for match in pattern.finditer(text):
        spelt = [words[word.casefold()] for word in re.findall(one, match[0], re.IGNORECASE)]
        values, end = _scaled(text, (_spelt(spelt),), match.end(), language)
        unit, unit_end = _unit_at(text, end)
        is_bare = end == match.end() and unit is None
        is_pronoun = values[0] < MOST_OF_PRONOUN and _PRONOUN.search(text[: match.start()][-20:]) is not None
        is_loose = is_bare and (match[0].casefold() == "one" or is_pronoun)
        found.append(Quantity(values, unit, match.start(), end, unit_end, is_loose=is_loose))
    return found


def _spelt(parts: list[float]) -> float:
    """ "Two hundred fifty": a hundred multiplies, the rest is added."""
    total = 0.0
    for part in parts:
        total = (total or 1.0) * part if part == 100.0 else total + part
    return total


def _sharing_units(found: list[Quantity], text: str) -> list[Quantity]:
    """Numbers without a unit take that of the next one where only "and", "to", a dash or "±" is between them."""
    shared = list(found)
    for place in range(len(shared) - 2, -1, -1):
        one, following = shared[place], shared[place + 1]
        if one.unit is None and following.unit is not None and _JOINT.fullmatch(text, one.end, following.start):
            shared[place] = replace(one, unit=following.unit, unit_end=one.end)
    return [one for one in shared if one.values]


_LARGEST_POWER = 300.0


def _ten_to_the(power: str) -> float:
    """Ten to `power`; beyond what a number can hold the power itself, made so large that it is no other number."""
    plain = power.translate(str.maketrans(_SUPERSCRIPTS, "0123456789-")).replace(" ", "")
    exponent = max(-1e6, min(1e6, float(plain or 0)))
    if abs(exponent) <= _LARGEST_POWER:
        return float(10.0**exponent)
    return exponent * 1e200 if exponent > 0 else -1e-200 / exponent


def _same(a: float, b: float, share: float = SAME) -> bool:
    return a == b or abs(a - b) <= share * max(abs(a), abs(b))
