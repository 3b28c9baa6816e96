"""Copies, counts, moves and deletes readers' work: the databases in a folder, and files that were before them.

A backup is one zip archive. Readers may continue to work meanwhile: each database is copied as it was at one moment.
"""

import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from pathfinder.errors import StoreError, UsageError
from pathfinder.plugins import Registry, addons
from pathfinder.text.files import private_folder, replacing
from pathfinder.user_data.database import Database, connection, side_files
from pathfinder.user_data.records import Kind

DATABASES, FILES = "*.sqlite3", "*.json*"
KINDS: Registry[Kind] = Registry("pathfinder.browser_records", Kind, {}, "kind of record")
"""What add-ons store."""
_DEFLATED = zipfile.ZIP_DEFLATED
_LARGEST = 2**30
"""Maximum size in bytes of one file in a backup to be restored."""


def contents(folder: Path) -> dict[str, dict[str, int]]:
    """Return the number of rows that each corpus, given by its id, has in each table, such as "judgements"."""
    counts: dict[str, dict[str, int]] = {}
    for path in _databases(folder):
        with connection(path) as database:
            for table in _tables(database):
                rows = database.execute(f'select corpus, count(*) from "{table}" group by corpus')  # noqa: S608
                for corpus, n in rows:
                    counts.setdefault(corpus, {})[table] = n
    return dict(sorted(counts.items()))


def move_corpus(folder: Path, old: str, new: str) -> int:
    """Move the rows of the corpus `old` to the corpus `new`, which keeps its own rows; return how many were moved."""
    return _change(folder, 'update "{}" set corpus = ? where corpus = ?', (new, old))


def delete_corpus(folder: Path, corpus: str) -> int:
    """Delete the rows of a corpus from all databases, and the files from which they were taken over; return the number
    of rows.
    """
    for files, kind in _folders().items():
        taken = f"select name from {kind.table} where corpus = ?"  # noqa: S608
        for (name,) in Database(folder / kind.file, kind.sql).rows(taken, (corpus,)):
            Path(folder, files, Path(f"{name}.json.bak").name).unlink(missing_ok=True)
    return _change(folder, 'delete from "{}" where corpus = ?', (corpus,))


def delete_all(folder: Path) -> int:
    """Delete all databases and the files that were before them; return the number of files."""
    files = _files(folder)
    for path in files:
        for each in (path, *side_files(path)):
            each.unlink(missing_ok=True)
    return len(files)


def back_up(folder: Path, archive: Path) -> tuple[str, ...]:
    """Copy everything to a new zip archive; return the names of the files in it.

    Raises `UsageError` if there is already a file at `archive`, or nothing to copy, and `StoreError` if a file cannot
    be read or written, in which case no archive is left behind.
    """
    files = _files(folder)
    if archive.exists():
        raise UsageError(f"{archive} already exists: name a new file for the backup")
    if not files:
        raise UsageError(f"{folder} holds no readers' work: there is nothing to back up")
    with tempfile.TemporaryDirectory(prefix="pathfinder-") as scratch:
        copies = {path.relative_to(folder).as_posix(): _copy(path, Path(scratch)) for path in files}
        with replacing(archive, private=True) as unfinished, zipfile.ZipFile(unfinished, "w", _DEFLATED) as zip_file:
            for name, copy in copies.items():
                zip_file.write(copy, name)
    return tuple(path.relative_to(folder).as_posix() for path in files)


def restore(archive: Path, folder: Path) -> tuple[str, ...]:
    """Unpack a backup into a folder that holds no readers' work; return the names of its files.

    Raises `UsageError`, and writes nothing, if `archive` is not a backup or the folder already holds work.
    """
    if _files(folder):
        raise UsageError(f"{folder} already holds readers' work: back it up and delete it, or name another folder")
    try:
        with zipfile.ZipFile(archive) as zip_file:
            for entry in zip_file.infolist():
                path = Path(entry.filename)
                is_database = path.match(DATABASES) and len(path.parts) == 1
                is_ours = is_database or (path.match(FILES) and str(path.parent) in _folders())
                if not is_ours or ".." in path.parts or entry.file_size > _LARGEST:
                    raise UsageError(
                        f"{archive} contains {entry.filename!r} ({entry.file_size:,} bytes), which cannot come from a "
                        "backup: name a file that `pathfinder data backup` made"
                    )
            names = tuple(zip_file.namelist())
            with tempfile.TemporaryDirectory(prefix="pathfinder-") as scratch:
                for name in names:
                    zip_file.extract(name, scratch)
                    _check_database(Path(scratch, name), archive)
                _place(names, Path(scratch), folder)
    except (zipfile.BadZipFile, OSError) as error:
        raise UsageError(
            f"{archive} cannot be restored ({error}): name a file that `pathfinder data backup` made"
        ) from error
    return names


def _place(names: tuple[str, ...], scratch: Path, folder: Path) -> None:
    """Copy the files called `names` from one folder to another; if one cannot be written, none is left there."""
    private_folder(folder)
    try:
        for name in names:
            private_folder(Path(folder, name).parent)
            with replacing(Path(folder, name), private=True) as unfinished:
                shutil.copyfile(Path(scratch, name), unfinished)
    except StoreError:
        for name in names:
            Path(folder, name).unlink(missing_ok=True)
        raise


def _check_database(path: Path, archive: Path) -> None:
    if not path.match(DATABASES):
        return
    try:
        with closing(sqlite3.connect(path)) as database:
            (verdict,) = database.execute("pragma integrity_check").fetchone()
    except sqlite3.Error as error:
        verdict = str(error)
    if verdict != "ok":
        raise UsageError(f"{archive} is damaged: the database {path.name} in it is broken ({verdict})")


def _copy(path: Path, scratch: Path) -> Path:
    """Return a copy of a database as it is now, or the path itself for any other file."""
    if not path.match(DATABASES):
        return path
    copy = scratch / path.name
    with connection(path) as database, closing(sqlite3.connect(copy)) as target:
        database.backup(target)
    return copy


def _change(folder: Path, statement: str, values: tuple[str, ...]) -> int:
    n = 0
    for path in _databases(folder):
        with connection(path) as database:
            database.execute("begin immediate")
            n += sum(database.execute(statement.format(table), values).rowcount for table in _tables(database))
            database.execute("commit")
    return n


def _tables(database: sqlite3.Connection) -> Iterator[str]:
    """Yield the tables whose rows belong to corpora."""
    names = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
    for name in names:
        if "corpus" in {column[1] for column in database.execute(f'pragma table_info("{name}")')}:
            yield name


def _databases(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob(DATABASES)))


def _folders() -> dict[str, Kind]:
    """Return the kinds that were files before, by folder: also those of an add-on that is switched off, whose work is
    still here.
    """
    switched_off = (point.load() for addon in addons() for point in addon.entry_points.select(group=KINDS.group))
    return {kind.files: kind for kind in (*switched_off, *KINDS.all()) if kind.files}


def _files(folder: Path) -> tuple[Path, ...]:
    return (*_databases(folder), *(path for files in _folders() for path in sorted((folder / files).glob(FILES))))
