"""Reads the full text of a paper from a PDF."""

import re
from collections.abc import Iterator
from pathlib import Path

from pathfinder.fulltext.document import Document, Figure, Paragraph, Reference, Section, TextFormat
from pathfinder.fulltext.paper_identifiers import paper_identifiers
from pathfinder.fulltext.pdf.assembly import FORMULA
from pathfinder.fulltext.pdf.layout.box import Box
from pathfinder.fulltext.pdf.pdf_text import PdfSection, PdfText, PlacedText
from pathfinder.fulltext.pdf.pictures.page_reader import PageReader
from pathfinder.fulltext.pdf.reading import read_text
from pathfinder.fulltext.provenance import provenance_of
from pathfinder.fulltext.section_kinds import kind_of
from pathfinder.text.identifiers import IdentifierKind, arxiv_id_in, identifiers_in
from pathfinder.text.language.lexicon import read_lexicon
from pathfinder.types.full_texts import SectionKind

FOOTNOTES = "Footnotes"
"""Heading of the section that holds the footnotes from all pages."""

_MARK = re.compile(r"\[(\w{1,8})\]\s*|\(?(\d{1,4})(?:\.|\))\s+")


def read_pdf(path: Path, read_picture: PageReader | None = None) -> Document:
    """Read the full text of a PDF file, recognising headings by their fonts and numbers; `read_picture` recognises
    pages without text.

    Raises `CorpusError` with the reason if the file is not a PDF that can be read.
    """
    text = read_text(path, read_lexicon(), read_picture)
    references = tuple(_references(text))
    return Document(
        text.title,
        tuple(_sections(text)),
        tuple(
            Figure(
                caption.label, caption.caption.text, caption.is_table, caption.caption.page, _box(caption.caption, text)
            )
            for caption in text.captions
        ),
        references,
        provenance_of(
            path,
            _format(text),
            (*_picture_warnings(text), *text.warnings, *_list_warnings(text), *_formula_warnings(text)),
        ),
        paper_identifiers(text.front_lines),
        "\n".join(text.front_lines),
    )


def _sections(text: PdfText) -> Iterator[Section]:
    around: list[tuple[int, SectionKind]] = []
    for section in text.sections:
        around = [(level, kind) for level, kind in around if level < section.level]
        kind = _kind(section, around[-1][1] if around else None)
        around.append((section.level, kind))
        yield Section(
            section.title,
            section.level,
            kind,
            tuple(_paragraph(each, text) for each in section.paragraphs),
        )
    if text.footnotes:
        notes = tuple(_paragraph(each, text) for each in text.footnotes)
        yield Section(FOOTNOTES, 1, SectionKind.OTHER, notes)


def _kind(section: PdfSection, parent: SectionKind | None) -> SectionKind:
    return SectionKind.APPENDIX if section.is_appendix else kind_of(section.title, parent)


def _paragraph(placed: PlacedText, text: PdfText) -> Paragraph:
    return Paragraph(placed.text, placed.page, _box(placed, text), is_recognised=placed.page in text.picture_pages)


def _box(placed: PlacedText, text: PdfText) -> Box | None:
    """Return the place of a text on its page as it is shown; `None` if the page had to be turned to read it."""
    return None if placed.page in text.turned_pages else Box(*(round(edge, 1) for edge in placed.box))


def _references(text: PdfText) -> Iterator[Reference]:
    """Yield the references, without the marks in front of them, which serve as their keys."""
    keys: set[str] = set()
    for number, reference in enumerate(text.references, 1):
        mark = _MARK.match(reference.text)
        key = next(filter(None, mark.groups()), str(number)) if mark else str(number)
        while key in keys:
            key += "'"
        keys.add(key)
        words = reference.text[mark.end() :] if mark else reference.text
        dois = (each.text for each in identifiers_in(words) if each.kind is IdentifierKind.DOI)
        yield Reference(key, words, next(dois, None), arxiv_id_in(words, is_marked=True))


def _format(text: PdfText) -> TextFormat:
    """Return `TextFormat.OCR` if most pages were recognised from their images, and `TextFormat.PDF` otherwise."""
    return TextFormat.OCR if 2 * len(text.picture_pages) > text.pages else TextFormat.PDF


def _picture_warnings(text: PdfText) -> list[str]:
    numbers = ", ".join(map(str, sorted(text.picture_pages)))
    return [f"pages recognised from their images, which may leave a few errors: {numbers}"] if numbers else []


def _list_warnings(text: PdfText) -> list[str]:
    return [] if text.references else ["no reference list was found, so the works that the paper cites are not known"]


def _formula_warnings(text: PdfText) -> list[str]:
    has_formula = any(FORMULA in paragraph.text for section in text.sections for paragraph in section.paragraphs)
    return [f"displayed formulas are marked {FORMULA}"] if has_formula else []
