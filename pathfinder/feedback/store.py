"""Stores judgements in an SQLite database, which belongs to no corpus and survives its rebuilding."""

import datetime
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pathfinder.errors import StoreError
from pathfinder.feedback.judgements import JUDGEMENT, Judgement
from pathfinder.settings import Settings, user_data_folder
from pathfinder.text.strict_json import parse_as

FILE_NAME = "feedback.sqlite3"
VERSION = 1
_TABLE = """
create table judgements (
    code text primary key,
    day text not null,
    corpus text not null,
    record text not null
) strict
"""
_WAIT_SECONDS = 10.0


def folder_of(settings: Settings) -> Path:
    """Return the folder for the work of readers, which is outside of every corpus."""
    return settings.data or user_data_folder()


class FeedbackStore:
    """Judgements of readers, by the name of their corpus. Processes and threads may share the file.

    Each method opens the file anew. A judgement is on disk when `add` returns: it survives a killed process.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is created with the first judgement."""
        self.path = folder / FILE_NAME

    def add(self, judgement: Judgement) -> None:
        """Store a judgement. Raises `StoreError` if the disk is full or the folder cannot be written."""
        record = JUDGEMENT.dump_json(judgement).decode()
        row = (judgement.code, judgement.day.isoformat(), judgement.corpus.name, record)
        with self._open() as database:
            database.execute("insert into judgements values (?, ?, ?, ?)", row)

    def withdraw(self, code: str) -> bool:
        """Delete the judgement with this code; return whether there was one."""
        if not self.path.exists():
            return False
        with self._open() as database:
            return database.execute("delete from judgements where code = ?", (code,)).rowcount > 0

    def judgements(self, corpus: str | None = None) -> tuple[Judgement, ...]:
        """Return the judgements on a corpus, or on all, in the order of their days. Raises `StoreError` for a record
        that cannot be read.
        """
        if not self.path.exists():
            return ()
        with self._open() as database:
            rows = database.execute(
                "select record from judgements where ? is null or corpus = ? order by day, rowid", (corpus, corpus)
            ).fetchall()
        return tuple(self._parsed(record) for (record,) in rows)

    def forget_before(self, day: datetime.date) -> int:
        """Delete judgements older than `day`; return their number."""
        if not self.path.exists():
            return 0
        with self._open() as database:
            return database.execute("delete from judgements where day < ?", (day.isoformat(),)).rowcount

    def delete_all(self) -> int:
        """Delete every judgement; return their number."""
        if not self.path.exists():
            return 0
        with self._open() as database:
            return database.execute("delete from judgements").rowcount

    def back_up(self, path: Path) -> None:
        """Copy the database to a new file, even while judgements are being added."""
        if path.exists():
            raise StoreError(f"{path} exists: name a new file for the backup")
        with self._connected() as database, closing(sqlite3.connect(path)) as copy:
            database.backup(copy)  # which waits for ever within a transaction

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the database in one transaction, which is on disk at the end of the block."""
        with self._connected() as database:
            database.execute("begin immediate")
            self._prepare(database)
            yield database
            database.execute("commit")

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)) as database:
                database.execute("pragma journal_mode = wal")
                database.execute("pragma synchronous = full")
                yield database
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

    def _parsed(self, record: str) -> Judgement:
        try:
            return parse_as(JUDGEMENT, record, strict=True)
        except ValueError as error:
            raise StoreError(f"{self.path} holds a judgement that cannot be read ({error})") from error
