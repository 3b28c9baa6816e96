"""Load a model by its name, `vendor:model`. A vendor's code is imported only when one of its models is loaded."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol, TypeVar, runtime_checkable

from pathfinder.errors import MissingKey, UsageError
from pathfinder.llm.usage import Prices, ReplyCache, UsagePolicy
from pathfinder.models.ports import ChatModel, Embedder, KeylessEmbedder, Moderator, Reranker
from pathfinder.plugins import Registry
from pathfinder.settings import COHERE_RERANKERS, LOCAL_EMBEDDER, Settings
from pathfinder.types import Budget

Model_co = TypeVar("Model_co", covariant=True)


@runtime_checkable
class Vendor(Protocol[Model_co]):
    """Creates the models of one vendor; any class of models with `from_settings` qualifies."""

    def from_settings(self, model: str, settings: Settings, /) -> Model_co:
        """Create the model called `model`. Raises `ModelError` or `ProviderError` if it cannot be used."""


@runtime_checkable
class KeyedVendor(Protocol):
    """A vendor of embedders whose models are known even without a key."""

    def without_key(self, model: str, /) -> KeylessEmbedder:
        """Return what is known about the embedder called `model`. Raises `UsageError` for an unknown model."""


def _class(module: str, name: str) -> Callable[[], Any]:
    """Return a function that imports a vendor's class when one of its models is loaded."""
    return lambda: getattr(import_module(f"pathfinder.models.{module}"), name)


EMBEDDERS: Registry[Vendor[Embedder]] = Registry(
    "pathfinder.embedders",
    Vendor,
    {
        "local": _class("minilm", "MiniLM"),
        "onnx": _class("onnx_models", "OnnxEmbedder"),
        "openai": _class("openai_embedder", "OpenAIEmbedder"),
        "sentence-transformers": _class("sentence_transformers_models", "SentenceTransformersEmbedder"),
        "fake": _class("fake", "HashEmbedder"),
    },
    "vendor of embedders",
)
"""Vendors of embedders; other packages add theirs through the entry point group `pathfinder.embedders`."""

RERANKERS: Registry[Vendor[Reranker]] = Registry(
    "pathfinder.rerankers",
    Vendor,
    {
        "cohere": _class("cohere_reranker", "CohereReranker"),
        "cross-encoder": _class("sentence_transformers_models", "CrossEncoderReranker"),
        "onnx": _class("onnx_models", "OnnxReranker"),
        "fake": _class("fake", "WordReranker"),
    },
    "vendor of rerankers",
)
"""Vendors of rerankers; other packages add theirs through the entry point group `pathfinder.rerankers`."""


CHAT_MODELS: Registry[Vendor[ChatModel]] = Registry("pathfinder.chat_models", Vendor, {}, "vendor of chat models")
"""Vendors of chat models that other packages add (entry point group `pathfinder.chat_models`)."""


def load_embedder(name: str, settings: Settings, *, needs_key: bool = True) -> Embedder:
    """Load the embedder called `vendor:model`, such as `openai:text-embedding-3-small`.

    If only its key is missing and `needs_key` is false, return a `KeylessEmbedder` in its place. Raises `UsageError`
    for an unknown name, and `ModelError` or `ProviderError` for a model that cannot be used.
    """
    vendor, _, model = name.strip().partition(":")
    if vendor not in EMBEDDERS or not model:
        vendors = ", ".join(f"{vendor}:" for vendor in EMBEDDERS)
        raise UsageError(
            f"{name!r} is not an embedder: write vendor:model with one of {vendors} such as {LOCAL_EMBEDDER}"
        )
    maker = EMBEDDERS.get(vendor)
    try:
        return EMBEDDERS.use(vendor, lambda: maker.from_settings(model, settings))
    except MissingKey:
        if needs_key or not isinstance(maker, KeyedVendor):
            raise
        return maker.without_key(model)


def load_reranker(name: str, settings: Settings) -> Reranker:
    """Load the reranker called `vendor:model`, such as `cohere:rerank-v3.5` or `cross-encoder:BAAI/bge-reranker-base`.

    Raises `UsageError` for an unknown name, and `ModelError` or `ProviderError` for a model that cannot be used.
    """
    vendor, _, model = name.strip().partition(":")
    if vendor not in RERANKERS or not model:
        vendors = ", ".join(f"{vendor}:" for vendor in RERANKERS)
        raise UsageError(
            f"{name!r} is not a reranker: write local, off, or vendor:model with one of {vendors} such as "
            f"{COHERE_RERANKERS[0]}"
        )
    return RERANKERS.use(vendor, lambda: RERANKERS.get(vendor).from_settings(model, settings))


def load_chat(settings: Settings) -> ChatModel | None:
    """Load the chat model named in `settings`; `None` if they name none.

    Nothing is checked yet: the first `stream` raises the error for a missing key or package, so that a search can
    continue without an answer.
    """
    if not settings.chat_model:
        return None
    vendor, _, model = settings.chat_model.partition(":")
    if vendor in CHAT_MODELS:
        return CHAT_MODELS.use(vendor, lambda: CHAT_MODELS.get(vendor).from_settings(model, settings))
    from pathfinder.llm.langchain_chat import chat_from_settings

    return chat_from_settings(settings)


def load_usage_policy(settings: Settings) -> UsagePolicy:
    """Return the prices, the budget and a reply cache for the chat model in `settings`."""
    price_in, price_out = settings.chat_price_in, settings.chat_price_out
    if (price_in is None) != (price_out is None):
        raise UsageError(
            "PATHFINDER_CHAT_PRICE_IN and PATHFINDER_CHAT_PRICE_OUT go together, in US dollars per million tokens: set "
            "both, or neither"
        )
    prices = None if price_in is None or price_out is None else Prices(price_in, price_out)
    return UsagePolicy(prices, ReplyCache(), Budget(tokens=settings.chat_budget_tokens))


def load_moderator(settings: Settings) -> Moderator | None:
    """Return the moderator that the settings ask for, if any.

    Raises `UsageError` for a list of words that is missing, empty or unreadable, and `MissingKey` for a classifier
    without a key.
    """
    from pathfinder.models.moderation import WordList

    if settings.moderation == "off":
        return None
    if settings.moderation == "openai":
        from pathfinder.models.openai_moderator import OpenAIModerator

        key = settings.openai_api_key
        return OpenAIModerator(key.get_secret_value() if key else None, settings.openai_base_url)
    if settings.moderation_words is None:
        raise UsageError(
            "PATHFINDER_MODERATION=words needs a file with one word per line: set PATHFINDER_MODERATION_WORDS=FILE"
        )
    return WordList.read(settings.moderation_words)
