"""Records in a file that someone wrote by hand as JSON lines: a line that cannot be read is an error."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from pathfinder.corpus.readers import RejectedRow
from pathfinder.corpus.readers.json_lines import json_records, read_json_records
from pathfinder.corpus.readers.lines import numbered_lines_in
from pathfinder.corpus.schemas.fields import Record
from pathfinder.errors import CorpusError

NumberedRecords = Iterable[tuple[int, Record]]
"""Records with their line numbers, counted from 1."""


def records_of_file(path: Path) -> NumberedRecords:
    """Read the records in `path`. Raises `CorpusError` if the file or one of its lines cannot be read."""
    try:
        records = list(read_json_records(path))
    except OSError as error:
        raise CorpusError(f"{path} cannot be read ({error}): check the path") from error
    return list(_readable(records, str(path)))


def records_of_bytes(data: bytes, name: str) -> NumberedRecords:
    """Read the records in `data`, the content of a file called `name`, as `records_of_file` does."""
    return list(_readable(json_records(numbered_lines_in(data), name), name))


def _readable(records: Iterable[tuple[int, Record | RejectedRow]], name: str) -> Iterator[tuple[int, Record]]:
    for number, record in records:
        if isinstance(record, RejectedRow):
            raise CorpusError(f"{name}, line {number}: {record.reason}: correct the line")
        yield number, record
