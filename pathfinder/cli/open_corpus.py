"""Chooses the corpus and the models for the commands that open them."""

from pathlib import Path
from typing import TYPE_CHECKING

from pathfinder.errors import UsageError
from pathfinder.settings import Settings, read_settings

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


def corpus_folder(folder: Path | None, settings: Settings) -> Path:
    """Return the requested folder, or else the one in the settings."""
    corpus = folder or settings.corpus
    if corpus is None:
        raise UsageError("no corpus was given: add --corpus DIR, or set PATHFINDER_CORPUS")
    return corpus


def open_pathfinder(folder: Path | None, settings: Settings | None = None) -> "Pathfinder":
    """Open the requested corpus, or else the one in `settings`, which default to those of this process."""
    from pathfinder.facade import Pathfinder

    settings = settings or read_settings()
    return Pathfinder.open(corpus_folder(folder, settings), settings=settings)
