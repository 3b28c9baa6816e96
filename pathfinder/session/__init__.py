"""The facade: the interface that notebooks, pages and the command line use."""

from pathfinder.session.pathfinder import Pathfinder

__all__ = ["Pathfinder"]
