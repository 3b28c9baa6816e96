"""Chooses the embedder with which a corpus is built."""

from collections.abc import Sequence
from pathlib import Path

from pathfinder.corpus.manifest import is_corpus, read_manifest
from pathfinder.models.loading import load_embedder
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.sources import SOURCES, parse_source


def embedder_for(name: str | None, folder: Path, settings: Settings, *, needs_key: bool = True) -> Embedder:
    """Return the requested embedder or, failing that, the embedder of the corpus in `folder` or the one in the
    settings. If `needs_key` is false, as for work that may embed nothing, the embedder's key may be missing.
    """
    own = read_manifest(folder)[0].embedder if is_corpus(folder) else None
    return load_embedder(name or own or settings.embedder or LOCAL_EMBEDDER, settings, needs_key=needs_key)


def embedder_of_sources(sources: Sequence[str]) -> str | None:
    """Return the embedder of the first of `sources` that says which one made its vectors; `None` if none does."""
    for spec in (parse_source(source, SOURCES) for source in sources):
        if (embedder_of := SOURCES.get(spec.scheme).embedder_of) is not None:
            return embedder_of(spec)
    return None
