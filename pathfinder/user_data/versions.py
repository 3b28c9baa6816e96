"""Readers' records with all their earlier versions, in an SQLite database that belongs to no corpus."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

from pathfinder.types import CorpusName
from pathfinder.user_data.database import Database


class VersionStore:
    """Named texts of one corpus, each with its earlier versions. Processes and threads may share the file.

    Each method opens the file again: a change is on disk when `change` returns. Every method raises `StoreError` if the
    file cannot be used.
    """

    def __init__(self, path: Path, corpus: CorpusName, table: str = "versions", most: int | None = None) -> None:
        """`path` is created, with its folder, by the first change. `table` is the name of its table, which `pathfinder
        data list` shows; for each record, the last `most` versions are stored, or all of them.
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
        """Return the last version of each record by its name, sorted."""
        if not self.path.exists():
            return {}
        with self._database.transaction() as database:
            rows = database.execute(
                f"select name, record from {self._table} where number in "  # noqa: S608
                f"(select max(number) from {self._table} where corpus in (?, ?) group by name) order by name",
                self._ids,
            ).fetchall()
        return dict(rows)

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
        """Store what `change` makes of the last version, or of `None` if there is none, as a new version.

        Nobody else can change the record at the same time. Nothing is stored if `change` raises, or returns `None`.
        """
        with self._database.transaction() as database:
            row = self._last(database, name)
            after = change(row[1] if row else None)
            if after is not None:
                insertion = f"insert into {self._table} (corpus, name, record) values (?, ?, ?)"  # noqa: S608
                database.execute(insertion, (self._id, name, after))
                if self._most is not None:
                    self._delete_earlier(database, name, self._most)

    def undo(self, name: str) -> str | None:
        """Delete the last version of a record, if there is any, and return the one before it; `None` if there is none
        left.
        """
        with self._database.transaction() as database:
            row = self._last(database, name)
            if row:
                database.execute(f"delete from {self._table} where number = ?", (row[0],))  # noqa: S608
            row = self._last(database, name)
        return row[1] if row else None

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
