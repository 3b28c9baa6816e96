"""An SQLite database that holds readers' work; what was written is on disk at the end of each transaction."""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pydantic import TypeAdapter

from pathfinder.errors import StoreError, UsageError
from pathfinder.settings import Settings, user_data_folder
from pathfinder.text.files import close_to_others, private_file, private_folder
from pathfinder.text.strict_json import Value, parse_as

_WAIT_SECONDS, _PAUSE_SECONDS = 10.0, 0.01


def data_folder(settings: Settings) -> Path:
    """Return the folder for readers' work, which is outside every corpus."""
    return settings.data or user_data_folder()


class Statements:
    """Single statements on what readers have made, wherever it is stored."""

    __slots__ = ()
    remedy: ClassVar[str]
    """What to do about a record that cannot be read."""

    @property
    def place(self) -> str:
        """Where it is stored, for error messages."""
        raise NotImplementedError

    @property
    def exists(self) -> bool:
        """Whether there is anything to read."""
        raise NotImplementedError

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """Open it for one transaction, whose changes are stored at the end of the block."""
        raise NotImplementedError

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows that a query finds; none if nothing has been stored yet."""
        if not self.exists:
            return []
        with self.transaction() as database:
            return database.execute(query, values).fetchall()

    def change(self, statement: str, values: Sequence[object] = ()) -> int:
        """Change or delete rows; return their number, which is 0 if nothing has been stored yet."""
        if not self.exists:
            return 0
        with self.transaction() as database:
            return database.execute(statement, values).rowcount

    def parse(self, adapter: TypeAdapter[Value], record: str, noun: str, *, strict: bool = False) -> Value:
        """Parse a record, which readers call `noun`. Raises `StoreError` if it cannot be read."""
        try:
            return parse_as(adapter, record, strict=strict)
        except (ValueError, UsageError, RecursionError) as error:
            raise StoreError(f"{self.place} holds a {noun} that cannot be read ({error}): {self.remedy}") from error


@dataclass(frozen=True, slots=True)
class Database(Statements):
    """A file with one table. Processes and threads may share it; each use opens it again."""

    path: Path
    table: str
    """SQL that makes the table in a new file. Its column `corpus` holds the id of a corpus."""
    version: int = 1
    remedy: ClassVar[str] = "move the file away, or restore a copy of it"

    @property
    def place(self) -> str:
        """The path, for error messages."""
        return str(self.path)

    @property
    def exists(self) -> bool:
        """Whether there is anything to read."""
        return self.path.exists()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open the database for one transaction, whose changes are on disk at the end of the block.

        Raises `StoreError` if the file cannot be used, if the disk is full, or if the file has a different version.
        """
        with connection(self.path) as database:
            database.execute("begin immediate")
            (version,) = database.execute("pragma user_version").fetchone()
            if version == 0:
                database.execute(self.table)
                database.execute(f"pragma user_version = {self.version}")
            elif version != self.version:
                raise StoreError(
                    f"{self.path} has version {version}, but this Pathfinder knows only {self.version}: "
                    "update Pathfinder"
                )
            yield database
            database.execute("commit")


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
