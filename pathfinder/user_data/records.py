"""What readers make, as rows of tables: the owner's in SQLite files, a visitor's in their session and their browser.

A visitor's rows are records, each with its id and the time of its last change. Two tabs that have changed them unite
what they hold record by record: of two forms of one record, the later stands, so both tabs come to hold the same.
"""

import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal, Protocol, Self

from pydantic import TypeAdapter

from pathfinder.errors import StoreError, UsageError
from pathfinder.text.strict_json import has_half_characters, parse_as
from pathfinder.user_data.database import Database, Statements

MAX_CHARACTERS, ROOM = 4_000_000, 500_000
"""Maximum length of one kind of records as text, of the about 5 million characters that a browser stores for a site;
and the length beyond which earlier versions make room.
"""
_FORMAT: Literal["pathfinder records 1"] = "pathfinder records 1"
_CLOCK = "clock "
"""Texts of 0.2.1 may begin with a line of this word and the counts of each tab's changes."""
_KEPT_FOR = 30 * 86_400 * 1_000_000
"""Microseconds for which it is kept that a record was deleted, for a tab that still has the record."""
_REMEDY = "delete this site's data in your browser, or open the page in another browser"

Value = tuple[str, ...]
"""The columns of a row after its number, the id of the corpus first."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of what readers make: a table, whose rows have a `number`, the id of a `corpus` and further columns."""

    file: str
    """Name of the owner's file."""
    table: str
    columns: str
    """SQL of the further columns."""
    nouns: str
    """What readers call these things: "shelves"."""
    room: str
    """SQL that empties or deletes the oldest rows that can be spared, until they held `:excess` characters together, or
    all of them; used for visitors only.
    """
    earlier: Callable[[str], Iterable[Value]]
    """Reads the further columns of rows from the text in which browsers stored them until 0.2.1."""
    noun: str = ""
    """What readers call one thing, if they must know that two tabs have changed it at the same time."""
    united: Callable[[str, str], str] | None = None
    """Puts the later and the earlier of two such changes together, if readers can ask for that."""
    files: str = ""
    """Folder beside the owner's file with files of earlier versions: NAME.json, or NAME.json.bak once it was taken over
    as the row or rows of that name.
    """

    @property
    def sql(self) -> str:
        """SQL that makes the table. A number is never used again."""
        return (
            f"create table {self.table} (number integer primary key autoincrement, corpus text not null, "
            f"{self.columns}) strict"
        )


@dataclass(frozen=True, slots=True)
class Record:
    """A row as it was left by its last change."""

    changed_at: int
    """Time of the change, in microseconds since 1970; 0 if it was made before such times were kept."""
    value: Value | None
    """`None` if the row has been deleted."""


@dataclass(frozen=True, slots=True)
class _File:
    format: Literal["pathfinder records 1"]
    records: tuple[tuple[int, int, Value | None], ...]


_ADAPTER = TypeAdapter(_File)


@dataclass(frozen=True)
class Records:
    """A visitor's records of one kind and corpus, by their ids: the numbers of the rows."""

    by_id: Mapping[int, Record] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """All records as a text that `parse_records` reads; the same for the same records."""
        records = tuple((number, each.changed_at, each.value) for number, each in sorted(self.by_id.items()))
        return _ADAPTER.dump_json(_File(_FORMAT, records)).decode()

    def rows(self) -> list[tuple[int | str, ...]]:
        """Return the rows that have not been deleted."""
        return [(number, *each.value) for number, each in self.by_id.items() if each.value is not None]

    def changed_to(self, rows: Iterable[tuple[int, *Value]], now: int) -> Self:
        """Return the records of `rows`; whatever differs from these records was changed `now`."""
        values: dict[int, Value | None] = dict.fromkeys(self.by_id) | {number: tuple(row) for number, *row in rows}
        changes = {
            number: Record(now, value)
            for number, value in values.items()
            if number not in self.by_id or self.by_id[number].value != value
        }
        return type(self)({**self.by_id, **changes}) if changes else self

    def united(self, other: Self, now: int) -> Self:
        """Return the records of both; what was deleted long before `now` is forgotten."""
        by_id = {
            number: max(
                (each.by_id[number] for each in (self, other) if number in each.by_id),
                key=lambda record: (record.changed_at, record.value is None, record.value or ()),
            )
            for number in self.by_id.keys() | other.by_id.keys()
        }
        since = now - _KEPT_FOR
        return type(self)(
            {number: each for number, each in by_id.items() if each.value is not None or each.changed_at > since}
        )

    def crossings(self, other: Self) -> Iterator[tuple[str, int, int]]:
        """Yield the names of things with versions that were changed both here and in `other`, neither with knowledge
        of the other's last version; with the numbers of the earlier and the later of these versions.
        """
        here, there = self.last_versions(), other.last_versions()
        for name in sorted(here.keys() & there.keys()):
            first, last = sorted((here[name], there[name]))
            is_known = here[name] in other.by_id or there[name] in self.by_id
            if not is_known and self.version(here[name]) != other.version(there[name]):
                yield name, first, last

    def version(self, number: int) -> str | None:
        """Return the text of a version; `None` if it has been deleted."""
        record = self.by_id.get(number)
        return None if record is None or record.value is None else record.value[-1]

    def last_versions(self) -> dict[str, int]:
        """Return the number of the last version of each thing, by its name."""
        return {each.value[1]: number for number, each in sorted(self.by_id.items()) if each.value is not None}


def parse_records(text: str, kind: Kind, corpus: str) -> Records:
    """Parse the text of `Records.text`, or the one that browsers stored until 0.2.1. Raises `UsageError` for any other
    text.
    """
    try:
        if has_half_characters(text):
            raise ValueError("it has half a surrogate pair")
        if len(text) > 2 * MAX_CHARACTERS:  # two tabs that are put together may have more than one may store
            raise ValueError(f"it has {len(text):,} characters")
        if not text.startswith(f'{{"format":"{_FORMAT}"'):
            _, _, rest = text.partition("\n") if text.startswith(_CLOCK) else ("", "", text)
            values = kind.earlier(rest)
            return Records({number: Record(0, (corpus, *value)) for number, value in enumerate(values, start=1)})
        file, n_columns = parse_as(_ADAPTER, text), kind.columns.count(",") + 2
        if any(value is not None and len(value) != n_columns for _, _, value in file.records):
            raise ValueError(f"a record has another number of columns than {n_columns}")
    except (ValueError, UsageError, RecursionError) as error:
        raise UsageError(f"the {kind.nouns} in this browser cannot be read ({error}): {_REMEDY}") from error
    return Records({number: Record(changed_at, value) for number, changed_at, value in file.records})


class Visit(Protocol):
    """Holds what a visitor has made, for as long as they are here."""

    def records(self, kind: Kind) -> Records:
        """Return the records of a kind; none if there are none yet."""

    def keep(self, kind: Kind, records: Records) -> None:
        """Hold these records in place of those before."""


@dataclass(frozen=True, slots=True)
class RecordDatabase(Statements):
    """A visitor's records of one kind, used like a `Database`: each transaction has them as a table in memory."""

    visit: Visit
    kind: Kind
    remedy: ClassVar[str] = _REMEDY

    @property
    def place(self) -> str:
        """The browser, for error messages."""
        return "this browser's storage"

    @property
    def exists(self) -> bool:
        """Whether the visitor has made anything of this kind."""
        return bool(self.visit.records(self.kind).by_id)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Open the records for one transaction; nothing is changed if the block raises.

        Raises `StoreError` if the records are no rows of the table, and `UsageError` if they no longer fit into a
        browser, even without earlier versions.
        """
        kind, before = self.kind, self.visit.records(self.kind)
        try:
            with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
                now = _make(database, kind, before)
                yield database
                after = _read(database, kind, before, now)
                while after is not before and (excess := len(after.text) - ROOM) > 0:
                    # Quotation marks take more room in the text than in the rows: by halves, no row goes in vain.
                    if not database.execute(kind.room, {"excess": max(1, excess // 2)}).rowcount:
                        break
                    after = _read(database, kind, before, now)
        except (sqlite3.Error, OverflowError) as error:
            raise StoreError(f"the {kind.nouns} in {self.place} cannot be used ({error}): {self.remedy}") from error
        if after is before:
            return
        if len(after.text) > MAX_CHARACTERS:
            raise UsageError(
                f"your {kind.nouns} take up {len(after.text):,} characters, but a browser stores only "
                f"{MAX_CHARACTERS:,}: download them as files, and remove some"
            )
        self.visit.keep(kind, after)


def oldest(table: str, is_spare: str) -> str:
    """Return SQL that lists the numbers of the oldest rows that fulfil `is_spare`, for `Kind.room`."""
    before = "sum(length(record)) over (order by number) - length(record)"
    spare = f"select number, {before} as before from {table} as spare where {is_spare}"  # noqa: S608
    return f"select number from ({spare}) where before < :excess"  # noqa: S608


def _make(database: sqlite3.Connection, kind: Kind, records: Records) -> int:
    """Make the table; return the time, in microseconds since 1970. Later rows are numbered from it, so that two tabs
    never give two rows one number, and the later row has the higher.
    """
    database.execute(kind.sql)
    rows, now = records.rows(), time.time_ns() // 1_000
    if rows:
        places = ", ".join("?" * len(rows[0]))
        database.executemany(f"insert into {kind.table} values ({places})", rows)  # noqa: S608
    last = max([now, *records.by_id])
    database.execute("delete from sqlite_sequence")
    database.execute("insert into sqlite_sequence values (?, ?)", (kind.table, last))
    return now


def _read(database: sqlite3.Connection, kind: Kind, before: Records, now: int) -> Records:
    return before.changed_to(database.execute(f"select * from {kind.table}"), now)  # noqa: S608


def database_in(place: Path | Visit, kind: Kind) -> Database | RecordDatabase:
    """Return where a kind is stored: in the owner's folder, or with a visitor."""
    return Database(place / kind.file, kind.sql) if isinstance(place, Path) else RecordDatabase(place, kind)
