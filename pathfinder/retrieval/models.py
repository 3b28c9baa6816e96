"""The models that a search may ask, handed to it from above."""

from collections.abc import Callable
from dataclasses import dataclass

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.models.ports import ChatModel, Embedder, Reranker


@dataclass(frozen=True, slots=True)
class Models:
    """Who embeds, who finds keywords, and, where there are any, who chats and who reranks."""

    embedder: Embedder
    extractor: KeywordExtractor
    chat: ChatModel | None = None
    load_reranker: Callable[[str], Reranker] | None = None
    """From `vendor:model` to a reranker; raises `UsageError` for a name that nobody answers to."""
