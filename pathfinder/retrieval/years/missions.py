"""Missions in questions, and the years that they refer to: "since JWST", "before the launch of Kepler"."""

import re
from functools import cache

from pathfinder.missions import Mission, all_missions

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
