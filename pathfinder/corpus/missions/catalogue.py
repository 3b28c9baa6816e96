"""The catalogue of missions and facilities, which ships with the package as `catalogue.json`."""

import hashlib
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.errors import UsageError
from pathfinder.profile import Profile, astronomy, shipped_compounds
from pathfinder.profile.profile import FacilityCatalogue
from pathfinder.text.english import words
from pathfinder.text.language.entities import Gazetteer


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class Namesake:
    """The person or family after whom a mission is named."""

    first_names: tuple[str, ...]
    born: int
    """Year of birth; negative before the year 1."""
    died: int
    """Year of death; for a family, the year in which its last member died."""


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class SourcedYear:
    """A year, with the sources that state it."""

    year: int
    source: str
    """The operator's own account in its published history."""
    second_source: str
    """A paper whose abstract or title states the year, identified by its arXiv id, bibcode or title;
    "unconfirmed" if none is known.
    """


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class Era:
    """First and last year (both inclusive) of the papers that may use a mission's data."""

    first: int
    """First year in which a paper could use the mission's data."""
    last: int | None
    """Last such year; `None` if more papers are expected."""
    event: str
    """Description of the event that made data available in the first year."""
    source: str
    second_source: str
    """Second source, as in `SourcedYear`."""


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class Mission:
    """A mission, a facility or a data release: its years, and the names by which papers and questions refer to it."""

    slug: str
    name: str
    kind: str
    """`space`, `ground` or `release`."""
    is_on_map: bool
    """True if the map shows its papers; otherwise, it is recognised only in questions."""
    launch: SourcedYear | None
    """Year of launch or, for a ground-based facility, of the start of construction; `None` if unknown."""
    first_data: SourcedYear
    """Start of regular science data: the start of a survey, the arrival at the main target, or the publication of a
    release.
    """
    era: Era
    """Years of its papers; the first may be earlier than `first_data`, with papers based on commissioning data or
    flybys.
    """
    question_names: tuple[str, ...]
    """Names that have no other meaning in a question."""
    shared_question_names: tuple[str, ...]
    """Names shared with a person or an everyday word: they count only next to "mission", "era" or "pre-"."""
    names: tuple[str, ...]
    """Names that have no other meaning in a paper."""
    words: tuple[str, ...]
    """Names that also have other meanings, such as "Hubble": they count only if the context shows that the mission is
    meant.
    """
    unless_followed_by: tuple[str, ...]
    """Words that give a one-word name another meaning if they follow it: "constant" after "Hubble"."""
    unless_preceded_by: tuple[str, ...]
    """Words that give one of `words` another meaning if they precede it: "BICEP" before "Keck"."""
    also_followed_by: tuple[str, ...]
    """Words that, following one of `words`, show that this mission is meant, in addition to those that apply to any
    mission: "ACIS" after "Chandra".
    """
    namesake: Namesake | None
    """The person to whom a one-word name may refer instead; `None` if there is no such person."""


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class CatalogueName:
    """A name that is recognised in questions but has no years in the catalogue."""

    name: str
    kind: str
    """`instrument`, `space`, `ground`, `survey`, `simulation` or `code`."""
    question_names: tuple[str, ...]
    """Names that have no other meaning in a question, including `name`."""


@cache
def missions() -> tuple[Mission, ...]:
    """Return the missions and facilities whose papers the map shows, in the order of the catalogue."""
    return tuple(mission for mission in all_missions() if mission.is_on_map)


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class _Catalogue:
    about: str
    missions: tuple[Mission, ...]
    others: tuple[CatalogueName, ...]


@cache
def _catalogue() -> _Catalogue:
    return TypeAdapter(_Catalogue).validate_json(_content())


def all_missions() -> tuple[Mission, ...]:
    """Return every mission, facility and release in the catalogue, in order."""
    return _catalogue().missions


def other_things() -> tuple[CatalogueName, ...]:
    """Return the instruments, planned facilities, surveys, simulations and codes in the catalogue, in order."""
    return _catalogue().others


@cache
def catalogue_version() -> str:
    """Return the first 12 hex digits of the catalogue's SHA-256: a different catalogue would find different papers."""
    return hashlib.sha256(_content()).hexdigest()[:12]


def _content() -> bytes:
    return files(__package__).joinpath("catalogue.json").read_bytes()


def mission_called(name: str) -> Mission:
    """Find the mission on the map with this slug, name or alias, ignoring case.

    Raises `UsageError` if there is none, or more than one.
    """
    key = name.strip().casefold()
    by_slug = [mission for mission in missions() if mission.slug == key]
    matches = by_slug or [m for m in missions() if key in {text.casefold() for text in (m.name, *m.names, *m.words)}]
    if len(matches) != 1:
        which = f"means {', '.join(m.slug for m in matches)}" if matches else "is not in the catalogue"
        raise UsageError(f"the mission {name!r} {which}: name one of {', '.join(m.slug for m in missions())}")
    return matches[0]


# The gazetteer of a field: the names in its profile, and those in its catalogue of facilities.

AMBIGUOUS = words("fermi hubble herschel kepler planck roman rubin swift webb")
"""Facilities in the catalogue that share their name with a concept, a person or an everyday word, and whose name may
also be written in lower case in a question.
"""
CLEAR = words("cassini euclid gemini iram keck")
"""Facilities whose names may mean something else in a paper ("Keck Institute"), but rarely in a question."""
EVERYDAY = words("fuse hess messenger scuba unwise viking wise")
"""Facilities whose names are everyday words when written in lower case."""
_ATTACHED_WORDS = words("mission satellite spacecraft orbiter collaboration consortium campaign observations")
"""Nouns that follow the name of a facility without being part of it."""


@lru_cache(maxsize=8)
def gazetteer_of(profile: Profile | None = None) -> Gazetteer:
    """Return the names of a field; without a profile, those of astronomy."""
    profile = profile or astronomy()
    own = profile.names
    facilities = _facilities() if profile.services.facilities is not FacilityCatalogue.NONE else frozenset()
    several = {tuple(name.split()) for name in (*facilities, *own.objects) if " " in name}
    return Gazetteer(
        facilities=frozenset(name for name in facilities if " " not in name),
        ambiguous=AMBIGUOUS if facilities else frozenset(),
        objects=frozenset(name for name in own.objects if " " not in name),
        phrases=frozenset(several),
        catalogues=shipped_compounds().catalogues.union(own.catalogues) if own.catalogues else frozenset(),
        kinds=frozenset(own.kinds),
        uses=frozenset(own.uses),
        classes=frozenset(own.classes),
    )


def _facilities() -> frozenset[str]:
    """Return, in lower case, the names in the catalogue that have no other meaning."""
    names = {name for mission in all_missions() for name in (*mission.names, *mission.question_names)}
    single = {name.lower() for name in names if " " not in name}
    several = {name.lower() for mission in all_missions() for name in mission.names if _is_whole_name(name)}
    others = {name.lower() for thing in other_things() for name in thing.question_names}
    return frozenset((single | several | others | CLEAR) - EVERYDAY - AMBIGUOUS)


def _is_whole_name(name: str) -> bool:
    """True if a name of several words is the facility's own: not "Juno mission", "Planck 2018", "ACT DR6"."""
    last = name.rsplit(maxsplit=1)[-1].lower()
    return " " in name and "," not in name and not any(map(str.isdigit, name)) and last not in _ATTACHED_WORDS
