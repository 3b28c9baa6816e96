"""Reads the text of a file whose encoding is not stated: UTF-8, UTF-16, UTF-32 or, line by line, an older encoding,
which is guessed from the words in these lines.
"""

import codecs
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
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
_WESTERN = "cp1252"
_OLDER = {
    _WESTERN: "Windows-1252, Western European", "cp1250": "Windows-1250, Central European",
    "iso8859-2": "ISO 8859-2, Central European", "cp1254": "Windows-1254, Turkish", "cp1257": "Windows-1257, Baltic",
    "mac-roman": "Mac Roman, Western European", "cp850": "code page 850, Western European",
    "cp1251": "Windows-1251, Cyrillic", "koi8-r": "KOI8-R, Russian", "koi8-u": "KOI8-U, Ukrainian",
    "mac-cyrillic": "Mac Cyrillic", "cp866": "code page 866, Cyrillic", "cp1253": "Windows-1253, Greek",
    "iso8859-7": "ISO 8859-7, Greek", "cp1255": "Windows-1255, Hebrew", "cp1256": "Windows-1256, Arabic",
    "cp932": "Shift JIS, Japanese", "euc_jis_2004": "EUC-JP, Japanese", "gb18030": "GB 18030, Chinese",
    "big5hkscs": "Big5, Chinese", "cp949": "EUC-KR, Korean", "cp874": "Windows-874, Thai",
}  # fmt: skip
"""Encodings that are no Unicode, by their names in Python."""
_MOST_EXAMINED = 100_000
"""Number of bytes of words that show an older encoding."""
_LONGEST_WORD = 5_000
_ODD_IN_WESTERN = re.compile(
    r"[A-Za-zÀ-ÿ](?:[^\w\s\x00-\x7f’‘´·…–—“”®™°\xad]|[²³¹¼½¾ªºƒˆ])[A-Za-zÀ-ÿ]"
    r"|[a-zß-öø-ÿ][À-ÖØ-ÞŠŽŸŒ]|[A-Za-zà-ÿ][À-ÖØ-ÞŠŽŸŒ][a-z]|\b[^\x00-\x7f]{3,}\b|\ufffd"
)
"""What Western languages do not write: a sign or a capital amid small letters, a word without an ASCII letter."""
_SURER = 1.75
"""Number of times by which another encoding must be likelier than Windows-1252, which most files have. Of names of 17
Western languages, 12 at a time, the likeliest other one was at most 1.6 times as likely; of those of ten languages of
other encodings, mostly 1.8 times or more.
"""
_FEWEST_WORDS = 20
"""Number of words that tell an encoding apart from Windows-1252 in which nothing is odd."""
_WORD = re.compile(r"[^\W\d_]+")
_OTHER_SCRIPTS = "\u0370"
"""The first letter after those of Latin alphabets."""


def read_text(path: Path) -> str:
    r"""Return the text of a file, gzipped or not, with "\n" at the ends of its lines.

    A byte order mark decides the encoding, or zeros in place of every other byte; otherwise the text is UTF-8, except
    for lines that are not valid UTF-8, which are read in an older encoding. In a damaged line, of which more can be
    read than not, U+FFFD stands for the rest. Raises `CorpusError` if the file is damaged or larger than 1 GiB.
    """
    with _open_text(path) as file:
        text = file.read(MAX_BYTES + 1)
    if len(text) > MAX_BYTES:
        raise CorpusError(f"{path} is larger than {MAX_BYTES >> 20} MiB: split it into several files")
    return _repaired(text, path)


def text_lines(path: Path) -> Iterator[tuple[int, str | None]]:
    r"""Yield the lines of the text that `read_text` returns, each with its number and its "\n"; `None` stands for a
    line of more than 16 Mi characters.
    """
    with _open_text(path) as file:
        number = 0
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            is_whole = line.endswith("\n") or len(line) < MAX_LINE_BYTES
            yield number, _repaired(line, path) if is_whole else None
            while not is_whole and (rest := file.readline(MAX_LINE_BYTES)):
                is_whole = rest.endswith("\n")


def decode(content: bytes) -> str:
    """Return the text of the beginning of a file; see `read_text`."""
    encoding, errors = _encoding(content)
    text = content.decode(encoding, errors=errors).replace("\r\n", "\n").replace("\r", "\n")
    return _repaired(text, None).removeprefix("\ufeff")


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


def _repaired(text: str, path: Path | None) -> str:
    """Return a text in which the lines that were not valid UTF-8 are read in the older encoding of the file at `path`,
    or in Windows-1252.
    """
    if text.isascii() or _UNDECODED.search(text) is None:
        return text
    encoding = (path and older_encoding(path)) or _WESTERN
    return "".join(_repaired_line(line, encoding) for line in text.splitlines(keepends=True))


def _repaired_line(line: str, encoding: str) -> str:
    if _UNDECODED.search(line) is None:
        return line
    content = line.encode("utf-8", errors="surrogateescape")
    if encoding != _WESTERN:
        with suppress(UnicodeDecodeError):
            return content.decode(encoding)
    for name in ("utf-8", encoding):
        if name != _WESTERN and _is_mostly_valid(content.decode(name, errors="surrogateescape")):
            return content.decode(name, errors="replace")
    # Windows-1252 leaves five byte values undefined; Latin-1 has a character for each.
    return content.decode("latin-1" if _UNDEFINED.search(content) else _WESTERN)


def _is_mostly_valid(text: str) -> bool:
    """Return whether a text has more characters outside ASCII than bytes that could not be decoded."""
    n_undecoded = len(_UNDECODED.findall(text))
    return 2 * n_undecoded < sum(not character.isascii() for character in text)


def encoding_notes(path: Path) -> tuple[str, ...]:
    """Say, for the person who builds a corpus from a file, in which encoding its lines that are not UTF-8 are read;
    empty if there are none.
    """
    if (encoding := older_encoding(path)) is None:
        return ()
    if encoding == "utf-8":
        return (f"{path.name} is damaged: U+FFFD stands for bytes that are not UTF-8",)
    guess = f"{path.name} is not in UTF-8: it is read as {_OLDER[encoding]}, which is a guess"
    return (f"{guess}. Look at its names; if they are wrong, save the file as UTF-8 and build again",)


def older_encoding(path: Path) -> str | None:
    """Return the name in Python of the encoding of the lines of a file that are not valid UTF-8; "utf-8" if most of
    these are only damaged, and `None` if all lines are valid.
    """
    state = path.stat()
    return _older_encoding(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=16)
def _older_encoding(path: Path, _modified: int, _size: int) -> str | None:
    words: dict[bytes, None] = {}
    n_bytes = n_damaged = n_older = 0
    with _open_text(path) as file:
        while n_bytes < _MOST_EXAMINED and (line := file.readline(MAX_LINE_BYTES)):
            if line.isascii() or "\0" in line or _UNDECODED.search(line) is None:
                continue  # a line with zeros is no text
            if _is_mostly_valid(line):
                n_damaged += 1
                continue
            n_older += 1
            for word in line.encode("utf-8", errors="surrogateescape").split():
                if not word.isascii() and len(word) < _LONGEST_WORD and word not in words:
                    words[word] = None
                    n_bytes += len(word)
    if n_damaged > n_older:
        return "utf-8"
    return _likeliest(list(words)) if n_older else None


def _likeliest(words: Sequence[bytes]) -> str:
    """Return the encoding of words with bytes outside ASCII. English words around them would speak for an encoding of
    English.
    """
    n_odd = _n_odd(words, _WESTERN)
    is_western = 5 * n_odd <= len(words)
    if is_western and len(words) < _FEWEST_WORDS:
        return _WESTERN
    content = b" ".join(words)
    answers = _detected(words)
    western = max((confidence for encoding, confidence in answers if encoding == _WESTERN), default=0)
    for encoding, confidence in answers:
        if encoding == _WESTERN:
            continue
        if is_western and confidence < _SURER * western:
            break
        letters = "".join(word for word in _WORD.findall(content.decode(encoding, "replace")) if not word.isascii())
        n_other = sum(letter >= _OTHER_SCRIPTS for letter in letters)
        # A word of another script has no Latin letters, unlike "Mьller".
        if n_other and 4 * n_other >= 3 * len(letters):
            return encoding
        # What is odd in "L²Space" is odd in every Latin alphabet.
        if not n_other and (is_western or 2 * _n_odd(words, encoding) <= n_odd):
            return encoding
    return _WESTERN


def _n_odd(words: Sequence[bytes], encoding: str) -> int:
    return sum(_ODD_IN_WESTERN.search(word.decode(encoding, errors="replace")) is not None for word in words)


def _detected(words: Sequence[bytes]) -> list[tuple[str, float]]:
    import chardet

    answers = chardet.detect_all(
        b" ".join(words), ignore_threshold=True, compat_names=False, include_encodings=[*_OLDER]
    )
    return [(each["encoding"], each["confidence"]) for each in answers if each["encoding"]]
