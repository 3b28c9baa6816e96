"""The registry of readers. Other packages add theirs through the entry point group `pathfinder.readers`.

To add a reader to Pathfinder, put a module that declares a `Reader` into this folder; the name in the registry is
`Reader.name` in lower case, with hyphens.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pathfinder.corpus.readers.lines import read_unpacked
from pathfinder.corpus.readers.reader import SNIFFED_BYTES, Reader, RejectedRow
from pathfinder.errors import CorpusError
from pathfinder.plugins import Registry, declared_in
from pathfinder.types import Paper

PLAIN_TEXT = ".txt"
"""Suffix that says nothing about the format."""
GROUP = "pathfinder.readers"
"""Entry point group through which other packages add readers."""


def reader_registry() -> Registry[Reader]:
    """Return Pathfinder's own readers, and those of the packages currently installed."""
    own = declared_in("pathfinder.corpus.readers", Reader)
    names = {reader.name.lower().replace(" ", "-"): reader for reader in own}
    return Registry(GROUP, Reader, names, "reader", fault_beside=_suffix_taken)


def _suffix_taken(reader: Reader, others: Sequence[Reader]) -> str | None:
    """Return the reason why files meant for `reader` would go to one of `others`, which come before it; `None` if they
    would not.
    """
    if reader.sniff is not None:
        return None
    for other in others:
        common = [suffix for suffix in reader.suffixes if suffix.endswith(other.suffixes)]
        if common and (other.sniff is None or other.anywhere):
            return (
                f"the reader {other.name} already reads files that end in {common[0]}: a second reader needs `sniff`, "
                "to recognise its files by their first bytes"
            )
    return None


READERS = reader_registry()


def reader_of(source: Path) -> Reader:
    """Return the reader for a file, chosen by the ending of its name and, if several readers share that ending or its
    format has another, by its first bytes.

    Raises `CorpusError` if the file does not exist or no reader supports it.
    """
    if not source.is_file():
        fault = "is a folder: name the file in it" if source.is_dir() else "does not exist: check the path"
        raise CorpusError(f"{source} {fault}")
    name = source.name.lower().removesuffix(".gz")
    own = [reader for reader in READERS.all() if name.endswith(reader.suffixes)]
    takes_all = [reader for reader in own if reader.sniff is None]
    others = [] if takes_all else [reader for reader in READERS.all() if reader.anywhere and reader not in own]
    choosy = [reader for reader in (*own, *others) if reader.sniff is not None]
    head = read_unpacked(source, SNIFFED_BYTES) if choosy else b""
    recognised = [reader for reader in choosy if reader.sniff is not None and reader.sniff(head)]
    for reader in (*recognised, *takes_all, *(reader for reader in own if reader.anywhere)):
        return reader
    formats = " or ".join(f"{reader.name} ({', '.join(reader.suffixes)})" for reader in READERS.all())
    raise CorpusError(f"{source} is in a format that Pathfinder does not read: use {formats}; each may also end in .gz")


def read_papers(source: Path) -> Iterator[Paper | RejectedRow]:
    """Yield every row of `source` in order, as a paper or as a rejected row with the reason. See `read_rows`."""
    return (row for _, row in read_rows(source))


def read_rows(source: Path) -> Iterator[tuple[int, Paper | RejectedRow]]:
    """Yield every row of `source` with the number of its first line, as a paper or as a rejected row with the reason.

    Only one row is in memory at a time. Raises `CorpusError` if the file does not exist, is of an unknown kind, or is
    truncated.
    """
    return reader_of(source).read(source)
