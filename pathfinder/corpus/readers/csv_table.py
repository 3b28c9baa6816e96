"""Records from a table with a header line; cells are separated by commas, semicolons or tabs, authors and keywords by
";".
"""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from pathfinder.corpus.readers.guessed_columns import FIELDS, foreign_record, guessed_fields, has_identifier
from pathfinder.corpus.readers.lines import MAX_LINE_BYTES, numbered_lines, read_unpacked
from pathfinder.corpus.readers.reader import Reader
from pathfinder.corpus.readers.rejected_rows import RejectedRow
from pathfinder.corpus.schemas.fields import Record, Unusable
from pathfinder.corpus.schemas.tidy import ID_FIELDS, tidy_paper
from pathfinder.errors import CorpusError
from pathfinder.types import without_control_characters

_NEEDED_FIELDS = (ID_FIELDS, ("title",))
_HEADER_BYTES = 64 * 1024
_DELIMITERS = ",;\t"
FORMULA = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]*[=+\-@＝＋－＠]|[\t\r\n]")
"""The beginning of a cell that a spreadsheet could run as a formula, be it behind signs that nobody sees."""
_UNDECODABLE = re.compile("[\udc80-\udcff]")
_MOST_SHOWN = 500
"""Number of characters of a header that an error message shows."""
_TOO_LONG = "\udcff"
"""Placeholder for a line that is too long; like any undecodable byte, it makes the row unusable."""


def read_csv_records(path: Path) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the rows of `path` in order, each with its line number; a broken row is yielded as `RejectedRow`.

    Blank lines are skipped. A row is numbered by its first line, because a quoted cell may contain line breaks.
    """
    rows = csv.reader(_decode(path), delimiter=_delimiter(path), strict=True)
    columns, guesses = _header(path, rows)
    while True:
        first_line = rows.line_num + 1
        try:
            cells = next(rows, None)
            if cells is None:
                return
            if cells:
                yield first_line, _record(columns, cells, is_foreign=bool(guesses))
        except csv.Error as error:
            reason = f"not CSV: {error} in lines {first_line} to {rows.line_num} (is a quotation mark left open?)"
            yield first_line, RejectedRow(path.name, first_line, reason, None)
        except Unusable as reason:
            yield first_line, RejectedRow(path.name, first_line, str(reason), None)


def _decode(path: Path) -> Iterator[str]:
    for _, line in numbered_lines(path):
        yield _TOO_LONG if line is None else line.decode("utf-8", errors="surrogateescape")


def column_notes(path: Path) -> tuple[str, ...]:
    """Describe, for a table, the columns whose meaning was guessed and those that are not read; empty if all have plain
    names.
    """
    columns, guesses = _header(path, csv.reader(_decode(path), delimiter=_delimiter(path), strict=True))
    if not guesses:
        return ()
    fields = ", ".join(f"{field} from {column}" for column, field in guesses.items())
    others = [name for name in columns if name not in FIELDS]
    return (f"{path.name}: reads {fields}; leaves out {', '.join(others) or 'nothing'}",)


def _delimiter(path: Path) -> str:
    """Return the character that separates the column names: a comma, unless another separator occurs more often."""
    header = read_unpacked(path, _HEADER_BYTES).partition(b"\n")[0].decode("utf-8", errors="replace")
    return max(_DELIMITERS, key=header.count)


def _header(path: Path, rows: Iterator[list[str]]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the fields held in the columns, and a map from each column name whose field was guessed to that field."""
    try:
        columns = tuple("_".join(name.lower().split()) for name in next(rows, []))
    except csv.Error as error:
        raise CorpusError(
            f"{path}: its first line is not a CSV header ({error}): put the names of the columns there"
        ) from error
    guesses = guessed_fields(columns)
    columns = tuple(guesses.get(name, name) for name in columns)
    for names in _NEEDED_FIELDS:
        if not any(name in columns for name in names) and not (names is ID_FIELDS and has_identifier(columns)):
            present = without_control_characters(", ".join(columns))[:_MOST_SHOWN] or "nothing"
            raise CorpusError(f"{path}: its header has no column {' or '.join(names)}, but {present}: add it")
    if repeated_names := sorted({name for name in columns if name and columns.count(name) > 1}):
        names_twice = without_control_characters(", ".join(repeated_names))[:_MOST_SHOWN]
        raise CorpusError(f"{path}: its header line names {names_twice} twice: rename one of them")
    return columns, guesses


def _record(columns: tuple[str, ...], cells: list[str], *, is_foreign: bool) -> Record:
    if any(map(_UNDECODABLE.search, cells)):
        raise Unusable(f"invalid UTF-8, or a line longer than {MAX_LINE_BYTES} bytes")
    if len(cells) != len(columns):
        raise Unusable(f"{len(cells)} cells under {len(columns)} columns")
    record = dict(zip(columns, map(_without_guard, cells), strict=True))
    has_id = any(record.get(name) for name in ID_FIELDS)
    return foreign_record(record) if is_foreign or (not has_id and has_identifier(columns)) else record


def _without_guard(cell: str) -> str:
    """Remove the apostrophe that keeps a spreadsheet from running text as a formula."""
    return cell[1:] if cell.startswith("'") and FORMULA.match(cell, 1) else cell


CSV = Reader("CSV", (".csv", ".tsv"), read_csv_records, tidy_paper, notes=column_notes)
