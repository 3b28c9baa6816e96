"""Readings: each turns one kind of phrase that names years, missions ("since JWST") among them, into a first and a last
year. Quantities that look like a year are none.
"""

import datetime
import re
from functools import cache, lru_cache

from pathfinder.corpus.missions.catalogue import Mission, all_missions
from pathfinder.profile import Names
from pathfinder.text.author_names import YEAR_IN_TEXT
from pathfinder.text.english import BE, CONJUNCTIONS, DO, HAVE, PREPOSITIONS, any_of, words
from pathfinder.text.inflection import plurals_of
from pathfinder.text.languages import ENGLISH
from pathfinder.text.quantities.nouns import QUANTITY_NOUNS
from pathfinder.text.quantities.unit_table import LETTER_UNITS, WORD_UNITS
from pathfinder.text.quantities.units import is_unit, with_symbols

_END = r"(?![\w°%]|[.,:/'’]\w|[-–]\w)"
_PART = r"(?:(?:early|mid|late)[\s-]*)?"


def point(name: str) -> str:
    """Return a regular expression for a year or a decade ("2015", "the year 2015", "mid-1990s"), in group `name`."""
    return rf"(?P<{name}>(?:the\s+)?(?:year\s+)?{_PART}{YEAR_IN_TEXT}(?:['’]?s)?){_END}"


def decade(name: str) -> str:
    """Return a regular expression for a decade on its own, such as "the 1990s"."""
    return rf"(?P<{name}>the\s+{_PART}{YEAR_IN_TEXT}['’]?s){_END}"


def bare_year(name: str) -> str:
    """Return a regular expression for four digits followed by a dash or a noun."""
    return rf"(?P<{name}>{YEAR_IN_TEXT})"


def first_and_last(text: str) -> tuple[int, int]:
    """Return the first and last year of a year or decade (1990 to 1999); thirds of a decade do not overlap."""
    (year,) = map(int, re.findall(r"\d{4}", text))
    if not text.lower().endswith("s"):
        return year, year
    part = re.search("early|mid|late", text.lower())
    start, end = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}[part[0]] if part else (0, 9)
    return year + start, year + end


_LOOKS_BACK, _LOOKS_AHEAD = 100, 40
"""Number of characters before a number that are searched for a quantity, and after it for its unit."""
_COUNTS = words("times orbit orbits epoch epochs cycle cycles")
_WORD = re.compile(r"\s*+(?:[-–]\s*+)?([A-Za-zμÅ⊙]+)(?!\w)")
_OTHER_WORDS = "about above as be how that the their using what which".split()
_FUNCTION_WORDS = rf"{any_of(PREPOSITIONS, CONJUNCTIONS, BE, DO, HAVE, _OTHER_WORDS)}\b"
_COUNT_NOUN = rf"(?:(?!{_FUNCTION_WORDS})[a-z-]+\s+)?(?:objects|sources|spectra|candidates|systems|samples|THINGS)\b"
_AFTER_A_QUANTITY = rf"\s*[-–]?\s*(?:[°%±]|{_COUNT_NOUN})"
_AFTER_A_DURATION = re.compile(r"\s*(?:exposures?|integrations?|cadence|time-?scales?)\b")
_LIKE_YEARS = "temperature wavelength frequency velocity speed number density mass".split()
"""Quantities with values that may look like years, such as 2000 K."""
_BEFORE_A_QUANTITY = (
    r"\b(?:resolution|resolving\s+power|harmonics?|factors?|S/N|"
    rf"{'|'.join(QUANTITY_NOUNS[noun] for noun in _LIKE_YEARS)}|MEASURES)\W+(?:[a-z]+\W+){{0,2}}$"
)


@lru_cache(maxsize=8)
def _of_field(names: Names) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Compile the patterns for words before and after a quantity, which contain the things and measures of a field."""
    things = plurals_of((*names.things, *names.counted)) or "(?!)"
    measures = "|".join((*names.measures, *names.no_years)) or "(?!)"
    return (
        re.compile(_BEFORE_A_QUANTITY.replace("MEASURES", measures)),
        re.compile(_AFTER_A_QUANTITY.replace("THINGS", things)),
    )


_SAID_OF_QUANTITIES = re.compile(r"(?:between|from|of|over|up\s+to|until|through|by|within)\b", re.IGNORECASE)


def is_quantity(match: re.Match[str], names: Names) -> bool:
    """Return whether the number in the phrase counts or measures something: "up to 2000 K", "in 1900 galaxies".
    `names` holds the things and measures of the field.
    """
    before, after = _of_field(names)
    groups = [name for name, text in match.groupdict().items() if name in {"a", "b"} and text]
    words_before = match.string[max(match.start() - _LOOKS_BACK, 0) : match.start()]
    if groups and _SAID_OF_QUANTITIES.match(match[0]) and before.search(words_before):
        return True
    return any(_measures(match.string, match.end(name), match[name], after) for name in groups)


def _measures(question: str, end: int, text: str, after: re.Pattern[str]) -> bool:
    if text[-1].isdigit():
        return after.match(question, end) is not None or _is_unit_ahead(
            with_symbols(question[end : end + _LOOKS_AHEAD])
        )
    return _AFTER_A_DURATION.match(question, end) is not None


def _is_unit_ahead(text: str) -> bool:
    """Return whether `text` begins with a unit, such as "GHz" or "solar masses"; "Newton" is more likely a person."""
    match = _WORD.match(text)
    word = match[1] if match else ""
    is_name = len(word) > 2 and word.islower() and word != "bar" and is_unit(word)
    return word in WORD_UNITS or word in LETTER_UNITS or word in _COUNTS or word.endswith("⊙") or is_name


_LAUNCH = re.compile(r"\blaunch", re.IGNORECASE)


@cache
def any_name(*, shared: bool) -> str:
    """Return a regular expression for all unambiguous names, longest first; if `shared` is set, include shared names
    too.
    """
    names = [
        name
        for mission in all_missions()
        for name in (*mission.question_names, *(mission.shared_question_names if shared else ()))
    ]
    parts_of_names = (map(re.escape, re.split(r"[\s-]+", name)) for name in sorted(names, key=len, reverse=True))
    return "|".join(r"[\s-]+".join(parts) for parts in parts_of_names)


def mission_in_question(name: str) -> Mission:
    """Return the mission that is called `name` in questions, regardless of case, hyphens and spaces."""
    return _missions_by_name()[_key(name)]


def year_counted_from(mission: Mission, phrase: str) -> int:
    """Return the year from which `phrase` counts: that of the launch if it mentions one, otherwise that of the first
    data.

    Ground-based facilities are not launched: in a question, their "launch" means their first data.
    """
    if mission.kind == "space" and mission.launch is not None and _LAUNCH.search(phrase):
        return mission.launch.year
    return mission.first_data.year


@cache
def _missions_by_name() -> dict[str, Mission]:
    return {
        _key(name): mission
        for mission in all_missions()
        for name in (*mission.question_names, *mission.shared_question_names)
    }


def _key(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name).casefold()


Bounds = tuple[int | None, int | None]
"""First and last year, inclusive; `None` means open. If both are open, the phrase names years but sets no limit."""

Today = datetime.date | None

COUNTS = {word: round(number) for word, number in ENGLISH.numbers.items()} | {"twenty-five": 25, "couple of": 2}
_MONTHS = {"month": 1, "year": 12, "yr": 12, "decade": 120, "century": 1200, "centurie": 1200}
_PARTS = {"quarter": 4, "half": 2}
MAX_MONTHS_BACK = 200 * 12


def both_sides(_match: re.Match[str], _today: Today) -> Bounds:
    """Read "before and after 2002"."""
    return None, None


def between(match: re.Match[str], _today: Today) -> Bounds | None:
    """Read "between 2010 and 2015"."""
    first, last = first_and_last(match["a"])[0], first_and_last(match["b"])[1]
    return (first, last) if first <= last else None


def from_then(match: re.Match[str], _today: Today) -> Bounds:
    """Read "since 2020"."""
    return first_and_last(match["a"])[0], None


def after(match: re.Match[str], _today: Today) -> Bounds:
    """Read "after 2023"."""
    return first_and_last(match["a"])[1] + 1, None


def before(match: re.Match[str], _today: Today) -> Bounds:
    """Read "before 2010"."""
    return None, first_and_last(match["a"])[0] - 1


def until(match: re.Match[str], _today: Today) -> Bounds:
    """Read "until 2015"."""
    return None, first_and_last(match["a"])[1]


def then(match: re.Match[str], _today: Today) -> Bounds:
    """Read "in 2019"."""
    return first_and_last(match["a"])


def back_from_today(match: re.Match[str], today: Today) -> Bounds | None:
    """Read "in the last five years": from the year in which that period began, counted back from `today`."""
    unit, how_many = match["unit"].lower(), match["n"]
    vague = how_many is None and (unit.endswith("s") or (unit == "year" and match["the"] is None))
    if today is None or vague:
        return None
    count = 1 if how_many is None else int(how_many) if how_many.isdigit() else COUNTS[_single_spaced(how_many)]
    months = count * _MONTHS[unit.removesuffix("s")] // _PARTS.get((match["part"] or "").lower(), 1)
    if not 0 < months <= MAX_MONTHS_BACK:
        return None
    return (today.year * 12 + today.month - 1 - months) // 12, None


def this_or_last(match: re.Match[str], today: Today) -> Bounds | None:
    """Read "this year", "last year", "this decade"."""
    if today is None:
        return None
    if match["unit"].lower() == "decade":
        return today.year // 10 * 10, None
    year = today.year - (match["which"].lower() == "last")
    return year, year


def from_mission(match: re.Match[str], _today: Today) -> Bounds:
    """Read "since Gaia" and "since the launch of Gaia"."""
    return year_counted_from(mission_in_question(match["mission"]), match[0]), None


def before_mission(match: re.Match[str], _today: Today) -> Bounds:
    """Read "before JWST" and "before the launch of JWST"."""
    return None, year_counted_from(mission_in_question(match["mission"]), match[0]) - 1


def from_its_launch(match: re.Match[str], _today: Today) -> Bounds | None:
    """Read "JWST ... since its launch" if only one mission is named before it."""
    earlier = re.finditer(rf"\b(?:{any_name(shared=False)})\b", match.string[: match.start()], re.IGNORECASE)
    years = {year_counted_from(mission_in_question(name[0]), match[0]) for name in earlier}
    return (years.pop(), None) if len(years) == 1 else None


def _single_spaced(text: str) -> str:
    return re.sub(r"\s+", " ", text.lower())
