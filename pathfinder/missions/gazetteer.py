"""The gazetteer of a field: the names in its profile, and those in its catalogue of facilities."""

from functools import lru_cache

from pathfinder.missions.catalogue import all_missions, other_things
from pathfinder.profile import Profile, astronomy, shipped_compounds
from pathfinder.profile.profile import FacilityCatalogue
from pathfinder.text.language.gazetteer import Gazetteer
from pathfinder.text.wordlists import words

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
