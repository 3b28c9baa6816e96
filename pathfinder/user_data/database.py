"""An SQLite database that holds readers' work; what was written is on disk at the end of each transaction."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pathfinder.errors import StoreError, UsageError
from pathfinder.settings import Settings, user_data_folder
from pathfinder.text.files import close_to_others, private_file, private_folder
from pathfinder.types import CorpusName

_WAIT_SECONDS, _PAUSE_SECONDS = 10.0, 0.01


def data_folder(settings: Settings) -> Path:
    """Return the folder for readers' work, which is outside every corpus."""
    return settings.data or user_data_folder()


@dataclass(frozen=True, slots=True)
class Database:
    """A file with one table. Processes and threads may share it; each use opens it again."""

    path: Path
    table: str
    """SQL that makes the table in a new file. Its column `corpus` holds the id of a corpus."""
    version: int = 1

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction, whose changes are on disk at the end of the block.

        Raises `StoreError` if the file cannot be used, if the disk is full, or if the file has a different version.
        """
        with connection(self.path) as database:
            database.execute("begin immediate")
            self._prepare(database)
            yield database
            database.execute("commit")

    def _prepare(self, database: sqlite3.Connection) -> None:
        (version,) = database.execute("pragma user_version").fetchone()
        if version == 0:
            database.execute(self.table)
            database.execute(f"pragma user_version = {self.version}")
        elif version != self.version:
            raise StoreError(
                f"{self.path} has version {version}, but this Pathfinder knows only {self.version}: update Pathfinder"
            )


def _keep_log(database: sqlite3.Connection) -> None:
    """Switch a new file to a write-ahead log. SQLite does not wait if another process is opening the file, so failed
    attempts are repeated.
    """
    until = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            database.execute("pragma journal_mode = wal")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return


def side_files(path: Path) -> tuple[Path, ...]:
    """Return the files that SQLite may keep next to a database, with the permissions of the database."""
    return tuple(Path(f"{path}-{ending}") for ending in ("wal", "shm", "journal"))


@contextmanager
def connection(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the database at `path`, without a transaction. Raises `StoreError` if this fails, or if
    anything in the block does.
    """
    try:
        private_folder(path.parent)
        private_file(path)
        for side_file in side_files(path):
            close_to_others(side_file)
        with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)) as database:
            _keep_log(database)
            database.execute("pragma synchronous = full")
            yield database
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"{path} cannot be used ({error}): check the folder, its permissions and the free disk space, "
            "or name another folder in PATHFINDER_DATA"
        ) from error


# Readers' records with all their earlier versions, in an SQLite database that belongs to no corpus.

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
