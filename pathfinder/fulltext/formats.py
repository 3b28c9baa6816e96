"""The formats from which full texts are read, chosen by what a file contains, not by its name; and the citations
that a text contains as plain words or numbers, without markup.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from pathfinder.errors import CorpusError
from pathfinder.fulltext.citing import AuthorCitations, CitedAt, numbered_citations, raised_citations
from pathfinder.fulltext.document import Document, InTextCitation, Paragraph, TextFormat
from pathfinder.fulltext.pdf.page_reader import PageReader

_Citations = tuple[CitedAt, ...]

LEAST_CITED = 0.5
"""Minimum share of the references that superscript numbers must cite, so that exponents are not taken for citations."""


def resolve_citations(document: Document) -> Document:
    """Return a document with the citations in its text resolved to its reference list.

    Citations marked up in the file take precedence. A document is taken to cite in only one way: by author and year, by
    numbers in brackets or by superscript numbers. In a document that cites in a different way, numbers in brackets are
    taken for intervals or steps, and superscript numbers for exponents.
    """
    paragraphs = [paragraph for section in document.sections for paragraph in section.paragraphs]
    authors = AuthorCitations((reference.key, reference.text) for reference in document.references)
    keys = frozenset(reference.key for reference in document.references)
    by_author = [tuple(authors.citations(paragraph.text)) for paragraph in paragraphs]
    by_number = [numbered_citations(paragraph.text, keys) for paragraph in paragraphs]
    by_superscript = [raised_citations(paragraph.text, keys) for paragraph in paragraphs]
    if (
        _count(by_superscript) > max(_count(by_author), _count(by_number))
        and _share_cited(by_superscript, keys) >= LEAST_CITED
    ):
        by_number = by_superscript
    if _count(by_author) > _count(by_number):
        by_number = [()] * len(paragraphs)
    resolved_paragraphs = (_with(*each) for each in zip(paragraphs, by_author, by_number, strict=True))
    return replace(
        document,
        sections=tuple(
            replace(section, paragraphs=tuple(next(resolved_paragraphs) for _ in section.paragraphs))
            for section in document.sections
        ),
    )


def _share_cited(by_paragraph: Sequence[_Citations], keys: Collection[str]) -> float:
    return len({key for citations in by_paragraph for citation in citations for key in citation.keys}) / len(keys)


def _count(by_paragraph: Sequence[_Citations]) -> int:
    return sum(bool(citation.keys) for citations in by_paragraph for citation in citations)


def _with(paragraph: Paragraph, by_author: _Citations, by_number: _Citations) -> Paragraph:
    """Return a paragraph with all its citations in order; if two overlap, the more certain one is kept."""
    of_the_file = [(citation, 0 if citation.references else 2) for citation in paragraph.citations]
    from_text = [(InTextCitation(*citation), 1 if citation.keys else 3) for citation in (*by_author, *by_number)]
    placed_citations: list[tuple[InTextCitation, int]] = []
    for citation, doubt in sorted((*of_the_file, *from_text), key=lambda each: (each[0].start, each[1])):
        if not placed_citations or citation.start >= placed_citations[-1][0].end:
            placed_citations.append((citation, doubt))
        elif doubt < placed_citations[-1][1]:
            placed_citations[-1] = (citation, doubt)
    return replace(paragraph, citations=tuple(citation for citation, _ in placed_citations))


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


def full_text_reader(path: Path, read_picture: PageReader | None = None) -> FormatReader:
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
        f"{path.name} is neither {', '.join(entry.format for entry in entries()[:-1])} nor {entries()[-1].format}: "
        "save it as PDF"
    )


def read_document(path: Path, read_picture: PageReader | None = None) -> Document:
    """Read the full text of a file in this process, with its citations resolved to its reference list.

    `read_picture` recognises pages of a PDF that have no text; without `read_picture`, these pages are listed in the
    warnings. Raises `CorpusError` with the reason if the file cannot be read.
    """
    return resolve_citations(full_text_reader(path, read_picture).read(path))


def entries(read_picture: PageReader | None = None) -> tuple[FormatReader, ...]:
    """Return all entries in the order in which they are tried; plain text comes last, and accepts any file that
    contains letters.
    """
    # Imported here: each reader brings its own library, and the command line must start quickly.
    from pathfinder.fulltext.docx_file import read_docx
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
        FormatReader(TextFormat.DOCX, lambda head, name: head.startswith(b"PK") and name.endswith(".docx"), read_docx),
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
