"""Reads the text of a file whose encoding is not stated: UTF-8, UTF-16, UTF-32 or, line by line, Western European."""

import codecs
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pathfinder.corpus.readers.lines import MAX_LINE_BYTES, unpack
from pathfinder.errors import CorpusError

MAX_BYTES = 1024 * 1024 * 1024
"""Limit on the size of a file that must be read as a whole."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks, the longer ones first, because one of them is the beginning of another."""
_EXAMINED = 64
"""Number of bytes at the start of a file that show whether it is UTF-16 without a byte order mark."""
_UNDECODED = re.compile("[\udc80-\udcff]")
_UNDEFINED = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")


def read_text(path: Path) -> str:
    r"""Return the text of a file, gzipped or not, with "\n" at the ends of its lines.

    A byte order mark decides the encoding, or zeros in place of every other byte; otherwise the text is UTF-8, except
    for lines that are not valid UTF-8, which are read as Windows-1252. Raises `CorpusError` if the file is damaged or
    larger than 1 GiB.
    """
    with _open_text(path) as file:
        text = file.read(MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise CorpusError(f"{path} is larger than {MAX_BYTES >> 20} MiB: split it into several files")
    return _repaired(text)


def text_lines(path: Path) -> Iterator[tuple[int, str | None]]:
    r"""Yield the lines of the text that `read_text` returns, each with its number and its "\n"; `None` stands for a
    line of more than 16 Mi characters.
    """
    with _open_text(path) as file:
        number = 0
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            is_whole = line.endswith("\n") or len(line) < MAX_LINE_BYTES
            yield number, _repaired(line) if is_whole else None
            while not is_whole and (rest := file.readline(MAX_LINE_BYTES)):
                is_whole = rest.endswith("\n")


def decode(content: bytes) -> str:
    """Return the text of the beginning of a file; see `read_text`."""
    encoding, errors = _encoding(content)
    text = content.decode(encoding, errors=errors).replace("\r\n", "\n").replace("\r", "\n")
    return _repaired(text).removeprefix("\ufeff")


@contextmanager
def _open_text(path: Path) -> Iterator[io.TextIOWrapper]:
    with unpack(path) as file:
        encoding, errors = _encoding(file.peek(_EXAMINED))
        yield io.TextIOWrapper(file, encoding, errors)


def _encoding(content: bytes) -> tuple[str, str]:
    """Return the encoding of a file, and what happens to bytes that do not fit it."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            # If a file was cut off in the middle of a character, everything before it is kept.
            return encoding, "surrogateescape" if mark is codecs.BOM_UTF8 else "replace"
    even, odd = (content[start:_EXAMINED:2] for start in (0, 1))
    for zeros, letters, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if len(zeros) > 1 and 2 * zeros.count(0) > len(zeros) and 0 not in letters:
            return encoding, "replace"
    return "utf-8", "surrogateescape"


def _repaired(text: str) -> str:
    """Return a text in which the lines that were not valid UTF-8 are read as Windows-1252."""
    if text.isascii() or _UNDECODED.search(text) is None:
        return text
    return "".join(map(_repaired_line, text.splitlines(keepends=True)))


def _repaired_line(line: str) -> str:
    if _UNDECODED.search(line) is None:
        return line
    content = line.encode("utf-8", errors="surrogateescape")
    # Windows-1252 leaves five byte values undefined; Latin-1 has a character for each.
    return content.decode("latin-1" if _UNDEFINED.search(content) else "cp1252")
