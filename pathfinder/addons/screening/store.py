"""Stores screenings of one corpus: a row for the question with its papers, and a row for each decision, so that of
decisions made in two tabs none is lost.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from filelock import FileLock
from pydantic import TypeAdapter

from pathfinder.addons.screening.decisions import Decision, Screening, read_session
from pathfinder.corpus.manifest import corpus_name
from pathfinder.errors import PathfinderError
from pathfinder.text.files import PRIVATE_FILE, close_to_others, private_folder
from pathfinder.types import CorpusName
from pathfinder.user_data import Kind, Visit, database_in

SCREENINGS = Kind(
    "screenings.sqlite3",
    "screening_entries",
    "name text not null, record text not null",
    "screenings",
    "delete from screening_entries where false",  # no decision can be spared
    lambda _: (),  # until 0.3.0, browsers stored none
    files="screenings",
)
_ENTRIES = "select name, number, record from screening_entries where corpus = ? order by number"
_ROW, _ROWS = TypeAdapter(Screening | Decision), TypeAdapter(tuple[Screening | Decision, ...])


class ScreeningStore:
    """The screenings of one corpus. Processes and threads may share the owner's file; a change is on disk when `change`
    returns.
    """

    def __init__(self, place: Path | Visit, corpus: CorpusName) -> None:
        """`place` is the owner's folder, created when the first screening is stored, or the visit of another."""
        self._id = corpus.ids[0]
        self._taken = place / SCREENINGS.files if isinstance(place, Path) else None
        self._database = database_in(place, SCREENINGS)

    def screenings(self) -> dict[str, Screening]:
        """Return all screenings by their names, the one that was changed last first. Raises `StoreError` if they cannot
        be read.
        """
        by_name = self._by_name(self._database.rows(_ENTRIES, (self._id,)))
        names = sorted(by_name, key=lambda name: max(by_name[name]), reverse=True)
        found = {name: _screening(by_name[name]) for name in names}
        return {name: each for name, each in found.items() if each is not None}

    def begin(self, screening: Screening) -> str:
        """Store a new screening; return its name."""
        name = secrets.token_hex(4)
        self.change(name, lambda _: screening)
        return name

    def change(self, name: str, change: Callable[[Screening | None], Screening | None]) -> None:
        """Store what `change` makes of a screening, or of `None` if none has this name; nothing is left of it, nor of
        the file from which it was taken, if that is `None`. Nobody else can change it at the same time, and nothing is
        stored if `change` raises.
        """
        with self._database.transaction() as database:
            before = self._by_name(database.execute(_ENTRIES, (self._id,)).fetchall()).get(name, {})
            after = change(_screening(before))
            rows: dict[Screening | Decision, None] = {}
            if after is not None:
                rows = dict.fromkeys((replace(after, decisions=()), *after.decisions))
            known = set(before.values())
            database.executemany(
                "delete from screening_entries where number = ?",
                [(number,) for number, row in before.items() if row not in rows],
            )
            database.executemany(
                "insert into screening_entries (corpus, name, record) values (?, ?, ?)",
                [
                    # A visitor's rows are sent again after each decision; the settings of a screening are spelled out.
                    (self._id, name, _ROW.dump_json(row, exclude_defaults=isinstance(row, Decision)).decode())
                    for row in rows
                    if row not in known
                ],
            )
            if after is None and self._taken is not None:
                (self._taken / Path(f"{name}.json.bak").name).unlink(missing_ok=True)

    def _by_name(self, rows: Sequence[tuple[str, int, str]]) -> dict[str, dict[int, Screening | Decision]]:
        """Return the rows of each screening, in the order in which they were stored, by their numbers."""
        records = self._database.parse(_ROWS, f"[{','.join(record for _, _, record in rows)}]", "screening")
        by_name: dict[str, dict[int, Screening | Decision]] = {}
        for (name, number, _), record in zip(rows, records, strict=True):
            by_name.setdefault(name, {})[number] = record
        return by_name


def _screening(rows: dict[int, Screening | Decision]) -> Screening | None:
    """Join the rows of one screening; `None` if that of its papers is missing, because another tab has deleted it."""
    begun = next((row for row in rows.values() if isinstance(row, Screening)), None)
    decisions = tuple(row for row in rows.values() if isinstance(row, Decision))
    return None if begun is None else replace(begun, decisions=decisions)


# Until 0.3.0, the owner's screenings were files in a folder, each with the folder of its corpus.


def take_files(folder: Path, here: CorpusName, paper_ids: Sequence[str]) -> list[str]:
    """Store the screenings that are still files in the owner's folder; return what is wrong with the others.

    A screening whose corpus is no longer in its place is one of `here`, whose papers have these `paper_ids`, if it has
    all its papers. Each file that was taken stays beside the others, as NAME.json.bak, until the screening is deleted.
    """
    files, problems = folder / SCREENINGS.files, list[str]()
    if not files.is_dir():
        return problems
    try:
        for path in private_folder(files).glob("*.json*"):
            close_to_others(path)
        with FileLock(files / ".lock", mode=PRIVATE_FILE):
            for path in sorted(files.glob("*.json"), key=lambda path: path.lstat().st_mtime_ns):
                try:
                    corpus_folder, screening = read_session(path)
                    corpus = here if set(screening.paper_ids) <= set(paper_ids) else None
                    if corpus_folder.exists():
                        corpus = corpus_name(corpus_folder)
                except PathfinderError as error:
                    problems.append(str(error))
                    continue
                if corpus is None:
                    problems.append(f"{path} is of the library {corpus_folder}, which is not there: open it again")
                    continue
                name = _take(ScreeningStore(folder, corpus), path.stem, screening)
                path.replace(files / f"{name}.json.bak")
    except OSError as error:
        problems.append(f"{files} cannot be used ({error}): check the folder and its permissions")
    return problems


def _take(store: ScreeningStore, name: str, screening: Screening) -> str:
    """Store a screening; return its name. One that was taken before, and that an earlier version has continued, gets
    its decisions.
    """
    begun, stored = replace(screening, decisions=()), store.screenings()
    while name in stored and replace(stored[name], decisions=()) != begun:
        name += " 2"

    def united(before: Screening | None) -> Screening:
        known = before.decisions if before else ()
        return replace(begun, decisions=tuple(dict.fromkeys((*known, *screening.decisions))))

    store.change(name, united)
    return name
