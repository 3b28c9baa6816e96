"""Pathfinder: ask a literature, get ranked papers, a cited answer and a place on the map."""

from pathfinder.errors import PathfinderError
from pathfinder.explorer import Pathfinder
from pathfinder.settings import Settings
from pathfinder.types import (
    Answer,
    CitationProfile,
    Claim,
    Hit,
    Paper,
    Preset,
    Region,
    Score,
    SearchRequest,
    SearchResult,
    Weighting,
)

__all__ = [
    "Answer",
    "CitationProfile",
    "Claim",
    "Hit",
    "Paper",
    "Pathfinder",
    "PathfinderError",
    "Preset",
    "Region",
    "Score",
    "SearchRequest",
    "SearchResult",
    "Settings",
    "Weighting",
]
