"""Missions and facilities: which there are, and which papers name them."""

from pathfinder.landscape.missions.catalogue import Mission, catalogue_version, mission_called, missions
from pathfinder.landscape.missions.matching import Matcher
from pathfinder.landscape.missions.papers import papers_by_mission

__all__ = ["Matcher", "Mission", "catalogue_version", "mission_called", "missions", "papers_by_mission"]
