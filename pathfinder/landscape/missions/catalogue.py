"""The catalogue of missions and facilities, which ships with the package as `catalogue.json`."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.errors import UsageError


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class Namesake:
    """The person whose name a mission has, or a family of whom several are meant by it."""

    first_names: tuple[str, ...]
    born: int
    """Year; before the year 1, negative."""
    died: int
    """Year; of a family, of the last one."""


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class Mission:
    """A mission or a facility, and how papers write its name."""

    slug: str
    name: str
    kind: str
    """`space` or `ground`."""
    first_data: int
    """Year of the first science data; a paper from before it cannot have used them."""
    event: str
    """What happened that year, in words."""
    source: str
    """Whose account of it."""
    names: tuple[str, ...]
    """Names that mean nothing else."""
    words: tuple[str, ...]
    """Names that mean other things too, such as "Hubble": counted only where their neighbours say it is the mission."""
    unless_followed_by: tuple[str, ...]
    """What a name of one word is another thing before: "constant" after "Hubble"."""
    unless_preceded_by: tuple[str, ...]
    """What one of `words` is another thing after: "BICEP" before "Keck"."""
    also_followed_by: tuple[str, ...]
    """What one of `words` means this mission before, besides what means any mission: "ACIS" after "Chandra"."""
    namesake: Namesake | None
    """Whom a name of one word may mean instead; `None`: nobody."""


@with_config(ConfigDict(strict=True, extra="forbid"))
@dataclass(frozen=True, slots=True)
class _Catalogue:
    about: str
    missions: tuple[Mission, ...]


@cache
def missions() -> tuple[Mission, ...]:
    """Every mission of the catalogue, in its order."""
    return TypeAdapter(_Catalogue).validate_json(_content()).missions


@cache
def catalogue_version() -> str:
    """The first 12 hex digits of the catalogue's SHA-256: another catalogue finds other papers."""
    return hashlib.sha256(_content()).hexdigest()[:12]


def _content() -> bytes:
    return files(__package__).joinpath("catalogue.json").read_bytes()


def mission_called(name: str) -> Mission:
    """The mission with this slug, name or alias, in any case. Raises `UsageError` where there is none, or several."""
    wanted = name.strip().casefold()
    by_slug = [mission for mission in missions() if mission.slug == wanted]
    found = by_slug or [m for m in missions() if wanted in {text.casefold() for text in (m.name, *m.names, *m.words)}]
    if len(found) != 1:
        which = f"means {', '.join(m.slug for m in found)}" if found else "is not in the catalogue"
        raise UsageError(f"the mission {name!r} {which}: name one of {', '.join(m.slug for m in missions())}")
    return found[0]
