"""Stores shelves in an SQLite database, which belongs to no corpus, and so survives when one is rebuilt."""

from collections.abc import Callable
from pathlib import Path

from pathfinder.errors import StoreError, UsageError
from pathfinder.shelves.files import parse_shelf, shelf_text
from pathfinder.shelves.shelf import Shelf
from pathfinder.types import CorpusName
from pathfinder.user_data import VersionStore

FILE_NAME = "shelves.sqlite3"


class ShelfStore:
    """The shelves of one corpus. Processes and threads may share the file.

    Each change adds a version of its shelf, which undo removes; it is on disk when `change` returns.
    """

    def __init__(self, folder: Path, corpus: CorpusName) -> None:
        """`folder` is created with the first shelf."""
        self.path, self.corpus = folder / FILE_NAME, corpus.name
        self._versions = VersionStore(self.path, corpus)

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, by their names."""
        return tuple(map(self._parsed, self._versions.records().values()))

    def shelf(self, name: str) -> Shelf:
        """Return a shelf. Raises `UsageError` if there is none with this name."""
        for shelf in self.shelves():
            if shelf.name == name:
                return shelf
        raise UsageError(f"{self.corpus} has no shelf {name!r}: add a paper to it, or name one that exists")

    def change(self, name: str, change: Callable[[Shelf], Shelf]) -> Shelf:
        """Change a shelf, or an empty one if there is none with this name, and return it.

        Nobody else changes it at the same time. Nothing is stored if `change` raises, or changes nothing.
        """
        after = Shelf(name)

        def changed(record: str | None) -> str | None:
            nonlocal after
            before = Shelf(name) if record is None else self._parsed(record)
            after = change(before)
            return None if after == before else shelf_text(after)

        self._versions.change(name, changed)
        return after

    def can_undo(self, name: str) -> bool:
        """Return whether there is a shelf with this name; all its changes are stored."""
        return name in self._versions.records()

    def undo(self, name: str) -> Shelf | None:
        """Undo the last change to a shelf; return the shelf, or `None` if that change had created it. Raises
        `UsageError` if there is none with this name.
        """
        self.shelf(name)
        record = self._versions.undo(name)
        return None if record is None else self._parsed(record)

    def _parsed(self, record: str) -> Shelf:
        try:
            return parse_shelf(record, str(self.path))
        except UsageError as error:
            raise StoreError(
                f"{self.path} holds a shelf that cannot be read: move the file away, or restore a copy of it"
            ) from error
