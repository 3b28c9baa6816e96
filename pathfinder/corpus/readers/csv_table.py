"""Records from a CSV file with a header line; cells are separated by commas, authors and keywords by ";"."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from pathfinder.corpus.readers.fields import Record, Unusable
from pathfinder.corpus.readers.lines import MAX_LINE_BYTES, numbered_lines
from pathfinder.corpus.readers.reader import Reader
from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.corpus.readers.tidy import ID_FIELDS, tidy_paper
from pathfinder.errors import CorpusError

_NEEDED = (ID_FIELDS, ("title",))
_UNDECODABLE = re.compile("[\udc80-\udcff]")
_TOO_LONG = "\udcff"
"""Placeholder for a line that is too long; like any undecodable byte, it makes its row unusable."""


def read_csv_records(path: Path) -> Iterator[tuple[int, Record | Rejected]]:
    """Yield the rows of `path` in order, each with its line number; a broken row is yielded as `Rejected`.

    Blank lines are skipped. A row is numbered by its first line, since a quoted cell may contain line breaks.
    """
    rows = csv.reader(_decoded(path), strict=True)
    columns = _header(path, rows)
    while True:
        first_line = rows.line_num + 1
        try:
            cells = next(rows, None)
            if cells is None:
                return
            if cells:
                yield first_line, _record(columns, cells)
        except csv.Error as error:
            reason = f"not CSV: {error} in lines {first_line} to {rows.line_num} (is a quotation mark left open?)"
            yield first_line, Rejected(path.name, first_line, reason, None)
        except Unusable as reason:
            yield first_line, Rejected(path.name, first_line, str(reason), None)


def _decoded(path: Path) -> Iterator[str]:
    for _, line in numbered_lines(path):
        yield _TOO_LONG if line is None else line.decode("utf-8", errors="surrogateescape")


def _header(path: Path, rows: Iterator[list[str]]) -> tuple[str, ...]:
    try:
        columns = tuple("_".join(name.lower().split()) for name in next(rows, []))
    except csv.Error as error:
        raise CorpusError(
            f"{path}: its first line is not a CSV header ({error}): put the names of the columns there"
        ) from error
    for names in _NEEDED:
        if not any(name in columns for name in names):
            present = ", ".join(columns) or "nothing"
            raise CorpusError(f"{path}: its header has no column {' or '.join(names)}, but {present}: add it")
    if repeated := sorted({name for name in columns if name and columns.count(name) > 1}):
        raise CorpusError(f"{path}: its header line names {', '.join(repeated)} twice: rename one of them")
    return columns


def _record(columns: tuple[str, ...], cells: list[str]) -> Record:
    if any(map(_UNDECODABLE.search, cells)):
        raise Unusable(f"invalid UTF-8, or a line longer than {MAX_LINE_BYTES} bytes")
    if len(cells) != len(columns):
        raise Unusable(f"{len(cells)} cells under {len(columns)} columns")
    return dict(zip(columns, cells, strict=True))


CSV = Reader("CSV", (".csv",), read_csv_records, tidy_paper)
