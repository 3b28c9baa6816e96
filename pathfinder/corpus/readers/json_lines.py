"""Papers from JSON lines: one object a line, in the tidy schema or in that of arXiv's dump."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

from pathfinder.corpus.readers.arxiv import arxiv_paper, is_arxiv_record
from pathfinder.corpus.readers.fields import Record, Unusable, quoted, text_field
from pathfinder.corpus.readers.lines import MAX_LINE_BYTES, numbered_lines
from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.corpus.readers.tidy import ID_FIELDS, tidy_paper
from pathfinder.types import Paper


def any_paper(record: Record) -> Paper:
    """The paper that a record of either schema describes. Raises `Unusable` with the reason."""
    return arxiv_paper(record) if is_arxiv_record(record) else tidy_paper(record)


def read_json_lines(
    path: Path, as_paper: Callable[[Record], Paper] = any_paper
) -> Iterator[tuple[int, Paper | Rejected]]:
    """The papers of `path` in order, each with its line, and in their places the lines that are none."""
    for number, line in numbered_lines(path):
        if line is not None and not line.strip():
            continue
        record: Record = {}
        try:
            record = _parse(line)
            yield number, as_paper(record)
        except Unusable as reason:
            yield number, Rejected(path.name, number, str(reason), record_id(record))


def record_id(record: Record) -> str | None:
    """The id of a record that may be broken elsewhere."""
    try:
        return text_field(record, *ID_FIELDS)
    except Unusable:
        return None


def _parse(line: bytes | None) -> Record:
    if line is None:
        raise Unusable(f"the line is longer than {MAX_LINE_BYTES} bytes")
    try:
        # Not strict, so that a control character inside a text is cleaned and does not cost the paper.
        record = json.loads(line.decode("utf-8"), strict=False)
    except UnicodeDecodeError as error:
        raise Unusable(f"invalid UTF-8: byte 0x{line[error.start]:02x} at position {error.start + 1}") from None
    except (ValueError, RecursionError) as error:
        raise Unusable(f"not JSON: {error}") from None
    if not isinstance(record, dict):
        raise Unusable(f"not a JSON object: {quoted(record)}")
    return record
