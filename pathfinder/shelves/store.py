"""Stores shelves in an SQLite database, which belongs to no corpus and survives its rebuilding."""

from collections.abc import Callable
from pathlib import Path

from pathfinder.errors import StoreError, UsageError
from pathfinder.shelves.files import parse_shelf, shelf_text
from pathfinder.shelves.shelf import Shelf
from pathfinder.types import CorpusName
from pathfinder.user_data import Database

FILE_NAME = "shelves.sqlite3"
_TABLE = """
create table versions (
    number integer primary key autoincrement,
    corpus text not null,
    name text not null,
    record text not null
) strict
"""
_LAST = "select number, record from versions where corpus in (?, ?) and name = ? order by number desc limit 1"


class ShelfStore:
    """The shelves of one corpus. Processes and threads may share the file.

    Each change adds a version of its shelf, which undo takes back. Each method opens the file anew: a change is on disk
    when `change` returns.
    """

    def __init__(self, folder: Path, corpus: CorpusName) -> None:
        """`folder` is created with the first shelf."""
        self.path, self.corpus = folder / FILE_NAME, corpus.name
        # Shelves from before version 0.2.0 are stored under the name of their corpus.
        self._id, self._ids = corpus.ids[0], (corpus.ids[0], corpus.ids[-1])
        self._database = Database(self.path, _TABLE)

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, by their names."""
        if not self.path.exists():
            return ()
        with self._database.transaction() as database:
            rows = database.execute(
                "select record from versions where number in "
                "(select max(number) from versions where corpus in (?, ?) group by name) order by name",
                self._ids,
            ).fetchall()
        return tuple(self._parsed(record) for (record,) in rows)

    def shelf(self, name: str) -> Shelf:
        """Return a shelf. Raises `UsageError` if there is none of this name."""
        for shelf in self.shelves():
            if shelf.name == name:
                return shelf
        raise UsageError(f"{self.corpus} has no shelf {name!r}: add a paper to it, or name one that exists")

    def change(self, name: str, change: Callable[[Shelf], Shelf]) -> Shelf:
        """Change a shelf, or an empty one if there is none of this name, and return it.

        Nobody else changes it at the same time. Nothing is stored if `change` raises, or changes nothing.
        """
        empty = Shelf(name)
        with self._database.transaction() as database:
            row = database.execute(_LAST, (*self._ids, name)).fetchone()
            before = self._parsed(row[1]) if row else empty
            after = change(before)
            if after != before:
                database.execute(
                    "insert into versions (corpus, name, record) values (?, ?, ?)",
                    (self._id, name, shelf_text(after)),
                )
        return after

    def undo(self, name: str) -> Shelf | None:
        """Take back the last change of a shelf; return the shelf, or `None` if that change had made it.

        Raises `UsageError` if there is none of this name.
        """
        self.shelf(name)
        with self._database.transaction() as database:
            row = database.execute(_LAST, (*self._ids, name)).fetchone()
            if row:
                database.execute("delete from versions where number = ?", (row[0],))
            row = database.execute(_LAST, (*self._ids, name)).fetchone()
        return self._parsed(row[1]) if row else None

    def _parsed(self, record: str) -> Shelf:
        try:
            return parse_shelf(record, str(self.path))
        except UsageError as error:
            raise StoreError(
                f"{self.path} holds a shelf that cannot be read: move the file away, or restore a copy of it"
            ) from error
