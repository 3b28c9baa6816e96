"""Live search: what live sources find for a question is searched together with the corpus, for that question only."""

from pathfinder.live.search import search_live

__all__ = ["search_live"]
