"""Search strategies that combine several searches: decomposition into sub-questions, and recursion."""

from pathfinder.corpus.store import Corpus
from pathfinder.retrieval.search import search
from pathfinder.retrieval.stages import Models
from pathfinder.retrieval.strategies.decomposition import search_decomposed
from pathfinder.retrieval.strategies.recursion import search_recursively
from pathfinder.types import SearchRequest, SearchResult


def search_by_strategy(request: SearchRequest, corpus: Corpus, models: Models) -> SearchResult:
    """Search recursively if `depth` is above 0, with sub-questions if `decomposes` is set, and otherwise once."""
    if request.depth > 0:
        return search_recursively(request, corpus, models)
    if request.decomposes:
        return search_decomposed(request, corpus, models)
    return search(request, corpus, models)
