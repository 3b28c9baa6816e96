"""Readings: each turns one kind of phrase that names years into a first and a last year."""

import datetime
import re

from pathfinder.retrieval.years.missions import any_name, mission_in_question, year_counted_from
from pathfinder.retrieval.years.points import first_and_last
from pathfinder.text.languages import ENGLISH

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
