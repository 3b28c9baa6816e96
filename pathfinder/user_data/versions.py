"""Readers' records with all their earlier versions, outside every corpus."""

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path

from pathfinder.errors import UsageError
from pathfinder.types import CorpusName
from pathfinder.user_data.records import Kind, Value, Visit, database_in, oldest

_DELETION, NO_LONGER_STORED = "", " "
"""Texts of the version that marks a record as deleted, whose earlier versions stay, so that `undo` brings it back; and
of a version of which only this is left, to make room in a visitor's browser.
"""

Restore = Callable[[str, str], tuple[str, str]]
"""Takes the version that is undone and the one before it; returns the name and the text of the latter."""


def versions(
    file: str,
    table: str,
    nouns: str,
    earlier: Callable[[str], Iterable[Value]],
    noun: str = "",
    united: Callable[[str, str], str] | None = None,
) -> Kind:
    """Return the kind of named texts with versions; `table` is what `pathfinder data list` shows."""
    last = f"select max(number) from {table} group by name"  # noqa: S608
    is_spare = f"record not in ('{_DELETION}', '{NO_LONGER_STORED}') and number not in ({last})"
    room = f"update {table} set record = '{NO_LONGER_STORED}' where number in ({oldest(table, is_spare)})"  # noqa: S608
    return Kind(file, table, "name text not null, record text not null", nouns, room, earlier, noun, united)


class VersionStore:
    """Named texts of one corpus, each with its earlier versions. Processes and threads may share the file.

    Each method opens the file again: a change is on disk when `change` returns. Every method raises `StoreError` if the
    file cannot be used, and every change of a visitor's `UsageError` if their browser has no room for it.
    """

    def __init__(self, place: Path | Visit, kind: Kind, corpus: CorpusName, most: int | None = None) -> None:
        """`place` is the owner's folder, which the first change creates, or a visit; `kind` is one of `versions`. For
        each record, the last `most` versions are stored, or all of them if `most` is `None`.
        """
        self.database = database_in(place, kind)
        self._table, self._most = kind.table, most
        # Records from before version 0.2.0 are stored under the name of their corpus.
        self._id, self._ids = corpus.ids[0], (corpus.ids[0], corpus.ids[-1])

    def records(self) -> dict[str, str]:
        """Return the last version of each record, by its name, in the order of these versions; deleted records are left
        out.
        """
        rows = self.database.rows(
            f"select name, record from {self._table} where number in "  # noqa: S608
            f"(select max(number) from {self._table} where corpus in (?, ?) group by name) order by number",
            self._ids,
        )
        return {name: record for name, record in rows if record.strip()}

    def n_versions(self, name: str) -> int:
        """Return the number of stored versions of a record, without those that have made room."""
        query = f"select number from {self._table} where corpus in (?, ?) and name = ? and record != ?"  # noqa: S608
        return len(self.database.rows(query, (*self._ids, name, NO_LONGER_STORED)))

    def can_undo(self, name: str) -> bool:
        """Return whether there is a change to a record that `undo` can take back."""
        if not self.database.exists:
            return False
        with self.database.transaction() as database:
            rows = self._latest(database, name)
        return bool(rows) and rows[-1][1] != NO_LONGER_STORED

    def change(self, name: str, change: Callable[[str | None], str | None]) -> None:
        """Store a new version of a record: what `change` makes of the last one, or of `None` if there is none.

        Nobody else can change the record at the same time. Nothing is stored if `change` raises, or returns `None`.
        """
        with self.database.transaction() as database:
            row = self._last(database, name)
            after = change((row[1].strip() or None) if row else None)
            if after is not None:
                self._insert(database, name, after)

    def delete(self, name: str) -> None:
        """Delete a record, if there is one; its versions stay for `undo`."""
        with self.database.transaction() as database:
            row = self._last(database, name)
            if row and row[1] != _DELETION:
                self._insert(database, name, _DELETION)

    def forget(self, name: str) -> None:
        """Delete a record with all its versions."""
        with self.database.transaction() as database:
            self._delete_earlier(database, name, 0)

    def rename(self, name: str, new: str, change: Callable[[str], str] | None = None) -> None:
        """Move a record, if there is one, with all its versions to the name `new`, and store what `change` makes of the
        last one as a new version. Raises `UsageError`, and changes nothing, if any version has the name `new`.
        """
        with self.database.transaction() as database:
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
        with self.database.transaction() as database:
            last, before = (*self._latest(database, name), None, None)[:2]
            if before and before[1] == NO_LONGER_STORED:
                raise UsageError(
                    f"the last change to {name!r} cannot be undone: earlier versions have made room for later ones"
                )
            if last:
                database.execute(f"delete from {self._table} where number = ?", (last[0],))  # noqa: S608
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
        return next(iter(self._latest(database, name)), None)

    def _latest(self, database: sqlite3.Connection, name: str) -> list[tuple[int, str]]:
        """Return the numbers and the texts of the last version of a record and of the one before it."""
        return database.execute(
            f"select number, record from {self._table} where corpus in (?, ?) and name = ? "  # noqa: S608
            "order by number desc limit 2",
            (*self._ids, name),
        ).fetchall()

    def _delete_earlier(self, database: sqlite3.Connection, name: str, most: int) -> None:
        database.execute(
            f"delete from {self._table} where number in (select number from {self._table} "  # noqa: S608
            "where corpus in (?, ?) and name = ? order by number desc limit -1 offset ?)",
            (*self._ids, name, most),
        )
