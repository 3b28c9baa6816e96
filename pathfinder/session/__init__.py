"""The facade: the interface used by notebooks, pages and the command line."""

from pathfinder.session.pathfinder import Pathfinder

__all__ = ["Pathfinder"]
