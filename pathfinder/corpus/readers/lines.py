"""The lines of a source file, plain or gzipped, read one at a time and numbered from 1."""

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from pathfinder.errors import CorpusError
from pathfinder.settings import read_settings

MAX_LINE_BYTES = 16 * 1024 * 1024
"""Limit on the length of a line, longer than any record, so that a file without line breaks cannot use up all the
memory.
"""
GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"


def numbered_lines(path: Path) -> Iterator[tuple[int, bytes | None]]:
    """Yield each line with its number, including its line ending but no byte order mark.

    `None` stands for a line longer than 16 MiB. A gzipped file is recognised by its first bytes, not by its name.
    Raises `CorpusError` if the file cannot be read to the end.
    """
    number = 0
    try:
        with open_unpacked(path) as file:
            for number, line in enumerate(_lines(file), start=1):
                yield number, line.removeprefix(_BOM) if line and number == 1 else line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(
            f"{path}: its gzip data ends early or is damaged after line {number} ({error}): fetch or compress it again"
        ) from error
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read ({error.strerror or error}): check the file and its permissions"
        ) from error


def numbered_lines_in(data: bytes) -> Iterator[tuple[int, bytes | None]]:
    """Yield the lines of `data` as `numbered_lines` yields those of a file, but without decompressing them."""
    for number, line in enumerate(_lines(io.BytesIO(data)), start=1):
        yield number, line.removeprefix(_BOM) if line and number == 1 else line


def open_unpacked(path: Path) -> IO[bytes]:
    """Open a file, decompressing it if its first bytes (not its name) show that it is gzipped."""
    with path.open("rb") as file:
        is_gzipped = file.read(len(GZIP_MAGIC)) == GZIP_MAGIC
    return io.BufferedReader(_Unpacked(path, read_settings().unpacked_gb)) if is_gzipped else path.open("rb")


class _Unpacked(gzip.GzipFile):
    """The content of a gzipped file. A few megabytes may stand for gigabytes of it, so that its size has a limit."""

    def __init__(self, path: Path, max_gb: float) -> None:
        super().__init__(path)
        self._max_gb = max_gb

    def read(self, size: int | None = -1) -> bytes:
        content = super().read(size)
        if self.tell() > self._max_gb * 1e9:
            raise CorpusError(
                f"{self.name} unpacks to more than {self._max_gb:g} GB: split it into several files, or raise the "
                "limit with PATHFINDER_UNPACKED_GB"
            )
        return content


def read_unpacked(path: Path, n_bytes: int) -> bytes:
    """Read at most `n_bytes` of the decompressed content of a file, without a byte order mark. Raises `CorpusError` if
    it is damaged.
    """
    with unpack(path) as file:
        return file.read(n_bytes).removeprefix(_BOM)


@contextmanager
def unpack(path: Path) -> Iterator[IO[bytes]]:
    """Open a file as `open_unpacked` does. Raises `CorpusError` if it cannot be read, on opening or later."""
    try:
        with open_unpacked(path) as file:
            yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise CorpusError(f"{path}: its gzip data is damaged ({error}): fetch or compress it again") from error
    except OSError as error:
        raise CorpusError(
            f"{path} cannot be read ({error.strerror or error}): check the file and its permissions"
        ) from error


def _lines(file: IO[bytes]) -> Iterator[bytes | None]:
    while line := file.readline(MAX_LINE_BYTES):
        if line.endswith(b"\n") or len(line) < MAX_LINE_BYTES:
            yield line
        else:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE_BYTES)
            yield None
