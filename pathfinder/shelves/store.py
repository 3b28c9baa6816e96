"""Stores shelves outside any corpus, so that they survive when a corpus is rebuilt."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self

from pydantic import TypeAdapter

from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import StoreError, UsageError
from pathfinder.settings import read_settings
from pathfinder.shelves.shelf import Shelf, merge
from pathfinder.text.files import OwnFile
from pathfinder.text.strict_json import parse_as
from pathfinder.types import CorpusName
from pathfinder.user_data import NO_LONGER_STORED, VersionStore, Visit, data_folder, versions


class ShelfStore:
    """The shelves that a person keeps for a corpus. Processes and threads may share the owner's.

    Each change adds a version of a shelf, and undoing it removes that version. A change of the owner's is on disk when
    `change` returns.
    """

    def __init__(self, place: Path | Visit, corpus: CorpusName) -> None:
        """`place` is the owner's folder, which is created when the first shelf is stored, or the visit of another."""
        self.place, self.corpus = place, corpus
        self._versions = VersionStore(place, SHELVES, corpus)

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Return the shelves of the corpus in `folder`, which are in the folder PATHFINDER_DATA."""
        return cls(data_folder(read_settings()), corpus_name(folder))

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, sorted by name."""
        return tuple(self._parse(record) for _, record in sorted(self._versions.records().items()))

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
        """Return whether there is a change to undo: there is if a shelf has this name or had it until its deletion,
        unless its earlier versions have made room in a visitor's browser.
        """
        return self._versions.can_undo(name)

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
            return parse_shelf(record, self._versions.database.place)
        except UsageError as error:
            database = self._versions.database
            raise StoreError(f"{database.place} holds a shelf that cannot be read: {database.remedy}") from error


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


# Shelves as records, and as browsers stored them until 0.2.1.


@dataclass(frozen=True, slots=True)
class _Histories:
    format: Literal["pathfinder shelves 1"]
    shelves: tuple[tuple[Shelf | None, ...], ...]
    """The versions of each shelf; `None` before its first change and after its deletion."""


_HISTORIES = TypeAdapter(_Histories)


def _earlier(text: str) -> Iterator[tuple[str, str]]:
    for history in parse_as(_HISTORIES, text).shelves:
        names = [shelf.name for shelf in history if shelf is not None]
        for place, shelf in enumerate(history if names else ()):
            if shelf is not None and place == 0:  # what was before it was no longer stored
                yield names[-1], NO_LONGER_STORED
            if shelf is not None or place > 0:
                yield names[-1], "" if shelf is None else shelf_text(shelf)


def _united(later: str, earlier: str) -> str:
    return shelf_text(merge(parse_shelf(later, "a tab"), parse_shelf(earlier, "a tab")).shelf)


SHELVES = versions("shelves.sqlite3", "versions", "shelves", _earlier, "shelf", _united)
