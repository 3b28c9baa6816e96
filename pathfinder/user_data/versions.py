"""Readers' records with all their earlier versions, in an SQLite database that belongs to no corpus."""

from collections.abc import Callable
from pathlib import Path

from pathfinder.types import CorpusName
from pathfinder.user_data.database import Database

_TABLE = """
create table versions (
    number integer primary key autoincrement,
    corpus text not null,
    name text not null,
    record text not null
) strict
"""
_LAST = "select number, record from versions where corpus in (?, ?) and name = ? order by number desc limit 1"
_EARLIER = (
    "delete from versions where number in "
    "(select number from versions where corpus in (?, ?) and name = ? order by number desc limit -1 offset ?)"
)


class VersionStore:
    """Named texts of one corpus, each with its earlier versions. Processes and threads may share the file.

    Each method opens the file again: a change is on disk when `change` returns. Every method raises `StoreError` if the
    file cannot be used.
    """

    def __init__(self, path: Path, corpus: CorpusName, most: int | None = None) -> None:
        """`path` is created, with its folder, by the first change; of each record, the last `most` versions are stored,
        or all.
        """
        self.path, self._most = path, most
        # Records from before version 0.2.0 are stored under the name of their corpus.
        self._id, self._ids = corpus.ids[0], (corpus.ids[0], corpus.ids[-1])
        self._database = Database(path, _TABLE)

    def records(self) -> dict[str, str]:
        """Return the last version of each record by its name, sorted."""
        if not self.path.exists():
            return {}
        with self._database.transaction() as database:
            rows = database.execute(
                "select name, record from versions where number in "
                "(select max(number) from versions where corpus in (?, ?) group by name) order by name",
                self._ids,
            ).fetchall()
        return dict(rows)

    def change(self, name: str, change: Callable[[str | None], str | None]) -> None:
        """Store what `change` makes of the last version, or of `None` if there is none, as a new version.

        Nobody else changes the record at the same time. Nothing is stored if `change` raises, or returns `None`.
        """
        with self._database.transaction() as database:
            row = database.execute(_LAST, (*self._ids, name)).fetchone()
            after = change(row[1] if row else None)
            if after is not None:
                database.execute(
                    "insert into versions (corpus, name, record) values (?, ?, ?)", (self._id, name, after)
                )
                if self._most is not None:
                    database.execute(_EARLIER, (*self._ids, name, self._most))

    def undo(self, name: str) -> str | None:
        """Delete the last version of a record, if there is any, and return the one before it; `None` if there is none
        left.
        """
        with self._database.transaction() as database:
            row = database.execute(_LAST, (*self._ids, name)).fetchone()
            if row:
                database.execute("delete from versions where number = ?", (row[0],))
            row = database.execute(_LAST, (*self._ids, name)).fetchone()
        return str(row[1]) if row else None
