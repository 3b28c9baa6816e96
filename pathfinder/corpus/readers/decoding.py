"""Reads the text of a file whose encoding is not stated: UTF-8, UTF-16 or, line by line, Western European."""

import codecs
from pathlib import Path

from pathfinder.corpus.readers.lines import read_unpacked
from pathfinder.errors import CorpusError

MAX_BYTES = 1024 * 1024 * 1024
"""Limit on the size of a file that must be read as a whole."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
"""Byte order marks, the longer ones first, because one of them is the beginning of another."""


def read_text(path: Path) -> str:
    r"""Return the text of a file, gzipped or not, with "\n" at the ends of its lines.

    A byte order mark decides the encoding; without one, the text is UTF-8, except for lines that are not valid UTF-8,
    which are read as Windows-1252. Raises `CorpusError` if the file is damaged or larger than 1 GiB.
    """
    content = read_unpacked(path, MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise CorpusError(f"{path} is larger than {MAX_BYTES >> 20} MiB: split it into several files")
    return decode(content).replace("\r\n", "\n").replace("\r", "\n")


def decode(content: bytes) -> str:
    """Return the text of a file's content; see `read_text`."""
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            # If a file was cut off in the middle of a character, everything before it is kept.
            return content.decode(encoding, errors="replace").removeprefix("\ufeff")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return "".join(map(_decoded_line, content.splitlines(keepends=True)))


def _decoded_line(line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        # Windows-1252 leaves five byte values undefined; Latin-1 has a character for each.
        return line.decode("cp1252", errors="ignore") if _fits_cp1252(line) else line.decode("latin-1")


def _fits_cp1252(line: bytes) -> bool:
    return not line.translate(None, bytes(set(range(256)) - {0x81, 0x8D, 0x8F, 0x90, 0x9D}))
