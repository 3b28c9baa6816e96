"""Records from JSON lines: one object per line, as any program writes it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pathfinder.corpus.readers.guessed_columns import plainly_named, with_author_lists
from pathfinder.corpus.readers.lines import MAX_LINE_BYTES, numbered_lines
from pathfinder.corpus.readers.reader import Reader, RejectedRow
from pathfinder.corpus.schemas.any_paper import any_json_paper
from pathfinder.corpus.schemas.fields import Record, Unusable, shorten
from pathfinder.text.strict_json import parse_json


def read_json_records(path: Path) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the objects of `path` in order, each with its line number; a line without an object is yielded as
    `RejectedRow`.
    """
    yield from json_records(numbered_lines(path), path.name)


def json_records(lines: Iterable[tuple[int, bytes | None]], name: str) -> Iterator[tuple[int, Record | RejectedRow]]:
    """Yield the objects on numbered `lines` of the source called `name`, as `read_json_records` does."""
    for number, line in lines:
        if line is not None and not line.strip():
            continue
        try:
            yield number, parse_line(line)
        except Unusable as reason:
            yield number, RejectedRow(name, number, str(reason), None)


def parse_line(line: bytes | None) -> Record:
    """Return the object on one line; `None` stands for a line that is too long. Raises `Unusable` with the reason."""
    if line is None:
        raise Unusable(f"the line is longer than {MAX_LINE_BYTES} bytes")
    try:
        record = parse_json(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise Unusable(f"invalid UTF-8: byte 0x{line[error.start]:02x} at position {error.start + 1}") from None
    except (ValueError, RecursionError) as error:
        raise Unusable(f"not JSON: {error}") from None
    if not isinstance(record, dict):
        raise Unusable(f"not a JSON object: {shorten(record)}")
    return plainly_named(record)


JSON_LINES = Reader("JSON lines", (".jsonl", ".json"), with_author_lists(read_json_records), any_json_paper)
