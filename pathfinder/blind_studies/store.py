"""Stores studies and votes in SQLite databases, which belong to no corpus, and so survive when one is rebuilt."""

from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.blind_studies.study import BlindStudy, Vote
from pathfinder.errors import StoreError, UsageError
from pathfinder.text.strict_json import Value, parse_as
from pathfinder.types import CorpusName
from pathfinder.user_data import Database

STUDIES_FILE, VOTES_FILE = "studies.sqlite3", "votes.sqlite3"
_STUDIES = """
create table studies (
    corpus text not null,
    name text not null,
    record text not null,
    primary key (corpus, name)
) strict
"""
_VOTES = """
create table votes (
    corpus text not null,
    study text not null,
    reader text not null,
    pair integer not null,
    record text not null,
    primary key (corpus, study, reader, pair)
) strict
"""
_STUDY, _VOTE = TypeAdapter(BlindStudy), TypeAdapter(Vote)


class StudyStore:
    """The studies of one corpus with their votes. A vote is on disk when `add_vote` returns."""

    def __init__(self, folder: Path, corpus: CorpusName) -> None:
        """`folder` is created with the first study."""
        self.path, self.corpus = folder / STUDIES_FILE, corpus.name
        self._id = corpus.ids[0]
        self._studies = Database(self.path, _STUDIES)
        self._votes = Database(folder / VOTES_FILE, _VOTES)

    def add(self, study: BlindStudy) -> None:
        """Store a study. Raises `UsageError` if one with this name exists."""
        if study.name in self.names():
            raise UsageError(f"{self.corpus} already has a study {study.name!r}: delete it, or choose another name")
        with self._studies.transaction() as database:
            row = (self._id, study.name, _STUDY.dump_json(study).decode())
            database.execute("insert into studies values (?, ?, ?)", row)

    def names(self) -> tuple[str, ...]:
        """Return the names of all studies."""
        if not self.path.exists():
            return ()
        with self._studies.transaction() as database:
            rows = database.execute("select name from studies where corpus = ? order by rowid", (self._id,)).fetchall()
        return tuple(name for (name,) in rows)

    def study(self, name: str) -> BlindStudy:
        """Return a study. Raises `UsageError` if none has this name."""
        if name not in self.names():
            raise UsageError(
                f"{self.corpus} has no study {name!r}: choose from {', '.join(self.names()) or 'none yet'}"
            )
        with self._studies.transaction() as database:
            (record,) = database.execute(
                "select record from studies where corpus = ? and name = ?", (self._id, name)
            ).fetchone()
        return self._parse(_STUDY, record)

    def add_vote(self, study: str, vote: Vote) -> None:
        """Store a vote, replacing any earlier one by the same reader on the same pair."""
        row = (self._id, study, vote.reader, vote.pair, _VOTE.dump_json(vote).decode())
        with self._votes.transaction() as database:
            database.execute("insert or replace into votes values (?, ?, ?, ?, ?)", row)

    def remove_vote(self, study: str, reader: str, pair: int) -> bool:
        """Delete a vote; return whether there was one."""
        key = (self._id, study, reader, pair)
        with self._votes.transaction() as database:
            statement = "delete from votes where corpus = ? and study = ? and reader = ? and pair = ?"
            return database.execute(statement, key).rowcount > 0

    def votes(self, study: str) -> tuple[Vote, ...]:
        """Return the votes on a study, by reader and pair."""
        if not self._votes.path.exists():
            return ()
        with self._votes.transaction() as database:
            rows = database.execute(
                "select record from votes where corpus = ? and study = ? order by reader, pair", (self._id, study)
            ).fetchall()
        return tuple(self._parse(_VOTE, record) for (record,) in rows)

    def delete(self, name: str) -> int:
        """Delete a study and its votes; return the number of votes."""
        self.study(name)
        key = (self._id, name)
        with self._studies.transaction() as database:
            database.execute("delete from studies where corpus = ? and name = ?", key)
        with self._votes.transaction() as database:
            return database.execute("delete from votes where corpus = ? and study = ?", key).rowcount

    def _parse(self, adapter: TypeAdapter[Value], record: str) -> Value:
        try:
            return parse_as(adapter, record, strict=True)
        except ValueError as error:
            raise StoreError(f"{self.path} holds a record that cannot be read ({error})") from error
