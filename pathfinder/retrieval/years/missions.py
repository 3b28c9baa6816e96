"""The years in which missions, telescopes and surveys began to bring data, for questions that count from them."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources


@dataclass(frozen=True, slots=True)
class Mission:
    """Something that opened an era."""

    name: str
    first_data: int
    """The year of its first science data; of a data release, the year it came out."""
    names: tuple[str, ...]
    """What it is called, where nothing else is called so."""
    shared_names: tuple[str, ...]
    """Names that a person or an everyday word has too: they count beside "mission", "era" or "pre-" only."""
    source: str
    """Who says so, and what began then."""


@lru_cache(maxsize=1)
def missions() -> tuple[Mission, ...]:
    """Every mission that is known here, from `missions.json`."""
    text = resources.files("pathfinder.retrieval.years").joinpath("missions.json").read_text(encoding="utf-8")
    return tuple(
        Mission(row["name"], row["first_data"], tuple(row["names"]), tuple(row["shared_names"]), row["source"])
        for row in json.loads(text)
    )


@lru_cache(maxsize=2)
def any_name(*, shared: bool) -> str:
    """A regular expression for any name that nothing else has, the longest first, and, if asked, for the `shared`."""
    names = [name for m in missions() for name in (*m.names, *(m.shared_names if shared else ()))]
    spaced = (map(re.escape, re.split(r"[\s-]+", name)) for name in sorted(names, key=len, reverse=True))
    return "|".join(r"[\s-]+".join(parts) for parts in spaced)


def year_of(name: str) -> int:
    """The year of first data of the mission that goes by `name`, written with any case, hyphens and spaces."""
    return _years_by_name()[_key(name)]


@lru_cache(maxsize=1)
def _years_by_name() -> dict[str, int]:
    return {_key(name): m.first_data for m in missions() for name in (*m.names, *m.shared_names)}


def _key(name: str) -> str:
    return re.sub(r"[\s-]+", " ", name).casefold()
