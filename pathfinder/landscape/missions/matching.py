"""Which missions a text names: the telescope, and not the constant, the law or the person of the same name.

A name that means nothing else ("JWST", "Hubble Space Telescope") counts wherever it stands as a whole word. A word
that means other things too ("Hubble", "Fermi", "Planck") counts only where a neighbour says that an instrument is
meant: "Hubble images", "with Hubble", "Hubble and JWST"; never before a word that makes it another thing ("Hubble
constant", "Fermi energy", "Kepler's laws") nor after an initial or a first name ("Edwin Hubble"), nor with a year from
before there were data ("observed by Hubble in 1929").
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pathfinder.landscape.missions.catalogue import Mission, missions

_WITNESSES = (
    "telescope telescopes observatory satellite spacecraft probe mission missions observation observations observed "
    "observing image images imaging imagery data dataset datasets archive archival photometry photometric spectroscopy "
    "spectroscopic spectrum spectra spectral survey surveys catalog catalogs catalogue catalogues field fields "
    "exposure exposures pointing pointings program programs programme programmes measurement measurements detection "
    "detections team collaboration results instrument instruments camera detector monitoring snapshot mosaic mosaics "
    "light-curve lightcurve lightcurves coverage sources source upper grism coronagraphic slitless transmission "
    "eclipse transit transits resolution sensitivity Space Telescope Observatory Collaboration Guest cycle Cycle GO "
    "selected detected identified based discovered scientists orbits maps cameras velocities"
).split()
"""Words after a name that say it is an instrument."""
_BEFORE = re.compile(
    r"(?:\b(?:with|using|via|combining|from|aboard|on\s?board)(?:\s+(?:the|both|new|archival|deep|NASA's|ESA's))*\s+"
    r"|\b(?:observed|imaged|taken|obtained|provided|collected|surveyed|delivered|released|resolved|seen)\s+by(?:\s+the)?\s+"
    r"|\b(?:missions?|telescopes?|instruments?|surveys?|facilities|observatories|satellites?)"
    r"(?:\s+(?:like|such\s+as|including)\s+|\s*\()"
    r"|\b(?:NASA|ESA|NASA/ESA)(?:'s)?\s+"
    r"|\{\\(?:it|em|sl)\s+|\\(?:textit|textsl|textsc|emph|mathit)\s*\{\s*|(?<!\w)\$)$",
    re.IGNORECASE,
)
"""What stands before an instrument and hardly before a person; missions, and no persons, are set in italics."""
_AT = re.compile(r"\b(?:at|on)(?:\s+the)?\s+$")
"""What stands before a facility on the ground."""
_PERSON = re.compile(r"(?:\b[A-Z]\.[\s~]*|\b(?:Edwin|Enrico|Max|Johannes|Lyman|William|John|Caroline|Albert)\s+)$")
_DATED = re.compile(r"(?:\s*[(\[,]\s*|\s+in\s+(?:the\s+)?|(?:'s|’s)\s+)(1[5-9]\d\d|20\d\d)s?(?!\w)")
"""The year behind a name: of what was done, or of a paper."""
_WORD = re.compile(r"[^\W_]+")
_LOOK_BACK = 40
_SPACE = r"(?:[\s}$\-–/]|\\,|~)"
"""What may lie between a name and the next word."""
_JOINT = r"[}$]*(?:\s*(?:/|,|&|\+)\s*|\s*,?\s+(?:and|or|plus|&)\s+|-)(?:the\s+)?(?:\$?\\\w+\{|\{\\\w+\s+)?"


@dataclass(frozen=True, slots=True)
class _Name:
    mission: int
    """Its place in the catalogue."""
    pattern: re.Pattern[str]
    refused: re.Pattern[str] | None
    """What it must not be followed by."""
    witness: re.Pattern[str] | None
    """What it must be followed by unless what stands before it speaks for it; `None`: it means nothing else."""
    not_after: re.Pattern[str] | None = None
    is_on_the_ground: bool = False
    first_data: int = 0
    """With a year before this one, it is a person's."""


class Matcher:
    """Finds the missions of a catalogue in texts."""

    def __init__(self, catalogue: Iterable[Mission] = ()) -> None:
        self._catalogue = tuple(catalogue) or missions()
        self._by_first: defaultdict[str, list[_Name]] = defaultdict(list)
        sure = "|".join(sorted({_written(name) for m in self._catalogue for name in m.names}, key=len, reverse=True))
        all_ = "|".join(filter(None, [sure, *(re.escape(word) for m in self._catalogue for word in m.words)]))
        self._joined_before = re.compile(rf"(?<!\w)(?:{all_}){_JOINT}$")
        for place, mission in enumerate(self._catalogue):
            for first, name in _names(place, mission, rf"{_JOINT}(?:{all_})(?!\w)"):
                self._by_first[first].append(name)

    def named(self, text: str) -> set[int]:
        """Places in the catalogue of the missions that `text` names."""
        found: set[int] = set()
        for word in self._by_first.keys() & set(_WORD.findall(text)):
            for name in self._by_first[word]:
                if name.mission not in found and any(
                    self._is_meant(name, text, start) for start in _starts(word, text)
                ):
                    found.add(name.mission)
        return found

    def _is_meant(self, name: _Name, text: str, start: int) -> bool:
        match = name.pattern.match(text, start)
        if match is None or (name.refused and name.refused.match(text, match.end())):
            return False
        before = text[max(start - _LOOK_BACK, 0) : start]
        if (name.refused and _PERSON.search(before)) or (name.not_after and name.not_after.search(before)):
            return False
        if (year := _DATED.match(text, match.end())) and int(year[1]) < name.first_data:
            return False
        if name.witness is None or name.witness.match(text, match.end()):
            return True
        is_at = name.is_on_the_ground and _AT.search(before)
        return bool(is_at or _BEFORE.search(before) or self._joined_before.search(before))


def _names(place: int, mission: Mission, joined: str) -> Iterator[tuple[str, _Name]]:
    """The first word of each name, under which it is looked for, and the name."""
    refused = _followed_by(mission.unless_followed_by) if mission.unless_followed_by else None
    follower = "|".join(map(re.escape, (*mission.also_followed_by, *_WITNESSES)))
    witness = re.compile(rf"(?:(?:'s|’s)?{_SPACE}+(?:{follower})(?!\w)|{joined})")
    not_after = re.compile(rf"(?:{'|'.join(map(re.escape, mission.unless_preceded_by))})[\s\-–/]*$")
    for text in mission.names:
        is_single = not re.search(r"[\s/-]", text)
        name = _Name(place, re.compile(rf"{_written(text)}(?!\w)"), refused if is_single else None, None)
        for first in {_first_of(text), _first_of(text.upper())}:
            yield first, name
    for text in mission.words:
        pattern = re.compile(rf"{re.escape(text)}(?!\w)")
        preceded = not_after if mission.unless_preceded_by else None
        is_on_the_ground = mission.kind == "ground"
        name = _Name(place, pattern, refused, witness, preceded, is_on_the_ground, mission.first_data)
        yield _first_of(text), name


def _followed_by(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?:'s|’s)?{_SPACE}+(?i:{'|'.join(map(re.escape, words))})(?!\w)")


def _written(name: str) -> str:
    """A name as it may be written: one of several words in any case, with other white space and dashes."""
    escaped = re.sub(r"(?:\\ |\s)+", r"\\s+", re.escape(name)).replace(r"\-", "[-–‐]")
    return f"(?i:{escaped})" if " " in name else escaped


def _first_of(name: str) -> str:
    match = _WORD.match(name)
    if match is None:
        raise ValueError(f"a mission's name begins with a letter or a digit, got {name!r}")
    return match[0]


def _starts(word: str, text: str) -> Iterator[int]:
    """Where `word` begins in `text`, and no longer word around it."""
    start = text.find(word)
    while start >= 0:
        if start == 0 or not text[start - 1].isalnum():
            yield start
        start = text.find(word, start + 1)
