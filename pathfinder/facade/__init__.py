"""The facade: the interface that notebooks, pages and the command line use."""

from pathfinder.facade.pathfinder import Pathfinder

__all__ = ["Pathfinder"]
