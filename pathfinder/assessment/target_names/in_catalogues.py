"""Finds names that are in catalogues: missions, and designations such as "GW151226"."""

import re
from collections.abc import Iterator
from functools import cache

from pathfinder.assessment.target_names.fragments import is_within_a_designation
from pathfinder.assessment.target_names.kinds import NamedTarget
from pathfinder.assessment.target_names.name_in_text import (
    LEAST_CONTEXT_OF_LISTED,
    LEAST_CONTEXT_OF_MISSION,
    NameInText,
    locate,
    only_in_title,
)
from pathfinder.missions.catalogue import Mission, missions
from pathfinder.missions.matching import Matcher
from pathfinder.text.sentences import sentence_spans


def listed_in_title(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the names in the title that are from a catalogue: "GW151226: Observation of Gravitational Waves"."""
    for match in designations(target, title):
        if is_within_a_designation(title, *match.span()):
            continue
        yield from only_in_title(target, title, text, written_plainly(match[0]), least_context=LEAST_CONTEXT_OF_LISTED)
    for place in sorted(_matcher().places_in(title)) if target.has_missions else ():
        mission = missions()[place]
        if _suits(target, mission) and (mention := _name_pattern(mission).search(title)):
            yield from only_in_title(target, title, text, mention[0], least_context=LEAST_CONTEXT_OF_MISSION)


@cache
def _by_name() -> dict[str, Mission]:
    return {
        name.casefold(): mission for mission in missions() for name in (mission.name, *mission.names, *mission.words)
    }


def mission_of(name: str) -> Mission | None:
    """Return the mission that has this name in the catalogue, if there is one."""
    return _by_name().get(name.casefold())


def is_elsewhere(target: NamedTarget, name: str) -> bool:
    """Return whether the question asks for things in space but the catalogue lists `name` as a thing on the ground."""
    mission = mission_of(name)
    return target.is_in_space and mission is not None and mission.kind != "space"


def designations(target: NamedTarget, sentence: str) -> Iterator[re.Match[str]]:
    """Yield the designations in a sentence, such as "GW151226", for a kind whose designations have a known form."""
    if target.designation is None:
        return iter(())
    return re.finditer(rf"(?<![\w-])(?:{target.designation})", sentence)


def written_plainly(name: str) -> str:
    """Return a name without LaTeX's markup for subscripts: "CH4" for "CH$_4$"."""
    return re.sub(r"[$_{}]", "", name)


@cache
def _matcher() -> Matcher:
    return Matcher(missions())


def missions_in(target: NamedTarget, title: str, text: str) -> Iterator[NameInText]:
    """Yield the missions in the catalogue that a text mentions, under the names that the text uses."""
    catalogue = missions()
    for place in sorted(_matcher().places_in(text)):
        mission = catalogue[place]
        if _suits(target, mission) and (match := _name_pattern(mission).search(text)):
            sentence = next((span for span in sentence_spans(text) if span[0] <= match.start() < span[1]), None)
            if sentence:
                yield locate(target, title, text, match.span(), sentence, least_context=LEAST_CONTEXT_OF_MISSION)


def _suits(target: NamedTarget, mission: Mission) -> bool:
    is_survey = "survey" in mission.name.lower() or mission.kind == "release"
    if target.kind == "mission" or target.is_in_space:
        return mission.kind == "space"
    return is_survey if target.kind == "survey" else not is_survey


@cache
def _name_pattern(mission: Mission) -> re.Pattern[str]:
    names = sorted((name for name in (*mission.names, *mission.words) if " and " not in name), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, names))})(?!\w)")
