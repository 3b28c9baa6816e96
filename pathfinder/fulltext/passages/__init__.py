"""Full-text passages: how a full text is cut into them, and how the paragraph of a passage is found again."""

from pathfinder.fulltext.passages.cutting import cut_full_text
from pathfinder.fulltext.passages.surroundings import Surroundings, surroundings

__all__ = ["Surroundings", "cut_full_text", "surroundings"]
