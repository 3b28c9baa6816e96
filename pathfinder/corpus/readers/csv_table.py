"""Papers from a CSV file with a header line: commas between cells, ";" between authors or keywords."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from pathfinder.corpus.readers.fields import Record, Unusable
from pathfinder.corpus.readers.json_lines import record_id
from pathfinder.corpus.readers.lines import MAX_LINE_BYTES, numbered_lines
from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.corpus.readers.tidy import ABSTRACT_FIELDS, ID_FIELDS, tidy_paper
from pathfinder.errors import CorpusError
from pathfinder.types import Paper

_NEEDED = (ID_FIELDS, ("title",), (*ABSTRACT_FIELDS, "summary"))
_UNDECODABLE = re.compile("[\udc80-\udcff]")
_TOO_LONG = "\udcff"
"""Stands in for a line that is too long; like every undecodable byte it makes its row unusable."""


def read_csv(path: Path) -> Iterator[tuple[int, Paper | Rejected]]:
    """The papers of `path` in order, each with its line, and in their places the rows that are none.

    Blank lines are skipped. A row counts from the line that it begins on: a quoted cell may hold line breaks.
    """
    rows = csv.reader(_decoded(path), strict=True)
    columns = _header(path, rows)
    while True:
        first_line = rows.line_num + 1
        record: Record = {}
        try:
            cells = next(rows, None)
            if cells is None:
                return
            if cells:
                record = _record(columns, cells)
                yield first_line, tidy_paper(record)
        except csv.Error as error:
            reason = f"not CSV: {error} in lines {first_line} to {rows.line_num} (is a quotation mark left open?)"
            yield first_line, Rejected(path.name, first_line, reason, None)
        except Unusable as reason:
            yield first_line, Rejected(path.name, first_line, str(reason), record_id(record))


def _decoded(path: Path) -> Iterator[str]:
    for _, line in numbered_lines(path):
        yield _TOO_LONG if line is None else line.decode("utf-8", errors="surrogateescape")


def _header(path: Path, rows: Iterator[list[str]]) -> tuple[str, ...]:
    try:
        columns = tuple("_".join(name.lower().split()) for name in next(rows, []))
    except csv.Error as error:
        raise CorpusError(f"{path}: its first line is no CSV header ({error}): name the columns there") from error
    for names in _NEEDED:
        if not any(name in columns for name in names):
            found = ", ".join(columns) or "nothing"
            raise CorpusError(f"{path}: its header line names no column {' or '.join(names)}, but {found}: add it")
    if repeated := sorted({name for name in columns if name and columns.count(name) > 1}):
        raise CorpusError(f"{path}: its header line names {', '.join(repeated)} twice: rename one of them")
    return columns


def _record(columns: tuple[str, ...], cells: list[str]) -> Record:
    if any(map(_UNDECODABLE.search, cells)):
        raise Unusable(f"invalid UTF-8, or a line longer than {MAX_LINE_BYTES} bytes")
    if len(cells) != len(columns):
        raise Unusable(f"{len(cells)} cells under {len(columns)} columns")
    return dict(zip(columns, cells, strict=True))
