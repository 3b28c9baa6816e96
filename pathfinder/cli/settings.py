"""Chooses the corpus and the models for the commands that open them."""

from pathlib import Path
from typing import TYPE_CHECKING

from pathfinder.errors import UsageError
from pathfinder.settings import Settings, read_settings

if TYPE_CHECKING:
    from pathfinder.retrieval.stages.models import Models
    from pathfinder.session import Pathfinder


def corpus_folder(folder: Path | None, settings: Settings) -> Path:
    """Return the requested folder, or else the one in the settings."""
    corpus = folder or settings.corpus
    if corpus is None:
        raise UsageError("no corpus was given: add --corpus DIR, or set PATHFINDER_CORPUS")
    return corpus


def open_pathfinder(folder: Path | None, settings: Settings | None = None) -> "Pathfinder":
    """Open the requested corpus, or else the one in `settings`, which default to those of this process."""
    from pathfinder.session import Pathfinder

    settings = settings or read_settings()
    return Pathfinder.open(corpus_folder(folder, settings), settings=settings)


def models_for(source: Path, settings: Settings) -> "Models":
    """Return all models that a search of `source` may use."""
    from functools import lru_cache, partial

    from pathfinder.building import embedder_for
    from pathfinder.corpus.keywords import KeywordExtractor
    from pathfinder.models.loading import load_chat, load_reranker
    from pathfinder.retrieval.stages.models import Models

    embedder = embedder_for(None, source, settings)
    # `rerankers` is called for every question, but loads each reranker only once.
    rerankers = lru_cache(None)(partial(load_reranker, settings=settings))
    return Models(embedder, KeywordExtractor.load(), load_chat(settings), rerankers)
