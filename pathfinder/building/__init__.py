"""Sources in, a whole corpus out: reads, finds keywords, embeds, indexes, calibrates, maps; resumable."""

from pathfinder.building.flow import BuildReport, build
from pathfinder.building.progress import Progress, Silent

__all__ = ["BuildReport", "Progress", "Silent", "build"]
