"""Chooses the embedder with which a corpus is built."""

from collections.abc import Sequence
from pathlib import Path

from pathfinder.corpus.lake import read_lake
from pathfinder.corpus.manifest import is_corpus, read_manifest
from pathfinder.models.loading import load_embedder
from pathfinder.models.ports import Embedder
from pathfinder.settings import LOCAL_EMBEDDER, Settings
from pathfinder.sources.kinds.lake import SCHEME


def embedder_for(name: str | None, folder: Path, settings: Settings, *, needs_key: bool = True) -> Embedder:
    """Return the requested embedder or, failing that, the embedder of the corpus in `folder` or the one in the
    settings. If `needs_key` is false, as for work that may embed nothing, the embedder's key may be missing.
    """
    own = read_manifest(folder)[0].embedder if is_corpus(folder) else None
    return load_embedder(name or own or settings.embedder or LOCAL_EMBEDDER, settings, needs_key=needs_key)


def embedder_of_lake(sources: Sequence[str]) -> str | None:
    """Return the embedder of the first lake among `sources`; `None` if there is no lake. Raises `CorpusError` if the
    lake cannot be read.
    """
    prefix = f"{SCHEME}:"
    lakes = (source.removeprefix(prefix) for source in sources if source.startswith(prefix))
    return next((read_lake(Path(folder)).embedder for folder in lakes), None)
