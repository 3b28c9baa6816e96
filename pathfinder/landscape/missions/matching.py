"""Which missions a text names: the telescope, and not the constant, the law or the person of the same name.

A name that means nothing else ("JWST", "Hubble Space Telescope") counts wherever it stands as a whole word. A word
that means other things too ("Hubble", "Fermi", "Planck") counts only where a neighbour says that an instrument is
meant: "Hubble images", "with Hubble", "Hubble and JWST"; never before a word that makes it another thing ("Hubble
constant", "Fermi energy", "Kepler's laws"), nor where a person is meant ("Edwin Hubble", "Hubble and Slipher").
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pathfinder.landscape.missions.catalogue import Mission, Namesake, missions
from pathfinder.landscape.missions.context import WORD, Chains, Context, starts_of
from pathfinder.landscape.missions.instruments import (
    SPACE,
    followed_by_its_own,
    is_perhaps_meant,
    is_surely_meant,
    tells_of_instruments,
)
from pathfinder.landscape.missions.persons import (
    PEOPLE,
    is_among_people,
    is_dated_before,
    is_of_old,
    is_shown_as_person,
    tells_of_person,
)

_LOOK_BACK = 40


@dataclass(frozen=True, slots=True)
class _Name:
    mission: int
    """Its place in the catalogue."""
    pattern: re.Pattern[str]
    is_sure: bool
    """It means nothing else, unless a word behind it or a namesake says so."""
    refused: re.Pattern[str] | None = None
    """What it must not be followed by."""
    not_after: re.Pattern[str] | None = None
    followed_by: re.Pattern[str] | None = None
    """What means this mission behind it."""
    is_on_the_ground: bool = False
    first_data: int = 0
    """With a year before this one, something else is meant."""
    namesake: Namesake | None = None

    def is_refused(self, text: str, start: int, end: int) -> bool:
        """Whether what stands right beside it makes it another thing."""
        if self.refused and self.refused.match(text, end):
            return True
        if self.not_after and self.not_after.search(text, max(start - _LOOK_BACK, 0), start):
            return True
        return is_dated_before(self.first_data, text, end)


class Matcher:
    """Finds the missions of a catalogue in texts."""

    def __init__(self, catalogue: Iterable[Mission] = ()) -> None:
        self._catalogue = tuple(catalogue) or missions()
        sure = "|".join(sorted({_written(name) for m in self._catalogue for name in m.names}, key=len, reverse=True))
        words = "|".join(re.escape(word) for m in self._catalogue for word in m.words)
        self._sure = re.compile(rf"(?<!\w)(?:{sure})(?!\w)")
        self._chains = Chains("|".join(filter(None, [sure, words, PEOPLE])))
        self._of_old = {word for m in self._catalogue if m.namesake and is_of_old(m.namesake) for word in m.words}
        self._words = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
        self._by_first: defaultdict[str, list[_Name]] = defaultdict(list)
        for place, mission in enumerate(self._catalogue):
            for first, name in _names(place, mission):
                self._by_first[first].append(name)

    def named(self, text: str) -> set[int]:
        """Places in the catalogue of the missions that `text` names."""
        found: set[int] = set()
        for word in self._by_first.keys() & set(WORD.findall(text)):
            for name in self._by_first[word]:
                if name.mission not in found and any(
                    self._is_meant(name, text, start) for start in starts_of(word, text)
                ):
                    found.add(name.mission)
        return found

    def _is_meant(self, name: _Name, text: str, start: int) -> bool:
        match = name.pattern.match(text, start)
        if match is None or name.is_refused(text, *match.span()):
            return False
        if name.is_sure and name.namesake is None:
            return True
        context = Context(text, match.span(), self._chains.around(text, match.span()))
        if name.namesake and is_shown_as_person(name.namesake, context):
            return False
        if self._sure.search(context.company):
            return True
        if name.namesake and is_among_people(context.company):
            return False
        return name.is_sure or self._is_instrument(name, context)

    def _is_instrument(self, name: _Name, context: Context) -> bool:
        """Whether enough speaks for an instrument; the less it is, the less may speak for a person."""
        if name.followed_by and name.followed_by.match(context.text, context.span[1]):
            return True
        if is_surely_meant(context, on_the_ground=name.is_on_the_ground):
            return True
        if name.namesake and tells_of_person(name.namesake, context):
            return False
        return is_perhaps_meant(context) or self._is_in_company(context)

    def _is_in_company(self, context: Context) -> bool:
        """Whether it is joined to other words that may mean missions.

        Where all are names of people of old, an instrument has to be spoken of too: "Herschel and Hubble".
        """
        beside = set(self._words.findall(context.company))
        own = context.text[slice(*context.span)]
        return bool(beside) and (not {own, *beside} <= self._of_old or tells_of_instruments(context))


def _names(place: int, mission: Mission) -> Iterator[tuple[str, _Name]]:
    """The first word of each name, under which it is looked for, and the name."""
    refused = _followed_by(mission.unless_followed_by) if mission.unless_followed_by else None
    for text in mission.names:
        pattern = re.compile(rf"{_written(text)}(?!\w)")
        if re.search(r"[\s/-]", text):
            name = _Name(place, pattern, True)
        elif text.istitle() and mission.namesake:
            name = _Name(place, pattern, True, refused, first_data=mission.first_data, namesake=mission.namesake)
        else:
            name = _Name(place, pattern, True, refused)
        for first in {_first_of(text), _first_of(text.upper())}:
            yield first, name
    for text in mission.words:
        name = _Name(
            place,
            re.compile(rf"{re.escape(text)}(?!\w)"),
            is_sure=False,
            refused=refused,
            not_after=_preceded_by(mission.unless_preceded_by) if mission.unless_preceded_by else None,
            followed_by=followed_by_its_own(mission.also_followed_by),
            is_on_the_ground=mission.kind == "ground",
            first_data=mission.first_data,
            namesake=mission.namesake,
        )
        yield _first_of(text), name


def _followed_by(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:'s|’s)?{SPACE}+(?i:{'|'.join(map(re.escape, words))})(?!\w)")


def _preceded_by(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(map(re.escape, words))})[\s\-–/]*$")


def _written(name: str) -> str:
    """A name as it may be written: one of several words in any case, with other white space and dashes."""
    escaped = re.sub(r"(?:\\ |\s)+", r"\\s+", re.escape(name)).replace(r"\-", "[-–‐]")
    return f"(?i:{escaped})" if " " in name else escaped


def _first_of(name: str) -> str:
    match = WORD.match(name)
    if match is None:
        raise ValueError(f"a mission's name begins with a letter or a digit, got {name!r}")
    return match[0]
