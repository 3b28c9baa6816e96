"""The registry of readers. Other packages add theirs through the entry point group `pathfinder.readers`.

To add a reader to Pathfinder, write a module with a `Reader` and list it in `READERS`.
"""

from collections.abc import Iterator
from pathlib import Path

from pathfinder.corpus.readers.csv_table import read_csv_records
from pathfinder.corpus.readers.json_lines import read_json_records
from pathfinder.corpus.readers.lines import read_unpacked
from pathfinder.corpus.readers.reader import SNIFFED_BYTES, Reader
from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.corpus.readers.tidy import tidy_paper
from pathfinder.errors import CorpusError
from pathfinder.plugins import Registry
from pathfinder.types import Paper

JSON_LINES = Reader("JSON lines", (".jsonl", ".json"), read_json_records)
CSV = Reader("CSV", (".csv",), read_csv_records, tidy_paper)

READERS = Registry("pathfinder.readers", Reader, {"json-lines": JSON_LINES, "csv": CSV}, "reader")


def reader_of(source: Path) -> Reader:
    """Return the reader for a file, chosen by the file name's ending and, if several readers share that, by its first
    bytes.

    Raises `CorpusError` if the file does not exist or no reader supports it.
    """
    if not source.is_file():
        fault = "is a folder: name the file in it" if source.is_dir() else "does not exist: check the path"
        raise CorpusError(f"{source} {fault}")
    name = source.name.lower().removesuffix(".gz")
    readers = [reader for reader in READERS.all() if name.endswith(reader.suffixes)]
    choosy = [reader for reader in readers if reader.sniff is not None]
    head = read_unpacked(source, SNIFFED_BYTES) if choosy else b""
    for reader in choosy:
        if reader.sniff is not None and reader.sniff(head):
            return reader
    for reader in readers:
        if reader.sniff is None:
            return reader
    known = " or ".join(f"{reader.name} ({', '.join(reader.suffixes)})" for reader in READERS.all())
    raise CorpusError(f"{source} is in a format that no reader knows: bring {known}, each also with .gz")


def read_papers(source: Path) -> Iterator[Paper | Rejected]:
    """Yield every row of `source` in order, as a paper or as a rejected row with the reason. See `read_rows`."""
    return (row for _, row in read_rows(source))


def read_rows(source: Path) -> Iterator[tuple[int, Paper | Rejected]]:
    """Yield every row of `source` with the number of its first line, as a paper or as a rejected row with the reason.

    Only one row is in memory at a time. Raises `CorpusError` if the file does not exist, is of an unknown kind, or is
    truncated.
    """
    return reader_of(source).read(source)
