"""Readers' records with all their earlier versions, in an SQLite database that belongs to no corpus."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from pathfinder.errors import UsageError
from pathfinder.types import CorpusName
from pathfinder.user_data.database import Database

_DELETION = ""
"""Text of the version that marks a record as deleted; earlier versions stay, so that `undo` brings the record back."""

Restore = Callable[[str, str], tuple[str, str]]
"""Takes the version that is undone and the one before it; returns the name and the text of the latter."""


class VersionStore:
    """Named texts of one corpus, each with its earlier versions. Processes and threads may share the file.

    Each method opens the file again: a change is on disk when `change` returns. Every method raises `StoreError` if the
    file cannot be used.
    """

    def __init__(self, path: Path, corpus: CorpusName, table: str = "versions", most: int | None = None) -> None:
        """`path` is created, with its folder, by the first change. `table` is the name of its table, which `pathfinder
        data list` shows. For each record, the last `most` versions are stored, or all of them if `most` is `None`.
        """
        self.path, self._table, self._most = path, table, most
        # Records from before version 0.2.0 are stored under the name of their corpus.
        self._id, self._ids = corpus.ids[0], (corpus.ids[0], corpus.ids[-1])
        self._database = Database(
            path,
            f"create table {table} (number integer primary key autoincrement, corpus text not null, "
            "name text not null, record text not null) strict",
        )

    def records(self) -> dict[str, str]:
        """Return the last version of each record, sorted by name; deleted records are left out."""
        if not self.path.exists():
            return {}
        with self._database.transaction() as database:
            rows = database.execute(
                f"select name, record from {self._table} where number in "  # noqa: S608
                f"(select max(number) from {self._table} where corpus in (?, ?) group by name) order by name",
                self._ids,
            ).fetchall()
        return {name: record for name, record in rows if record != _DELETION}

    def n_versions(self, name: str) -> int:
        """Return the number of stored versions of a record."""
        if not self.path.exists():
            return 0
        with self._database.transaction() as database:
            (n,) = database.execute(
                f"select count(*) from {self._table} where corpus in (?, ?) and name = ?",  # noqa: S608
                (*self._ids, name),
            ).fetchone()
        return int(n)

    def change(self, name: str, change: Callable[[str | None], str | None]) -> None:
        """Store a new version of a record: what `change` makes of the last one, or of `None` if there is none.

        Nobody else can change the record at the same time. Nothing is stored if `change` raises, or returns `None`.
        """
        with self._database.transaction() as database:
            row = self._last(database, name)
            after = change((row[1] or None) if row else None)
            if after is not None:
                self._insert(database, name, after)

    def delete(self, name: str) -> None:
        """Delete a record, if there is one; its versions stay for `undo`."""
        with self._database.transaction() as database:
            row = self._last(database, name)
            if row and row[1] != _DELETION:
                self._insert(database, name, _DELETION)

    def rename(self, name: str, new: str, change: Callable[[str], str] | None = None) -> None:
        """Move a record, if there is one, with all its versions to the name `new`, and store what `change` makes of the
        last one as a new version. Raises `UsageError`, and changes nothing, if any version has the name `new`.
        """
        with self._database.transaction() as database:
            row = self._last(database, name)
            if row and row[1] != _DELETION:
                if change is not None:
                    self._insert(database, name, change(row[1]))
                self._move(database, name, new)

    def undo(self, name: str, restore: Restore | None = None) -> str | None:
        """Delete the last version of a record, if there is any, and return the one before it; `None` if there is none
        left, or if that one marks the record as deleted.

        `restore` may change the name and the text of the earlier version. Raises `UsageError`, and changes
        nothing, if that name is taken.
        """
        with self._database.transaction() as database:
            last = self._last(database, name)
            if last:
                database.execute(f"delete from {self._table} where number = ?", (last[0],))  # noqa: S608
            before = self._last(database, name)
            if not last or not before or before[1] == _DELETION:
                return None
            other, text = restore(last[1], before[1]) if restore else (name, before[1])
            database.execute(f"update {self._table} set record = ? where number = ?", (text, before[0]))  # noqa: S608
            if other != name:
                self._move(database, name, other)
        return text

    def _insert(self, database: sqlite3.Connection, name: str, record: str) -> None:
        insertion = f"insert into {self._table} (corpus, name, record) values (?, ?, ?)"  # noqa: S608
        database.execute(insertion, (self._id, name, record))
        if self._most is not None:
            self._delete_earlier(database, name, self._most)

    def _move(self, database: sqlite3.Connection, name: str, new: str) -> None:
        if self._last(database, new):
            raise UsageError(
                f"the name {new!r} is taken, perhaps by a deleted record: choose another name, or rename that record"
            )
        database.execute(
            f"update {self._table} set name = ? where corpus in (?, ?) and name = ?",  # noqa: S608
            (new, *self._ids, name),
        )

    def _last(self, database: sqlite3.Connection, name: str) -> tuple[int, str] | None:
        """Return the number and the text of the last version of a record."""
        row: tuple[int, str] | None = database.execute(
            f"select number, record from {self._table} where corpus in (?, ?) and name = ? "  # noqa: S608
            "order by number desc limit 1",
            (*self._ids, name),
        ).fetchone()
        return row

    def _delete_earlier(self, database: sqlite3.Connection, name: str, most: int) -> None:
        database.execute(
            f"delete from {self._table} where number in (select number from {self._table} "  # noqa: S608
            "where corpus in (?, ?) and name = ? order by number desc limit -1 offset ?)",
            (*self._ids, name, most),
        )
