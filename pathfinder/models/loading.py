"""From a name to a model: `vendor:model`. A vendor's code is imported when one of its models is asked for."""

from importlib import import_module
from typing import Protocol, cast

from pathfinder.errors import UsageError
from pathfinder.models.account import Prices, Terms
from pathfinder.models.ports import ChatModel, Embedder, Reranker
from pathfinder.models.reply_cache import ReplyCache
from pathfinder.settings import LOCAL_EMBEDDER, Settings

EMBEDDERS = {
    "local": "pathfinder.models.minilm:MiniLM",
    "openai": "pathfinder.models.openai_embedder:OpenAIEmbedder",
    "sentence-transformers": "pathfinder.models.sentence_transformers_embedder:SentenceTransformersEmbedder",
    "fake": "pathfinder.models.fake:HashEmbedder",
}
"""Who embeds, by vendor: `module:class`."""

RERANKERS = {
    "cohere": "pathfinder.models.cohere_reranker:CohereReranker",
    "cross-encoder": "pathfinder.models.cross_encoder_reranker:CrossEncoderReranker",
    "fake": "pathfinder.models.fake:WordReranker",
}
"""Who reranks, by vendor: `module:class`."""


class _EmbedderClass(Protocol):
    def from_settings(self, model: str, settings: Settings, /) -> Embedder: ...


class _RerankerClass(Protocol):
    def from_settings(self, model: str, settings: Settings, /) -> Reranker: ...


def load_embedder(name: str, settings: Settings) -> Embedder:
    """The embedder called `vendor:model`, such as `openai:text-embedding-3-small`.

    Raises `UsageError` for a name that nobody answers to, `ModelError` and `ProviderError` for a model
    that cannot be used.
    """
    vendor, _, model = name.strip().partition(":")
    if vendor not in EMBEDDERS or not model:
        vendors = ", ".join(f"{vendor}:" for vendor in EMBEDDERS)
        raise UsageError(
            f"{name!r} names no embedder: write vendor:model with one of {vendors} such as {LOCAL_EMBEDDER}"
        )
    return cast("_EmbedderClass", _class(EMBEDDERS[vendor])).from_settings(model, settings)


def load_reranker(name: str, settings: Settings) -> Reranker:
    """The reranker called `vendor:model`, such as `cohere:rerank-v3.5` or `cross-encoder:BAAI/bge-reranker-base`.

    Raises `UsageError` for a name that nobody answers to, `ModelError` and `ProviderError` for a model
    that cannot be used.
    """
    vendor, _, model = name.strip().partition(":")
    if vendor not in RERANKERS or not model:
        vendors = ", ".join(f"{vendor}:" for vendor in RERANKERS)
        raise UsageError(
            f"{name!r} names no reranker: write local, off, or vendor:model with one of {vendors} such as "
            "cohere:rerank-v3.5"
        )
    return cast("_RerankerClass", _class(RERANKERS[vendor])).from_settings(model, settings)


def load_chat(settings: Settings) -> ChatModel | None:
    """The chat model that `settings` name, or `None` where they name none.

    Nothing is checked yet: a missing key or package is raised by the first `stream`, so that a search goes on
    without an answer from it.
    """
    if not settings.chat_model:
        return None
    from pathfinder.models.langchain_chat import LangChainChat

    return LangChainChat.from_settings(settings)


def load_terms(settings: Settings) -> Terms:
    """The prices and the budget of the chat model of `settings`, and room to remember its replies."""
    price_in, price_out = settings.chat_price_in, settings.chat_price_out
    if (price_in is None) != (price_out is None):
        raise UsageError(
            "PATHFINDER_CHAT_PRICE_IN and PATHFINDER_CHAT_PRICE_OUT go together, in US dollars for a million tokens: "
            "set both, or neither"
        )
    prices = None if price_in is None or price_out is None else Prices(price_in, price_out)
    return Terms(prices, ReplyCache(), settings.chat_budget_tokens)


def _class(place: str) -> object:
    module, _, class_name = place.partition(":")
    return getattr(import_module(module), class_name)
