"""Sources in, a whole corpus out: reads, finds keywords, embeds, indexes, calibrates, maps; resumable."""

from pathfinder.building.flow import BuildReport, build
from pathfinder.building.mapped import MapWish
from pathfinder.building.progress import Progress, Silent

__all__ = ["BuildReport", "MapWish", "Progress", "Silent", "build"]
