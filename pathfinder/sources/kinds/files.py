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
from pathfinder.types import Paper, Provenance


def open_files(spec: SourceSpec, window: Window, access: Access) -> Iterator[Row]:
    """Yield the rows of a file, or of all files in a folder and its subfolders, in order of name.

    In a folder, a file that no reader knows yields one rejected row; hidden files are left out. Papers dated outside
    `window` are left out, but papers without a date are not. Raises `CorpusError` if a path does not exist or if
    nothing in it can be read.
    """
    path = Path(spec.rest)
    rows = _folder_rows(path, _files_in(path), access) if path.is_dir() else _file_rows(path, access)
    return _within_window(rows, window, access.today)


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


def _files_in(folder: Path) -> list[Path]:
    visible = _visible_files(folder)
    if not any(map(_can_be_read, visible)):
        raise CorpusError(
            f"the folder {folder} contains no file in a format that Pathfinder reads: see `pathfinder build --help`"
        )
    return visible


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


def _folder_rows(folder: Path, paths: list[Path], access: Access) -> Iterator[Row]:
    ids = LocalIds()
    for path in paths:
        name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
        if not _can_be_read(path):
            yield 1, RejectedRow(name, 1, "in a format that Pathfinder does not read", None)
            continue
        for line, row in _file_rows(path, access):
            if isinstance(row, RejectedRow):
                yield line, replace(row, file=name)
            else:
                yield line, replace(row, paper_id=ids.id_of(row, name, path.relative_to(folder).as_posix()))


def _within_window(rows: Iterator[Row], window: Window, today: datetime.date) -> Iterator[Row]:
    """Yield the rejected rows and the papers within `window`, each paper with its provenance."""
    n_papers = 0
    for line, row in rows:
        if isinstance(row, RejectedRow):
            yield line, row
        elif window.includes(row):
            n_papers += 1
            yield line, replace(row, provenance=_provenance(row, today))
        if n_papers == window.max_papers:
            return


def _provenance(paper: Paper, today: datetime.date) -> tuple[Provenance, ...]:
    """Return the provenance records of a paper: those in the file or, if it has none, one that names the file itself.
    Records without a day of retrieval get `today`.
    """
    records = paper.provenance or (Provenance(FILE, paper.paper_id),)
    return tuple(replace(record, retrieved=record.retrieved or today) for record in records)


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
