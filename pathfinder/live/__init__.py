"""Live search: papers that live sources find for a question are searched together with the corpus, for that question
only.
"""

from pathfinder.live.search import search_live

__all__ = ["search_live"]
