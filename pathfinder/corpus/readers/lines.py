"""The lines of a source, plain or gzipped, one at a time and numbered from 1."""

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from pathfinder.errors import CorpusError

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Longer than any record; a file that is one endless line must not fill the memory."""
_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Each line with its number, line end included, a byte order mark left out.

    `None` stands for a line longer than 16 MiB. Whether the file is gzipped is read from its first
    bytes, not from its name. Raises `CorpusError` where it cannot be read to its end.
    """
    number = 0
    try:
        with _open(path) as file:
            for number, line in enumerate(_lines(file), start=1):
                yield number, line.removeprefix(_BOM) if line and number == 1 else line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(
            f"{path}: its gzip data breaks off or is damaged after line {number} ({error}): fetch or compress it again"
        ) from error
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read ({error.strerror or error}): check the file and its permissions"
        ) from error


def _open(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        is_gzipped = file.read(2) == _GZIP_MAGIC
    return io.BufferedReader(gzip.GzipFile(path)) if is_gzipped else path.open("rb")


def _lines(file: IO[bytes]) -> Iterator[bytes | None]:
    while line := file.readline(MAX_LINE_BYTES):
        if line.endswith(b"\n") or len(line) < MAX_LINE_BYTES:
            yield line
        else:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE_BYTES)
            yield None
