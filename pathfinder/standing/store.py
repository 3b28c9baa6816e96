"""Stores standing questions in an SQLite database outside any corpus, so that they survive when one is rebuilt."""

from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection

from pathfinder.standing.log import EntryKind, LogEntry, StandingLog
from pathfinder.types import CorpusName
from pathfinder.user_data import Database

FILE_NAME = "standing.sqlite3"
_TABLE = """
create table standing_entries (
    number integer primary key autoincrement,
    corpus text not null,
    question text not null,
    kind text not null,
    record text not null
) strict
"""


class StandingStore:
    """The standing questions of one corpus. Processes and threads may share the file; a change is on disk when `change`
    returns.
    """

    def __init__(self, folder: Path, corpus: CorpusName) -> None:
        """`folder` is created when the first question is stored."""
        self.path = folder / FILE_NAME
        self._id = corpus.ids[0]
        self._database = Database(self.path, _TABLE)

    def log(self) -> StandingLog:
        """Return all entries. Raises `StoreError` if the database cannot be read or is of another version."""
        if not self.path.exists():
            return StandingLog()
        with self._database.transaction() as database:
            return self._entries(database)

    def change(self, change: Callable[[StandingLog], StandingLog]) -> StandingLog:
        """Change the log and return it, in one transaction; nothing is stored if `change` raises."""
        with self._database.transaction() as database:
            before = self._entries(database)
            after = change(before)
            numbers = {entry.number for entry in before.entries}
            dropped_numbers = numbers - {entry.number for entry in after.entries}
            database.executemany(
                "delete from standing_entries where number = ?", [(number,) for number in dropped_numbers]
            )
            rows = [
                (self._id, entry.question, entry.kind.value, entry.record)
                for entry in after.entries
                if entry.number not in numbers
            ]
            database.executemany(
                "insert into standing_entries (corpus, question, kind, record) values (?, ?, ?, ?)", rows
            )
            return self._entries(database)

    def _entries(self, database: Connection) -> StandingLog:
        rows = database.execute(
            "select number, question, kind, record from standing_entries where corpus = ? order by number", (self._id,)
        )
        return StandingLog(
            tuple(LogEntry(number, question, EntryKind(kind), text) for number, question, kind, text in rows)
        )
