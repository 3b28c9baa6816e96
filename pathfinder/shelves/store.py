"""Stores shelves in an SQLite database outside any corpus, so that they survive when a corpus is rebuilt."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter

from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import StoreError, UsageError
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.files import OwnFile
from pathfinder.types import CorpusName
from pathfinder.user_data import VersionStore, data_folder

FILE_NAME = "shelves.sqlite3"


class ShelfStore:
    """The shelves of one corpus. Processes and threads may share the file.

    Each change adds a version of a shelf, and undoing it removes that version. A change is on disk when `change`
    returns.
    """

    def __init__(self, folder: Path, corpus: CorpusName) -> None:
        """`folder` is created when the first shelf is stored."""
        self.path, self.corpus = folder / FILE_NAME, corpus
        self._versions = VersionStore(self.path, corpus)

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Return the shelves of the corpus in `folder`, which are in the folder PATHFINDER_DATA."""
        return cls(data_folder(read_settings()), corpus_name(folder))

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, sorted by name."""
        return tuple(map(self._parse, self._versions.records().values()))

    def shelf(self, name: str) -> Shelf:
        """Return a shelf. Raises `UsageError` if there is none with this name."""
        shelves = {shelf.name: shelf for shelf in self.shelves()}
        if name not in shelves:
            choice = f"choose from {', '.join(map(repr, shelves))}, or " if shelves else ""
            raise UsageError(f"{self.corpus.name} has no shelf {name!r}: {choice}add a paper to create it")
        return shelves[name]

    def inside(self, name: str) -> tuple[str, ...]:
        """Return the ids of the papers on a shelf that are not out. Raises `UsageError` if there are none."""
        ids = self.shelf(name).inside
        if not ids:
            raise UsageError(f"the shelf {name!r} is empty, or all its papers are marked as out: add a paper to it")
        return ids

    def change(self, name: str, change: Callable[[Shelf], Shelf]) -> Shelf:
        """Apply `change` to the shelf with this name, or to an empty one if there is none, and return the result.

        No other thread or process can change the shelf at the same time. Nothing is stored if `change` raises an error
        or returns the shelf as it was.
        """
        after = Shelf(name)

        def change_record(record: str | None) -> str | None:
            nonlocal after
            before = Shelf(name) if record is None else self._parse(record)
            after = change(before)
            return None if after == before else shelf_text(after)

        self._versions.change(name, change_record)
        return after

    def rename(self, name: str, new: str) -> Shelf:
        """Rename a shelf along with its earlier versions, and return it. Raises `UsageError` if there is none with this
        name, or if the new name is taken, even by a shelf that was deleted.
        """
        shelf = replace(self.shelf(name), name=new)
        if new != name:
            self._versions.rename(name, new, lambda record: shelf_text(replace(self._parse(record), name=new)))
        return shelf

    def delete(self, name: str) -> None:
        """Delete a shelf; `undo` brings it back. Raises `UsageError` if there is none with this name."""
        self.shelf(name)
        self._versions.delete(name)

    def can_undo(self, name: str) -> bool:
        """Return whether there is a change to undo: there is if a shelf has this name or had it until its deletion."""
        return self._versions.n_versions(name) > 0

    def undo(self, name: str) -> Shelf | None:
        """Undo the last change to a shelf, such as its new name or its deletion; return the shelf, or `None` if that
        change had created it. Raises `UsageError` if there is none with this name, or if its earlier name is taken.
        """
        if not self.can_undo(name):
            self.shelf(name)
        record = self._versions.undo(name, lambda _, before: (self._parse(before).name, before))
        return None if record is None else self._parse(record)

    def _parse(self, record: str) -> Shelf:
        try:
            return parse_shelf(record, str(self.path))
        except UsageError as error:
            raise StoreError(
                f"{self.path} holds a shelf that cannot be read: move the file away, or restore a copy of it"
            ) from error


# A shelf file: JSON that holds a whole shelf, for a backup or another reader.

_FORMAT = "pathfinder shelf 1"
_HEAD = 100


@dataclass(frozen=True, slots=True)
class ShelfFile:
    """Contents of the file."""

    format: str
    shelf: Shelf


_FILE = OwnFile(
    TypeAdapter(ShelfFile), _FORMAT, "shelf", "name a file that `pathfinder shelf export --format json` made"
)


def shelf_text(shelf: Shelf) -> str:
    """Return the contents of a shelf file."""
    return _FILE.text(ShelfFile(_FORMAT, shelf))


def is_shelf_file(path: Path) -> bool:
    """Return whether a file begins like a shelf file. Raises `UsageError` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return b'"pathfinder shelf ' in file.read(_HEAD)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name a file of papers") from error


def read_shelf(path: Path) -> Shelf:
    """Read a shelf file. Raises `UsageError` for anything else."""
    return _FILE.read(path).shelf


def parse_shelf(text: bytes | str, name: str) -> Shelf:
    """Parse the contents of the file called `name`, as `read_shelf` does."""
    return _FILE.parse(text, name).shelf
