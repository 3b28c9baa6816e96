"""Papers out of files: what can be read, and which reader reads it."""

from collections.abc import Iterator
from pathlib import Path

from pathfinder.corpus.readers.csv_table import read_csv
from pathfinder.corpus.readers.json_lines import read_json_lines
from pathfinder.corpus.readers.rejected import Rejected
from pathfinder.errors import CorpusError
from pathfinder.types import Paper

__all__ = ["Rejected", "read_papers", "read_rows"]

_READERS = {".jsonl": read_json_lines, ".json": read_json_lines, ".csv": read_csv}


def read_papers(source: Path) -> Iterator[Paper | Rejected]:
    """Every row of `source` in order: a paper, or what was rejected and why. See `read_rows`."""
    return (row for _, row in read_rows(source))


def read_rows(source: Path) -> Iterator[tuple[int, Paper | Rejected]]:
    """Every row of `source` with the line that it begins on: a paper, or what was rejected and why.

    JSON lines (`.jsonl`, `.json`; the tidy schema, landmarks, BEIR corpora or arXiv's metadata dump,
    told apart line by line) and CSV with a header line (`.csv`); each also gzipped (`.gz`). One row is
    in memory at a time. Raises `CorpusError` where the file is absent, of another kind, or broken off.
    """
    if not source.is_file():
        found = "is a folder: name the file in it" if source.is_dir() else "does not exist: check the path"
        raise CorpusError(f"{source} {found}")
    suffix = Path(source.name.lower().removesuffix(".gz")).suffix
    if suffix not in _READERS:
        raise CorpusError(
            f"{source} is of no kind that can be read: bring JSON lines (.jsonl), .csv, or either with .gz"
        )
    return _READERS[suffix](source)
