"""From a name to a model: `vendor:model`. A vendor's code is imported when one of its models is asked for."""

from importlib import import_module
from typing import Protocol, cast

from pathfinder.errors import UsageError
from pathfinder.models.ports import ChatModel, Embedder
from pathfinder.settings import LOCAL_EMBEDDER, Settings

EMBEDDERS = {
    "local": "pathfinder.models.minilm:MiniLM",
    "openai": "pathfinder.models.openai_embedder:OpenAIEmbedder",
    "sentence-transformers": "pathfinder.models.sentence_transformers_embedder:SentenceTransformersEmbedder",
    "fake": "pathfinder.models.fake:HashEmbedder",
}
"""Who embeds, by vendor: `module:class`."""


class _EmbedderClass(Protocol):
    def from_settings(self, model: str, settings: Settings, /) -> Embedder: ...


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
    module, _, class_name = EMBEDDERS[vendor].partition(":")
    embedder_class = cast("_EmbedderClass", getattr(import_module(module), class_name))
    return embedder_class.from_settings(model, settings)


def load_chat(settings: Settings) -> ChatModel | None:
    """The chat model that `settings` name, or `None` where they name none.

    Nothing is checked yet: a missing key or package is raised by the first `stream`, so that a search goes on
    without an answer from it.
    """
    if not settings.chat_model:
        return None
    from pathfinder.models.langchain_chat import LangChainChat

    return LangChainChat.from_settings(settings)
