"""Full-text passages: cutting a full text into them, and finding the paragraphs of a passage again."""

from pathfinder.fulltext.passages.cutting import cut_full_text
from pathfinder.fulltext.passages.surroundings import Surroundings, surroundings

__all__ = ["Surroundings", "cut_full_text", "surroundings"]
