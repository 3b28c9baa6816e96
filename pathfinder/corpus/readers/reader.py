"""The reader type: a format, which yields records, and a schema, which turns a record into a paper."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from pathfinder.corpus.schemas.any_paper import any_paper, record_id
from pathfinder.corpus.schemas.fields import Record, Unusable
from pathfinder.types import Paper


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A line of `rejected.jsonl`: a row that could not be used."""

    file: str
    """Name of the source file, without its folder."""
    line: int
    """Number of the first line of the row, counted from 1."""
    reason: str
    """Reason in a few words on one line, such as "no title"."""
    record_id: str | None
    """Id of the row, if it has a usable one."""


Records: TypeAlias = Callable[[Path], Iterator[tuple[int, Record | RejectedRow]]]
"""A format: yields the records of a file in order, each with the number of its first line; a broken record is yielded
as `RejectedRow`.
"""

Schema: TypeAlias = Callable[[Record], Paper]
"""Turns a record into a paper. Raises `Unusable` with the reason if it cannot."""

SNIFFED_BYTES = 4096
"""Number of decompressed bytes at the start of a file that a reader may examine to recognise its format."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the files of one format."""

    name: str
    """Name for use in messages, such as "JSON lines"; `--help` writes it as "json-lines"."""
    suffixes: tuple[str, ...]
    """Lower-case file name endings, such as ".jsonl"; each may be followed by ".gz"."""
    records: Records
    """Yields the records of a file; `lines.py` reads its lines, plain or gzipped."""
    schema: Schema = any_paper
    """Makes a paper from a record; the default handles plain field names (`tidy.py`) and records from arXiv's dump.
    """
    sniff: Callable[[bytes], bool] | None = None
    """Recognises the format from the start of a file. If two readers share a suffix, the one with `sniff` is tried
    first.
    """
    anywhere: bool = False
    """True if `sniff` is also asked about files with suffixes that no other reader takes; files with the reader's own
    suffixes are then read even if nobody recognises them.
    """
    notes: Callable[[Path], tuple[str, ...]] | None = None
    """Describes what the reader guessed about a file, for the person who builds a corpus from it."""

    def read(self, path: Path, schema: Schema | None = None) -> Iterator[tuple[int, Paper | RejectedRow]]:
        """Yield the papers of `path` in order, each with its line number; a row that is not a paper is yielded as
        `RejectedRow`.

        `schema` replaces the reader's own. Raises `CorpusError` if the file cannot be read to the end.
        """
        to_paper = schema or self.schema
        for line, record in self.records(path):
            if isinstance(record, RejectedRow):
                yield line, record
                continue
            try:
                yield line, to_paper(record)
            except Unusable as reason:
                yield line, RejectedRow(path.name, line, str(reason), record_id(record))
