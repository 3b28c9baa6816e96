"""Readers of papers from files: `registry.py` finds the reader for a file, and `reader.py` defines what a reader is."""

from pathfinder.corpus.readers.reader import Reader, RejectedRow
from pathfinder.corpus.readers.registry import PLAIN_TEXT, READERS, read_papers, read_rows, reader_of

__all__ = ["PLAIN_TEXT", "READERS", "Reader", "RejectedRow", "read_papers", "read_rows", "reader_of"]
