"""The models that a search may use, passed in by the caller."""

from collections.abc import Callable
from dataclasses import dataclass

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.models.ports import ChatModel, Embedder, Reranker


@dataclass(frozen=True, slots=True)
class Models:
    """Embedder and keyword extractor, and optionally a chat model and a loader of rerankers."""

    embedder: Embedder
    extractor: KeywordExtractor
    chat: ChatModel | None = None
    load_reranker: Callable[[str], Reranker] | None = None
    """Function that loads a reranker from `vendor:model`; raises `UsageError` for an unknown name."""
