"""Chooses the embedder with which a corpus is built."""

from pathlib import Path

from pathfinder.corpus.manifest import is_corpus, read_manifest
from pathfinder.models.loading import load_embedder
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER, Settings


def embedder_for(name: str | None, folder: Path, settings: Settings, *, needs_key: bool = True) -> Embedder:
    """Return the requested embedder, or else that of the corpus in `folder`, or else the one in the settings.

    If `needs_key` is false, as for work that may embed nothing, its key may be missing.
    """
    own = read_manifest(folder)[0].embedder if is_corpus(folder) else None
    return load_embedder(name or own or settings.embedder or LOCAL_EMBEDDER, settings, needs_key=needs_key)
