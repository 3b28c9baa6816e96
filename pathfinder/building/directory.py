"""The folder in which a corpus is built: it allows one build at a time and leaves other files alone."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pathfinder.corpus.lock import LOCK_NAME, lock_corpus
from pathfinder.corpus.manifest import MANIFEST_NAME, is_corpus
from pathfinder.corpus.parts import is_part_name
from pathfinder.errors import CorpusError
from pathfinder.index.engines import drop_unused
from pathfinder.text.files import is_unfinished, remove_unfinished

REJECTED_NAME = "rejected.jsonl"
_STAGING, _JOURNAL, _FETCHED_FOLDER = ".building", ".journal", ".fetched"
_OWN_NAMES = frozenset(
    {MANIFEST_NAME, ".manifest.json.new", REJECTED_NAME, _STAGING, LOCK_NAME, _JOURNAL, _FETCHED_FOLDER}
)


@dataclass(frozen=True, slots=True)
class BuildDirectory:
    """Paths that a build uses."""

    corpus: Path
    staging: Path
    """Folder for unfinished files; emptied when a build begins and when it ends."""

    @property
    def new_papers(self) -> Path:
        """Papers as read from the source files."""
        return self.staging / "new.arrow"

    @property
    def journal(self) -> Path:
        """Results saved by a build that was stopped."""
        return self.corpus / _JOURNAL

    @property
    def fetched_folder(self) -> Path:
        """Folder for the pages fetched from sources, and for their cursors, until the corpus is complete."""
        return fetched_folder(self.corpus)

    def forget_fetched(self) -> None:
        """Remove the fetched pages and the cursors, because the corpus is complete."""
        shutil.rmtree(self.fetched_folder, ignore_errors=True)

    @property
    def rejected_file(self) -> Path:
        """Rows that did not become papers."""
        return self.corpus / REJECTED_NAME


def fetched_folder(corpus: Path) -> Path:
    """Return the folder for the pages fetched from a corpus's sources, and for their cursors."""
    return corpus / _FETCHED_FOLDER


@contextmanager
def open_build_directory(folder: Path) -> Iterator[BuildDirectory]:
    """Create `folder` if necessary, and lock it against other builds while the context lasts.

    Raises `CorpusError` if another build is running there, or if the folder contains anything but a corpus.
    """
    _refuse_foreign(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with lock_corpus(folder):
        place = BuildDirectory(folder, folder / _STAGING)
        shutil.rmtree(place.staging, ignore_errors=True)
        remove_unfinished(folder)
        place.staging.mkdir()
        try:
            yield place
        finally:
            shutil.rmtree(place.staging, ignore_errors=True)


def clear_away(folder: Path, needed_names: frozenset[str]) -> None:
    """Remove the parts that are no longer needed, with their vectors in an engine, and the journal, whose content is
    now in the corpus.
    """
    names = {path.name for path in folder.iterdir() if is_part_name(path.name)}
    drop_unused(folder, names - needed_names, names & needed_names)
    for name in names - needed_names:
        _remove(folder / name)
    (folder / _JOURNAL).unlink(missing_ok=True)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _refuse_foreign(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise CorpusError(f"{folder} is a file: name a folder for the corpus")
    if not folder.is_dir() or is_corpus(folder):
        return
    foreign = sorted(
        path.name
        for path in folder.iterdir()
        if not (path.name in _OWN_NAMES or is_part_name(path.name) or is_unfinished(path.name))
    )
    if foreign:
        raise CorpusError(f"{folder} is not a corpus and contains {foreign[0]!r}: name a new or empty folder")
