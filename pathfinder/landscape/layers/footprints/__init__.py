"""Layers that show where the papers on a mission or a topic, or with a feature, are over-represented."""

from pathfinder.landscape.layers.footprints.features import FEATURES
from pathfinder.landscape.layers.footprints.missions import MISSIONS
from pathfinder.landscape.layers.footprints.topics import TOPIC, TOPICS

__all__ = ["FEATURES", "MISSIONS", "TOPIC", "TOPICS"]
