"""Missions and facilities: the catalogue, and a matcher that finds those mentioned in a text."""

from pathfinder.missions.catalogue import (
    Mission,
    all_missions,
    catalogue_version,
    gazetteer_of,
    mission_called,
    missions,
    other_things,
)
from pathfinder.missions.matching import Matcher

__all__ = [
    "Matcher",
    "Mission",
    "all_missions",
    "catalogue_version",
    "gazetteer_of",
    "mission_called",
    "missions",
    "other_things",
]
