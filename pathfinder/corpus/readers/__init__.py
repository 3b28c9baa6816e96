"""Readers of papers from files: `registry.py` finds the reader for a file, `reader.py` defines a reader."""

from pathfinder.corpus.readers.reader import Reader
from pathfinder.corpus.readers.registry import READERS, read_papers, read_rows, reader_of
from pathfinder.corpus.readers.rejected import Rejected

__all__ = ["READERS", "Reader", "Rejected", "read_papers", "read_rows", "reader_of"]
