"""Stores judgements in an SQLite database, which belongs to no corpus, and so survives when one is rebuilt."""

import datetime
from collections.abc import Sequence
from pathlib import Path

from pathfinder.errors import StoreError
from pathfinder.feedback.judgements import JUDGEMENT, Judgement
from pathfinder.text.strict_json import parse_as
from pathfinder.user_data import Database

FILE_NAME = "feedback.sqlite3"
_TABLE = """
create table judgements (
    code text primary key,
    day text not null,
    corpus text not null,
    record text not null
) strict
"""


class FeedbackStore:
    """Readers' judgements, by the id of their corpus. Processes and threads may share the file.

    Each method opens the file again. A judgement is on disk when `add` returns, so it is not lost if the
    process is killed.
    """

    def __init__(self, folder: Path) -> None:
        """`folder` is created with the first judgement."""
        self.path = folder / FILE_NAME
        self._database = Database(self.path, _TABLE)

    def add(self, judgement: Judgement) -> None:
        """Store a judgement. Raises `StoreError` if the disk is full or the folder cannot be written to."""
        record = JUDGEMENT.dump_json(judgement).decode()
        row = (judgement.code, judgement.day.isoformat(), judgement.corpus.ids[0], record)
        with self._database.transaction() as database:
            database.execute("insert into judgements values (?, ?, ?, ?)", row)

    def withdraw(self, code: str) -> bool:
        """Delete the judgement with this code; return whether there was one."""
        if not self.path.exists():
            return False
        with self._database.transaction() as database:
            return database.execute("delete from judgements where code = ?", (code,)).rowcount > 0

    def judgements(self, corpora: Sequence[str] = ()) -> tuple[Judgement, ...]:
        """Return the judgements on corpora with these ids, or on all corpora if none are given, in order of date.
        Raises `StoreError` for a record that cannot be read.
        """
        if not self.path.exists():
            return ()
        with self._database.transaction() as database:
            rows = database.execute("select corpus, record from judgements order by day, rowid").fetchall()
        return tuple(self._parse(record) for corpus, record in rows if not corpora or corpus in corpora)

    def forget_before(self, day: datetime.date) -> int:
        """Delete judgements older than `day`; return their number."""
        if not self.path.exists():
            return 0
        with self._database.transaction() as database:
            return database.execute("delete from judgements where day < ?", (day.isoformat(),)).rowcount

    def delete_all(self) -> int:
        """Delete all judgements; return their number."""
        if not self.path.exists():
            return 0
        with self._database.transaction() as database:
            return database.execute("delete from judgements").rowcount

    def _parse(self, record: str) -> Judgement:
        try:
            return parse_as(JUDGEMENT, record, strict=True)
        except ValueError as error:
            raise StoreError(f"{self.path} holds a judgement that cannot be read ({error})") from error
