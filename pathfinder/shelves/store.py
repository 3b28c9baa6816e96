"""Stores shelves in an SQLite database, which belongs to no corpus and survives its rebuilding."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pathfinder.errors import StoreError, UsageError
from pathfinder.settings import Settings, user_data_folder
from pathfinder.shelves.files import parse_shelf, shelf_text
from pathfinder.shelves.shelf import Shelf

FILE_NAME = "shelves.sqlite3"
VERSION = 1
_TABLE = """
create table versions (
    number integer primary key autoincrement,
    corpus text not null,
    name text not null,
    record text not null
) strict
"""
_LAST = "select number, record from versions where corpus = ? and name = ? order by number desc limit 1"
_WAIT_SECONDS = 10.0


def folder_of(settings: Settings) -> Path:
    """Return the folder for the work of readers, which is outside of every corpus."""
    return settings.data or user_data_folder()


class ShelfStore:
    """The shelves of one corpus. Processes and threads may share the file.

    Each change adds a version of its shelf, which undo takes back. Each method opens the file anew: a change is on disk
    when `change` returns.
    """

    def __init__(self, folder: Path, corpus: str) -> None:
        """`corpus` is the name of the corpus; `folder` is created with the first shelf."""
        self.path, self.corpus = folder / FILE_NAME, corpus

    def shelves(self) -> tuple[Shelf, ...]:
        """Return all shelves, by their names."""
        if not self.path.exists():
            return ()
        with self._open() as database:
            rows = database.execute(
                "select record from versions where number in "
                "(select max(number) from versions where corpus = ? group by name) order by name",
                (self.corpus,),
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
        with self._open() as database:
            row = database.execute(_LAST, (self.corpus, name)).fetchone()
            before = self._parsed(row[1]) if row else empty
            after = change(before)
            if after != before:
                database.execute(
                    "insert into versions (corpus, name, record) values (?, ?, ?)",
                    (self.corpus, name, shelf_text(after)),
                )
        return after

    def undo(self, name: str) -> Shelf | None:
        """Take back the last change of a shelf; return the shelf, or `None` if that change had made it.

        Raises `UsageError` if there is none of this name.
        """
        self.shelf(name)
        with self._open() as database:
            row = database.execute(_LAST, (self.corpus, name)).fetchone()
            if row:
                database.execute("delete from versions where number = ?", (row[0],))
            row = database.execute(_LAST, (self.corpus, name)).fetchone()
        return self._parsed(row[1]) if row else None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the database in one transaction, which is on disk at the end of the block."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)) as database:
                database.execute("pragma journal_mode = wal")
                database.execute("pragma synchronous = full")
                database.execute("begin immediate")
                self._prepare(database)
                yield database
                database.execute("commit")
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"{self.path} cannot be used ({error}): check the folder, its permissions and the space on its disk, "
                "or name another folder in PATHFINDER_DATA"
            ) from error

    def _prepare(self, database: sqlite3.Connection) -> None:
        (version,) = database.execute("pragma user_version").fetchone()
        if version == 0:
            database.execute(_TABLE)
            database.execute(f"pragma user_version = {VERSION}")
        elif version != VERSION:
            raise StoreError(
                f"{self.path} has version {version}, and this Pathfinder knows {VERSION}: update Pathfinder"
            )

    def _parsed(self, record: str) -> Shelf:
        try:
            return parse_shelf(record, str(self.path))
        except UsageError as error:
            raise StoreError(
                f"{self.path} holds a shelf that cannot be read: move the file away, or restore a copy of it"
            ) from error
