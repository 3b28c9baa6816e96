"""Files and folders of papers, in any format that a reader knows."""

import datetime
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pathfinder.corpus.merging.local_ids import LocalIds
from pathfinder.corpus.readers import RejectedRow, reader_of
from pathfinder.errors import CorpusError
from pathfinder.sources.kind import Access, Row, SourceKind, Window
from pathfinder.sources.spec import FILE, SourceSpec
from pathfinder.types import Provenance


def open_files(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the rows of a file, or of all files in a folder and its subfolders, in order of name.

    In a folder, a file that no reader knows yields one rejected row; hidden files are left out. Papers dated outside
    `window` are left out, but papers without a date are not. Raises `CorpusError` if a path does not exist or if
    nothing in it can be read.
    """
    path = Path(spec.rest)
    if not path.is_dir():
        return _within_window(_file_rows(path, access), window, access.today)
    if not has_records(path):
        raise CorpusError(
            f"the folder {path} contains no file in a format that Pathfinder reads: see `pathfinder build --help`"
        )
    return _within_window(_folder_rows(path, access), window, access.today)


def _file_rows(path: Path, access: Access) -> Iterator[Row]:
    reader = reader_of(path)
    for note in reader.notes(path) if reader.notes else ():
        access.say(note)
    return _unless_in_vain(access.read(path), path, access)


def _unless_in_vain(rows: Iterator[Row], path: Path, access: Access) -> Iterator[Row]:
    """Yield `rows`. If there are none, report that, because a file in another format may look empty to its reader; if
    all are rejected for the same reason, report it once.
    """
    n_rows, has_papers, reasons = 0, False, set[str]()
    for line, row in rows:
        n_rows += 1
        if not isinstance(row, RejectedRow):
            has_papers = True
        elif len(reasons) < 2:
            reasons.add(row.reason)
        yield line, row
    if not n_rows:
        access.say(f"{path.name} contains no records: it is empty, or not in the format that its suffix suggests")
    elif n_rows > 1 and not has_papers and len(reasons) == 1:
        access.say(f"{path.name}: each of its {n_rows:,} rows is rejected: {reasons.pop()}")


def _visible_files(folder: Path) -> list[Path]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts)]


def has_records(folder: Path) -> bool:
    """Return whether a folder has a file in a format that a reader knows."""
    return any(map(_can_be_read, _visible_files(folder)))


def _can_be_read(path: Path) -> bool:
    try:
        reader_of(path)
    except CorpusError:
        return False
    return True


def _folder_rows(folder: Path, access: Access) -> Iterator[Row]:
    ids = LocalIds()
    for path in _visible_files(folder):
        name = access.memory.file = f"{folder.name}/{path.relative_to(folder).as_posix()}"
        if not _can_be_read(path):
            yield 1, RejectedRow(name, 1, "in a format that Pathfinder does not read", None)
            continue
        for line, row in _file_rows(path, access):
            if isinstance(row, RejectedRow):
                yield line, replace(row, file=name)
            else:
                yield line, replace(row, paper_id=ids.id_of(row, name, path.relative_to(folder).as_posix()))


def _within_window(rows: Iterator[Row], window: Window, today: datetime.date) -> Iterator[Row]:
    """Yield the rejected rows and the papers within `window`. A paper without provenance gets a record that names the
    file itself; records without a day of retrieval get `today`.
    """
    n_papers = 0
    for line, row in rows:
        if isinstance(row, RejectedRow):
            yield line, row
        elif window.includes(row):
            n_papers += 1
            records = row.provenance or (Provenance(FILE, row.paper_id),)
            dated_records = tuple(replace(record, retrieved=record.retrieved or today) for record in records)
            yield line, replace(row, provenance=dated_records)
        if n_papers == window.max_papers:
            return


FILES = SourceKind(
    scheme=FILE,
    label="Files and folders",
    form="PATH",
    examples=("library.bib", "exports/"),
    gives="whatever the file contains: titles, abstracts, authors, dates, identifiers, keywords, counts",
    terms="Set by whoever wrote the file; a licence stated in the file is kept with each paper.",
    cost="none",
    open=open_files,
    has_files=True,
)
