"""Builds a corpus from source files: reads the papers, extracts their keywords, embeds and indexes them, fits what
depends on the whole corpus, and draws the map. A build that was stopped can be resumed.
"""

from pathfinder.building.embedding import embedder_for
from pathfinder.building.flow import BuildReport, build
from pathfinder.building.progress import Progress, Silent
from pathfinder.building.re_embedding import ReEmbeddingReport, re_embed
from pathfinder.building.removal import RemovalReport, remove
from pathfinder.building.splitting import UndoReport, undo_merge
from pathfinder.building.versions import RollbackReport, rollback
from pathfinder.building.work import MapOptions

__all__ = [
    "BuildReport",
    "MapOptions",
    "Progress",
    "ReEmbeddingReport",
    "RemovalReport",
    "RollbackReport",
    "Silent",
    "UndoReport",
    "build",
    "embedder_for",
    "re_embed",
    "remove",
    "rollback",
    "undo_merge",
]
