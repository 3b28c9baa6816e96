"""The models that a search may use, passed in by the caller."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.llm.chat import Chat
from pathfinder.llm.usage import BudgetTracker, CallLog
from pathfinder.models.ports import ChatModel, Embedder, Reranker


@dataclass(frozen=True, slots=True)
class Models:
    """Embedder and keyword extractor, and optionally a chat model and a loader of rerankers."""

    embedder: Embedder
    extractor: KeywordExtractor
    chat: ChatModel | None = None
    load_reranker: Callable[[str], Reranker] | None = None
    """Function that loads a reranker by its name, `vendor:model`; raises `UsageError` for an unknown name."""

    def for_search(self, calls: CallLog | None = None) -> "Models":
        """Return the same models for a single search, whose calls to the chat model share one budget; `calls` collects
        them.
        """
        if self.chat is None:
            return self
        return replace(self, chat=Chat.of(self.chat).metered("search", BudgetTracker(log=calls)))
