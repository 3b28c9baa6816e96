"""Finds the missions that a text mentions: the telescope, not the constant, the law or the person of the same name.

A name with no other meaning ("JWST", "Hubble Space Telescope") counts wherever it occurs as a whole word. A word with
other meanings ("Hubble", "Fermi", "Planck") counts only if a neighbouring word shows that an instrument is meant:
"Hubble images", "with Hubble", "Hubble and JWST". It never counts before a word that gives it another meaning ("Hubble
constant", "Fermi energy", "Kepler's laws"), nor if a person is meant ("Edwin Hubble", "Hubble and Slipher").
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pathfinder.missions.catalogue import Mission, Namesake, missions
from pathfinder.missions.context import WORD, Chains, NameContext, starts_of
from pathfinder.missions.instruments import (
    SPACE,
    followed_by_its_own,
    is_certainly_meant,
    is_possibly_meant,
    tells_of_instruments,
)
from pathfinder.missions.persons import (
    PEOPLE,
    is_among_people,
    is_dated_before,
    is_of_old,
    is_shown_as_person,
    tells_of_person,
)

_LOOK_BACK = 40


@dataclass(frozen=True, slots=True)
class _CatalogueEntry:
    mission: int
    """The mission's index in the catalogue."""
    pattern: re.Pattern[str]
    is_sure: bool
    """True if the name has no other meaning, unless the next word, or a mention of a person of that name, shows
    otherwise.
    """
    refused_pattern: re.Pattern[str] | None = None
    """Words that must not follow the name."""
    not_after: re.Pattern[str] | None = None
    followed_by: re.Pattern[str] | None = None
    """Words that, following the name, show that this mission is meant."""
    is_on_the_ground: bool = False
    first_year: int = 0
    """The first year of the mission's era; next to an earlier year, the name means something else."""
    namesake: Namesake | None = None

    def is_refused(self, text: str, start: int, end: int) -> bool:
        """True if the words immediately next to the name give it another meaning."""
        if self.refused_pattern and self.refused_pattern.match(text, end):
            return True
        if self.not_after and self.not_after.search(text, max(start - _LOOK_BACK, 0), start):
            return True
        return is_dated_before(self.first_year, text, end)


class Matcher:
    """Finds the missions of a catalogue in texts."""

    def __init__(self, catalogue: Iterable[Mission] = ()) -> None:
        self._catalogue = tuple(catalogue) or missions()
        sure = "|".join(sorted({_pattern_of(name) for m in self._catalogue for name in m.names}, key=len, reverse=True))
        words = "|".join(re.escape(word) for m in self._catalogue for word in m.words)
        self._sure = re.compile(rf"(?<!\w)(?:{sure})(?!\w)")
        self._chains = Chains("|".join(filter(None, [sure, words, PEOPLE])))
        self._of_old = {word for m in self._catalogue if m.namesake and is_of_old(m.namesake) for word in m.words}
        self._words = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
        self._by_first: defaultdict[str, list[_CatalogueEntry]] = defaultdict(list)
        for place, mission in enumerate(self._catalogue):
            for first, name in _names(place, mission):
                self._by_first[first].append(name)

    def places_in(self, text: str) -> set[int]:
        """Return the catalogue indices of the missions that `text` mentions."""
        missions: set[int] = set()
        for word in self._by_first.keys() & set(WORD.findall(text)):
            for name in self._by_first[word]:
                if name.mission not in missions and any(
                    self._is_meant(name, text, start) for start in starts_of(word, text)
                ):
                    missions.add(name.mission)
        return missions

    def _is_meant(self, name: _CatalogueEntry, text: str, start: int) -> bool:
        match = name.pattern.match(text, start)
        if match is None or name.is_refused(text, *match.span()):
            return False
        if name.is_sure and name.namesake is None:
            return True
        context = NameContext(text, match.span(), self._chains.around(text, match.span()))
        if name.namesake and is_shown_as_person(name.namesake, context):
            return False
        if self._sure.search(context.joined_names):
            return True
        if name.namesake and is_among_people(context.joined_names):
            return False
        return name.is_sure or self._is_instrument(name, context)

    def _is_instrument(self, name: _CatalogueEntry, context: NameContext) -> bool:
        """True if the evidence for an instrument suffices; the weaker it is, the less contrary evidence it can
        outweigh.
        """
        if name.followed_by and name.followed_by.match(context.text, context.span[1]):
            return True
        if is_certainly_meant(context, on_the_ground=name.is_on_the_ground):
            return True
        if name.namesake and tells_of_person(name.namesake, context):
            return False
        return is_possibly_meant(context) or self._is_joined_to_missions(context)

    def _is_joined_to_missions(self, context: NameContext) -> bool:
        """True if the name is joined to other words that may refer to missions.

        If all of these are also names of historical people, the sentence must also mention an instrument: "Herschel and
        Hubble".
        """
        beside = set(self._words.findall(context.joined_names))
        own = context.text[slice(*context.span)]
        return bool(beside) and (not {own, *beside} <= self._of_old or tells_of_instruments(context))


def _names(place: int, mission: Mission) -> Iterator[tuple[str, _CatalogueEntry]]:
    """List each name under its first word, by which it is looked up."""
    refused_pattern = _followed_by(mission.unless_followed_by) if mission.unless_followed_by else None
    for text in mission.names:
        pattern = re.compile(rf"{_pattern_of(text)}(?!\w)")
        if re.search(r"[\s/-]", text):
            name = _CatalogueEntry(place, pattern, True)
        elif text.istitle() and mission.namesake:
            name = _CatalogueEntry(
                place, pattern, True, refused_pattern, first_year=mission.era.first, namesake=mission.namesake
            )
        else:
            name = _CatalogueEntry(place, pattern, True, refused_pattern)
        for first in {_first_of(text), _first_of(text.upper())}:
            yield first, name
    for text in mission.words:
        name = _CatalogueEntry(
            place,
            re.compile(rf"{re.escape(text)}(?!\w)"),
            is_sure=False,
            refused_pattern=refused_pattern,
            not_after=_preceded_by(mission.unless_preceded_by) if mission.unless_preceded_by else None,
            followed_by=followed_by_its_own(mission.also_followed_by),
            is_on_the_ground=mission.kind == "ground",
            first_year=mission.era.first,
            namesake=mission.namesake,
        )
        yield _first_of(text), name


def _followed_by(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:'s|’s)?{SPACE}+(?i:{'|'.join(map(re.escape, words))})(?!\w)")


def _preceded_by(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})[\s\-–/]*$")


def _pattern_of(name: str) -> str:
    """Return the pattern for a name; names of several words match in any case, with any white space and any kind of
    dash.
    """
    pattern = re.sub(r"(?:\\ |\s)+", r"\\s+", re.escape(name)).replace(r"\-", "[-–‐]")
    return f"(?i:{pattern})" if " " in name else pattern


def _first_of(name: str) -> str:
    match = WORD.match(name)
    if match is None:
        raise ValueError(f"a mission's name must begin with a letter or a digit, got {name!r}")
    return match[0]
