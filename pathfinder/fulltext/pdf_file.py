"""Reads the full text of a paper from a PDF."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from pathfinder.fulltext.document import (
    Box,
    Document,
    Figure,
    Paragraph,
    Reference,
    Section,
    TextFormat,
    paper_identifiers,
    provenance_of,
)
from pathfinder.fulltext.pdf.assembly import FORMULA, Assembly, footnotes_of, marks_by_page
from pathfinder.fulltext.pdf.front import front_lines, front_of, is_cover
from pathfinder.fulltext.pdf.layout.blocks import blocks_of, without_furniture
from pathfinder.fulltext.pdf.layout.columns import columns_of, lines_of
from pathfinder.fulltext.pdf.layout.glyphs import Legibility, OpenPdf, about_itself, legibility, open_pdf, read_glyphs
from pathfinder.fulltext.pdf.layout.page_model import PdfPage
from pathfinder.fulltext.pdf.page_reader import NOTHING_RECOGNISED, REMEDY, PageReader
from pathfinder.fulltext.pdf.recognition import recognise_pages
from pathfinder.fulltext.pdf.roles import body_style, roles_of
from pathfinder.fulltext.pdf.words import PdfText, vocabulary
from pathfinder.text.identifiers import ARXIV_STAMP, IdentifierKind, arxiv_id_in, identifiers_in
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.types.full_texts import SectionKind

FOOTNOTES = "Footnotes"
"""Heading of the section that holds the footnotes from all pages."""

_MOST_LISTED, _MANY_PAGES = 1000, 6
"""Number of entries above which a reference list is doubtful, and of pages from which a list of one or two is."""
_MARK = re.compile(r"\[(\w{1,8})\]\s*|\(?(\d{1,4})(?:\.|\))\s+")


def read_pdf(path: Path, read_picture: PageReader | None = None) -> Document:
    """Read the full text of a PDF file, recognising headings by their fonts and numbers; `read_picture` recognises
    pages without text.

    Raises `CorpusError` with the reason if the file is not a PDF that can be read.
    """
    text = read_text(path, read_lexicon(), read_picture)
    sections = [replace(each, paragraphs=_as_shown(each.paragraphs, text)) for each in text.sections]
    if text.footnotes:
        sections.append(Section(FOOTNOTES, 1, SectionKind.OTHER, _as_shown(text.footnotes, text)))
    return Document(
        text.title,
        tuple(sections),
        tuple(replace(figure, box=_box(figure, text)) for figure in text.figures),
        tuple(_references(text)),
        provenance_of(
            path,
            TextFormat.OCR if 2 * len(text.picture_pages) > text.pages else TextFormat.PDF,
            (*_picture_warnings(text), *text.warnings, *_list_warnings(text), *_formula_warnings(text)),
        ),
        paper_identifiers(text.front_lines),
        "\n".join(text.front_lines),
    )


def _as_shown(paragraphs: Sequence[Paragraph], text: PdfText) -> tuple[Paragraph, ...]:
    return tuple(
        replace(each, box=_box(each, text), is_recognised=each.page in text.picture_pages) for each in paragraphs
    )


def _box(placed: Paragraph | Figure, text: PdfText) -> Box | None:
    """Return the place of a text on its page as it is shown; `None` if the page had to be turned to read it."""
    if placed.box is None or placed.page in text.turned_pages:
        return None
    return Box(*(round(edge, 1) for edge in placed.box))


def _references(text: PdfText) -> Iterator[Reference]:
    """Yield the references, without the marks in front of them, which serve as their keys."""
    keys: set[str] = set()
    for number, reference in enumerate(text.references, 1):
        mark = _MARK.match(reference)
        key = next(filter(None, mark.groups()), str(number)) if mark else str(number)
        while key in keys:
            key += "'"
        keys.add(key)
        words = reference[mark.end() :] if mark else reference
        dois = (each.text for each in identifiers_in(words) if each.kind is IdentifierKind.DOI)
        yield Reference(key, words, next(dois, None), arxiv_id_in(words, is_marked=True))


def _picture_warnings(text: PdfText) -> list[str]:
    numbers = ", ".join(map(str, sorted(text.picture_pages)))
    return [f"pages recognised from their images, which may leave a few errors: {numbers}"] if numbers else []


def _list_warnings(text: PdfText) -> list[str]:
    n = len(text.references)
    if not n:
        return ["no reference list was found, so the works that the paper cites are not known"]
    is_doubtful = n > _MOST_LISTED or (n <= 2 and text.pages >= _MANY_PAGES)
    return [f"the reference list was read as {n} entries on {text.pages} pages: check it"] if is_doubtful else []


def _formula_warnings(text: PdfText) -> list[str]:
    has_formula = any(FORMULA in paragraph.text for section in text.sections for paragraph in section.paragraphs)
    return [f"displayed formulas are marked {FORMULA}"] if has_formula else []


# Reading of a PDF: glyphs -> lines -> columns -> blocks with roles -> sections; one page in memory at a time.

_STATES = {
    Legibility.EMPTY: "no text",
    Legibility.GARBLED: "unreadable text, in a font that does not map to letters",
}
_LEFT_OUT = "left out"
MOST_ASIDE = 300
"""Number of characters that run sideways on a page beyond which they are more than labels in a figure."""
MOST_COVER_WORDS = 40
"""Maximum number of words in a line of a cover page that may state an identifier."""


def read_text(path: Path, lexicon: Collection[str] = (), read_picture: PageReader | None = None) -> PdfText:
    """Read the text of a PDF file; `lexicon` holds words of everyday English, which help to join divided words.

    `read_picture` recognises pages without text from their images; without it, these pages are listed in the warnings.

    Raises `CorpusError` with the reason if the file is not a PDF that can be read.
    """
    with closing(open_pdf(path)) as document:
        about = about_itself(document)
        pages = [*_pages(document)]
        # If most lines are bold, the weights that the fonts state mean nothing.
        shares = [line.share(bold=True) > 0.5 for page in pages for line in page.lines]
        if 2 * sum(shares) > len(shares):
            pages = [*_pages(document, trusts_weights=False)]
        illegible_pages = [page for page in pages if _state(page) is not Legibility.LEGIBLE]
        pages_by_number = recognise_pages(document, illegible_pages, read_picture) if read_picture else {}
    remedy = f"{_LEFT_OUT}: {NOTHING_RECOGNISED if read_picture else REMEDY}"
    text = text_of([pages_by_number.get(page.number, page) for page in pages], lexicon, about, remedy)
    turned = frozenset(page.number for page in pages if page.is_turned)
    return replace(text, picture_pages=frozenset(pages_by_number), turned_pages=turned)


def _pages(document: OpenPdf, *, trusts_weights: bool = True) -> Iterator[PdfPage]:
    for index in range(len(document)):
        read = read_glyphs(document, index, trusts_weights=trusts_weights)
        lines = lines_of(read.glyphs, index + 1)
        yield PdfPage(index + 1, read.width, read.height, lines, read.aside, read.is_turned)


def text_of(
    pages: Sequence[PdfPage],
    lexicon: Collection[str] = (),
    about: tuple[str, tuple[str, ...]] = ("", ()),
    remedy: str = _LEFT_OUT,
) -> PdfText:
    """Return the text of pages; those without text, or with unreadable text, are listed in the warnings.

    `about` holds what the file says about the paper, as returned by `about_itself`.
    """
    states = {page.number: _state(page) for page in pages}
    legible = [page for page in pages if states[page.number] is Legibility.LEGIBLE]
    covers = [page for page in legible[:1] if len(legible) > 1 and is_cover(page)]
    warnings = (
        *(f"page {page.number} is the cover page of an archive, and was {_LEFT_OUT}" for page in covers),
        *_unread(states, remedy),
        *_sideways(pages),
    )
    text_pages = without_furniture(legible[len(covers) :])
    blocks = blocks_of(columns_of(text_pages))
    body = body_style(blocks)
    roles = roles_of(blocks, {page.number: page for page in text_pages}, body)
    front = front_of(blocks, roles, body, about[0])
    footnotes = footnotes_of(blocks, roles)
    word_counts = vocabulary(line for page in text_pages for line in page.lines)
    assembly = Assembly(word_counts, lexicon, body, footnotes, marks_by_page(footnotes))
    text = assembly.text(blocks, roles, front, pages=len(pages), warnings=warnings)
    around = [line.text for page in covers for line in page.lines if len(line.text.split()) <= MOST_COVER_WORDS]
    around += (page.aside for page in pages[: 1 + len(covers)] if page.aside)
    first = pages[len(covers) :]
    return replace(
        text, front_lines=(*about[1], *around, *front_lines(first, text_pages, front, zip(blocks, roles, strict=True)))
    )


def _unread(states: Mapping[int, Legibility], remedy: str) -> Iterator[str]:
    """Yield one warning for all pages that cannot be read for the same reason."""
    for state, what in _STATES.items():
        numbers = [str(number) for number, found in states.items() if found is state]
        if len(numbers) == 1:
            yield f"page {numbers[0]} has {what}, and was {remedy}"
        elif numbers:
            yield f"pages {', '.join(numbers)} have {what}, and were {remedy}"


def _sideways(pages: Sequence[PdfPage]) -> Iterator[str]:
    """Yield a warning for each page on which much text, such as a table, runs sideways. Text that several pages repeat
    was put there by an archive.
    """
    counts = Counter(page.aside for page in pages)
    for page in pages:
        if counts[page.aside] == 1 and len(page.aside) > MOST_ASIDE and not ARXIV_STAMP.fullmatch(page.aside):
            yield f"page {page.number} has text that runs sideways, as in a table or figure, and it was {_LEFT_OUT}"


def _state(page: PdfPage) -> Legibility:
    return legibility("\n".join(line.text for line in page.lines))
