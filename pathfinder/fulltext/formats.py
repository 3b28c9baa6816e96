"""The formats from which full texts are read, chosen by what a file contains, not by its name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pathfinder.errors import CorpusError
from pathfinder.fulltext.citations import resolve_citations
from pathfinder.fulltext.document import Document, TextFormat
from pathfinder.fulltext.pdf.page_reader import PageReader

HEAD_BYTES = 4096
"""Number of bytes at the beginning of a file that are examined to recognise its format."""
_NOT_PLAIN = (b"<", b"%PDF", b"\\")
_LATEX_MARKS = (rb"\documentclass", rb"\documentstyle", rb"\begin{document}")
MAX_FILE_BYTES = 256 << 20
"""Maximum size of a file that is read."""


@dataclass(frozen=True, slots=True)
class FormatReader:
    """A format: how its files are recognised, and the function that reads them."""

    format: TextFormat
    fits: Callable[[bytes, str], bool]
    """Function that returns whether a file with these first bytes and this name, in lower case, has the format."""
    read: Callable[[Path], Document]


def reader_of(path: Path, read_picture: PageReader | None = None) -> FormatReader:
    """Return the entry for the format of the file at `path`; `read_picture` recognises pages without text.

    Raises `CorpusError` for a file in none of the formats.
    """
    size = path.stat().st_size
    if size > MAX_FILE_BYTES:
        raise CorpusError(f"{path.name} has {size} bytes, more than the {MAX_FILE_BYTES} that are read")
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head.strip():
        raise CorpusError(f"{path.name} is empty")
    for entry in entries(read_picture):
        if entry.fits(head, path.name.lower()):
            return entry
    raise CorpusError(
        f"{path.name} is neither {', '.join(entry.format for entry in entries()[:-1])} nor {entries()[-1].format}"
    )


def read_document(path: Path, read_picture: PageReader | None = None) -> Document:
    """Read the full text of a file in this process, with its citations resolved to its reference list.

    `read_picture` recognises pages of a PDF that have no text; without `read_picture`, these pages are listed in the
    warnings. Raises `CorpusError` with the reason if the file cannot be read.
    """
    return resolve_citations(reader_of(path, read_picture).read(path))


def entries(read_picture: PageReader | None = None) -> tuple[FormatReader, ...]:
    """Return all entries in the order in which they are tried; plain text comes last, and accepts any file that
    contains letters.
    """
    # Imported here: each reader brings its own library, and the command line must start quickly.
    from pathfinder.fulltext.jats import read_jats
    from pathfinder.fulltext.latex_file import read_latex
    from pathfinder.fulltext.markdown_file import read_markdown
    from pathfinder.fulltext.pdf_file import read_pdf
    from pathfinder.fulltext.plain import read_plain
    from pathfinder.fulltext.tei import read_tei

    return (
        FormatReader(TextFormat.JATS, _is_jats, read_jats),
        FormatReader(
            TextFormat.TEI,
            lambda head, _: head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<") and b"<TEI" in head,
            read_tei,
        ),
        FormatReader(TextFormat.LATEX, _is_latex, read_latex),
        FormatReader(
            TextFormat.PDF, lambda head, _: b"%PDF-" in head[:1024], partial(read_pdf, read_picture=read_picture)
        ),
        FormatReader(
            TextFormat.MARKDOWN,
            lambda head, name: name.endswith((".md", ".markdown")) and _is_text(head),
            read_markdown,
        ),
        FormatReader(
            TextFormat.TEXT, lambda head, _: _is_text(head) and not head.lstrip().startswith(_NOT_PLAIN), read_plain
        ),
    )


def _is_jats(head: bytes, _: str) -> bool:
    return head.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<") and b"<article" in head


def _is_latex(head: bytes, name: str) -> bool:
    """Return whether this is an archive, or text that looks like the beginning of a LaTeX document."""
    from pathfinder.fulltext.latex.source import is_archive

    return is_archive(head) or name.endswith((".tex", ".ltx")) or any(mark in head for mark in _LATEX_MARKS)


def _is_text(head: bytes) -> bool:
    """Return whether the bytes are UTF-8 text without control characters; the last character may be cut off."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(head) - 3:
            return False
        text = head[: error.start].decode("utf-8")
    return not any(ord(sign) < 32 and sign not in "\t\n\r\f" for sign in text)
