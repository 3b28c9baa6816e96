"""Layers that show where some papers are over-represented: those on a mission or a topic, or with a feature."""

from pathfinder.landscape.layers.footprints.features import FEATURES
from pathfinder.landscape.layers.footprints.missions import MISSIONS
from pathfinder.landscape.layers.footprints.topics import TOPIC, TOPICS

__all__ = ["FEATURES", "MISSIONS", "TOPIC", "TOPICS"]
