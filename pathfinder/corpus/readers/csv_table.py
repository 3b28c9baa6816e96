"""Records from a table with a header; cells are separated by commas, semicolons, tabs or bars, authors and keywords by
";".

What is not quite a table is read as a person would read it: the header may come after a title or a line such as
"sep=;", and a stray quotation mark costs its row at most.
"""

import csv
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from pathfinder.corpus.readers.decoding import decode, encoding_notes, text_lines
from pathfinder.corpus.readers.guessed_columns import FIELDS, foreign_record, guessed_fields, with_author_lists
from pathfinder.corpus.readers.lines import MAX_LINE_BYTES
from pathfinder.corpus.readers.reader import Reader, RejectedRow
from pathfinder.corpus.schemas.fields import Record, Unusable
from pathfinder.corpus.schemas.tidy import ADDRESS, ID_FIELDS, tidy_paper
from pathfinder.corpus.schemas.zotero import NOT_PAPERS
from pathfinder.errors import CorpusError
from pathfinder.text.latex.display import unescape_if_tex
from pathfinder.types import without_control_characters

_DELIMITERS = ",;\t|"
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
"""A first line that tells Excel which character separates the cells."""
_MOST_LINES_BEFORE = 50
"""Number of lines among which the header is looked for."""
_MOST_LINES_MENDED = 40
"""Number of lines in which the end of a row with stray quotation marks is looked for."""
_MOST_REREAD = 4 * 1024 * 1024
"""Number of characters that may be read twice because of quotation marks that were never closed; after that, a row with
such a mark is looked at alone, so that a file of many such rows takes linear time.
"""
_COLUMNS_OF_TYPES = "publication_types publication_type document_type article_type dt item_type type".split()
"""Columns that say what kind of publication a paper is, a retracted one for example."""
_TEXTS = ("title", "abstract", "journal", "venue", "keywords")
"""Columns in which LaTeX is read; that of authors is read with their names."""
_FORMULA = r"[\s\u200b-\u200f\u2060\ufeff]{0,99}[=+\-@＝＋－＠]"
_NUMBER = r"[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z"
_MAY_RUN = re.compile(rf"(?:\A(?!{_NUMBER})|(?<=[;\t\r\n]))(?={_FORMULA})|\A(?=[\t\r\n])")
"""Where a spreadsheet could begin a formula, be it behind signs that nobody sees, or in a cell of its own: in most of
Europe, spreadsheets divide the cells of a table at semicolons.
"""
_GUARD = re.compile(rf"(?:\A|(?<=[;\t\r\n]))'(?={_FORMULA}|[\t\r\n])")
_CELL_OF_TEXT = re.compile(r'=("{1,2})(.*)\1', re.DOTALL)
"""How a cell tells Excel that it holds text: ="007"."""
_MOST_SHOWN = 500
"""Number of characters of a header that an error message shows."""

Numbered: TypeAlias = list[tuple[int, str | None]]
"""Lines with their numbers; `None` stands for one that is too long."""

# The library's own limit of 131,072 characters is less than the affiliations of a large collaboration.
csv.field_size_limit(MAX_LINE_BYTES)


@dataclass(frozen=True, slots=True)
class _Header:
    """The header of a table: where it ends, and what it says."""

    last_line: int
    delimiter: str
    names: tuple[str, ...]
    """The names of the columns as written."""
    columns: tuple[str, ...]
    """The field in each column, or else its name, in lower case with underscores for spaces."""
    guesses: dict[str, str]
    """The columns whose field was guessed from another program's name."""

    @property
    def n_known(self) -> int:
        """Number of columns whose meaning is known; 0 without a column of titles."""
        return sum(name in FIELDS for name in self.columns) if "title" in self.columns else 0


def read_csv_records(path: Path) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the rows of `path` in order, each with its line number; a broken row is yielded as `RejectedRow`.

    Empty rows and repeated headers are skipped. A row is numbered by its first line, because a quoted cell may contain
    line breaks. Raises `CorpusError` if there is no header with a column of titles.
    """
    header = _header(path)
    lines = islice(text_lines(path), header.last_line, None)
    for line, row in _rows(lines, header.delimiter, len(header.columns)):
        try:
            if isinstance(row, str):
                yield line, RejectedRow(path.name, line, row, None)
            elif any(cell.strip() for cell in row) and tuple(row) != header.names:
                yield line, _record(header, row)
        except Unusable as reason:
            yield line, RejectedRow(path.name, line, str(reason), None)


def column_notes(path: Path) -> tuple[str, ...]:
    """Describe, for a table, the columns whose meaning was guessed and those that are not read, if any has no plain
    name, and the encoding, if it was guessed.
    """
    header, encoding = _header(path), encoding_notes(path)
    if not header.guesses:
        return encoding
    fields = ", ".join(f"{field} from {column}" for column, field in header.guesses.items())
    others = [name for name in header.columns if name not in FIELDS and not ADDRESS.fullmatch(name)]
    return (f"{path.name}: reads {fields}; leaves out {', '.join(others) or 'nothing'}", *encoding)


def is_table(head: bytes) -> bool:
    """Return whether a file that begins with `head` has a header with titles and two other known columns."""
    header = _found_header(decode(head).split("\n")[:_MOST_LINES_BEFORE])
    return header is not None and header.n_known > 2


def _header(path: Path) -> _Header:
    lines = [line or "" for _, line in islice(text_lines(path), _MOST_LINES_BEFORE)]
    header = _found_header(lines)
    if header is None:
        skips = int(bool(lines) and _SEPARATOR_LINE.fullmatch(lines[0]) is not None)
        first = without_control_characters(next((line.strip() for line in lines[skips:] if line.strip()), ""))
        raise CorpusError(
            f"{path}: its header has no column title, but {first[:_MOST_SHOWN] or 'nothing'}: add the names of the "
            "columns as the first line"
        )
    if repeated := sorted({name for name in header.columns if name in FIELDS and header.columns.count(name) > 1}):
        raise CorpusError(f"{path}: its header line names {', '.join(repeated)} twice: rename one of them")
    return header


def _found_header(lines: list[str]) -> _Header | None:
    """Return the header in the first lines of a file: the line that names most known columns, by whichever separator.

    After the first line, a header must name two known columns, because a title above the table may contain one.
    """
    separator = _SEPARATOR_LINE.fullmatch(lines[0]) if lines else None
    starts = [number for number, line in enumerate(lines) if line.strip()][1 if separator else 0 :]
    headers = [
        header
        for start in starts
        for delimiter in (separator[1] if separator else _DELIMITERS)
        if (header := _header_at(lines, start, delimiter)).n_known > (start != starts[0])
    ]
    return max(headers, key=lambda header: header.n_known, default=None)


def _header_at(lines: list[str], start: int, delimiter: str) -> _Header:
    rows = csv.reader(lines[start:], delimiter=delimiter, skipinitialspace=True)
    try:
        names = tuple(next(rows))
    except csv.Error:
        names = ()
    plain = tuple("_".join(name.lower().split()) for name in names)
    guesses = guessed_fields(plain)
    columns = tuple(guesses.get(name, name) for name in plain)
    return _Header(start + rows.line_num, delimiter, names, columns, guesses)


class _Lines(Iterator[tuple[int, str | None]]):
    """Numbered lines, of which some may be given back, to be read again."""

    def __init__(self, lines: Iterator[tuple[int, str | None]]) -> None:
        self._lines = lines
        self._given_back: deque[tuple[int, str | None]] = deque()
        self.n_reread = 0
        """Number of characters given back so far."""

    def __next__(self) -> tuple[int, str | None]:
        return self._given_back.popleft() if self._given_back else next(self._lines)

    def some(self, n_lines: int) -> Numbered:
        """Take at most `n_lines`, and no more once they have 1 Mi characters."""
        lines: Numbered = []
        n_characters = 0
        while len(lines) < n_lines and n_characters < 1024 * 1024 and (line := next(self, None)):
            lines.append(line)
            n_characters += len(line[1] or "")
        return lines

    def give_back(self, lines: Numbered) -> None:
        """Put back the last lines that were taken."""
        self._given_back.extendleft(reversed(lines))
        self.n_reread += sum(len(line or "") for _, line in lines)


def _rows(lines: Iterator[tuple[int, str | None]], delimiter: str, width: int) -> Iterator[tuple[int, list[str] | str]]:
    """Yield each row with the number of its first line: its cells, of which there are `width`, or the reason why it is
    broken.
    """
    source = _Lines(lines)
    for number, line in source:
        if line is None:
            yield number, f"the line is longer than {MAX_LINE_BYTES} characters"
            continue
        taken: Numbered = [(number, line)]
        cells, fault = (
            _quoted_cells(source, taken, delimiter) if '"' in line else (line.rstrip("\n").split(delimiter), "")
        )
        if fitting := _fitting(cells, width) or ('"' in line and _loose_row(source, taken, delimiter, width)):
            yield number, fitting
            continue
        if any(cell.strip() for cell in cells) or fault:
            yield number, fault or f"{len(cells)} cells under {width} columns"
        # The further lines of a sound row of another length are lost with it, unless they are rows.
        if fault or (len(taken) > 1 and _fitting((taken[1][1] or "").rstrip("\n").split(delimiter), width)):
            source.give_back(taken[1:])


def _quoted_cells(source: _Lines, taken: Numbered, delimiter: str) -> tuple[list[str], str]:
    """Return the cells of a row, and the fault if it is not CSV; further lines of the row are added to `taken`."""
    most_lines = _MOST_LINES_MENDED if source.n_reread > _MOST_REREAD else None

    def texts() -> Iterator[str]:
        yield taken[0][1] or ""
        for number, line in islice(source, most_lines):
            taken.append((number, line))
            if line is None:
                return
            yield line

    try:
        return next(csv.reader(texts(), delimiter=delimiter, strict=True, skipinitialspace=True)), ""
    except csv.Error as error:
        first, last = taken[0][0], taken[-1][0]
        return [], f"not CSV: {error} in lines {first} to {last} (is a quotation mark left open?)"


def _fitting(cells: list[str], width: int) -> list[str] | None:
    """Return the cells of a row if there are as many as columns; empty ones at its end do not count."""
    return cells[:width] if len(cells) >= width and not any(map(str.strip, cells[width:])) else None


def _loose_row(source: _Lines, taken: Numbered, delimiter: str, width: int) -> list[str] | None:
    """Return the cells of a row with stray quotation marks, if they are as many as columns on its first line or on some
    more; then the lines behind it are given back, and otherwise none.
    """
    n_lines = len(taken)
    taken += source.some(_MOST_LINES_MENDED - n_lines)
    for text in (taken[0][1] or "", "".join(line or "" for _, line in taken[:_MOST_LINES_MENDED])):
        cells: list[str] = []
        end = -1
        while len(cells) < width and (match := _loose_cell(delimiter).match(text, end + 1)):
            cells.append(match[2] if match[1] is None else _QUOTATION_MARK.sub('"', match[1]))
            end = match.end()
            if not text.startswith(delimiter, end):
                break
        if len(cells) == width and _rest_is_blank(delimiter).match(text, end):
            source.give_back(taken[text.count("\n", 0, end) + 1 :])
            return cells
    source.give_back(taken[n_lines:])
    del taken[n_lines:]
    return None


_QUOTATION_MARK = re.compile(r'\\"|""')
"""The two ways to escape a quotation mark within a quoted cell."""


@cache
def _loose_cell(delimiter: str) -> re.Pattern[str]:
    """Return the pattern of a cell: in quotation marks, of which only one at the end of a cell closes it, or else text,
    which may begin with a mark that is never closed, if it is not the last cell: the file may have been cut off.
    """
    mark = re.escape(delimiter)
    end = rf"(?= *(?:{mark}|\n|\Z))"
    quoted = rf'"((?>(?:[^"\\]|\\.|"(?!{end}))*))"{end} *'
    left_open = rf'"[^"{mark}\n]*+'
    return re.compile(rf' *{quoted}|(?:(?={left_open}{mark})"|(?!{left_open}(?:\n|\Z)))([^{mark}\n]*)', re.DOTALL)


@cache
def _rest_is_blank(delimiter: str) -> re.Pattern[str]:
    """Return the pattern of what may follow the last column: empty cells up to the end of the line."""
    return re.compile(rf'(?:[ \t{re.escape(delimiter)}]|"[ \t]*")*(?:\n|\Z)')


def _record(header: _Header, cells: list[str]) -> Record:
    plain = (_GUARD.sub("", text[2] if (text := _CELL_OF_TEXT.fullmatch(cell)) else cell) for cell in cells)
    record: Record = dict(zip(header.columns, plain, strict=True))
    if (kind := record.get("item_type")) in NOT_PAPERS:
        raise Unusable(f"not a paper, but {kind!r}")
    record = {name: unescape_if_tex(str(cell)) if name in _TEXTS else cell for name, cell in record.items()}
    types = [str(record[name]) for name in _COLUMNS_OF_TYPES if record.get(name)]
    is_retracted = str(record.get("is_retracted") or "").strip().lower() in ("true", "1", "yes")
    types += ["Retracted Publication"] if is_retracted else []
    record = {**record, "publication_types": ";".join(types)}
    has_id = any(str(record.get(name) or "").strip() for name in ID_FIELDS)
    return record if has_id and not header.guesses else foreign_record(record)


def with_guard(cell: str) -> str:
    """Put an apostrophe before whatever a spreadsheet could run as a formula."""
    return _MAY_RUN.sub("'", cell)


CSV = Reader(
    "CSV",
    (".csv", ".tsv", ".tab"),
    with_author_lists(read_csv_records),
    tidy_paper,
    sniff=is_table,
    anywhere=True,
    notes=column_notes,
)
