"""Reading of a PDF: glyphs -> lines -> columns -> blocks with roles -> sections; one page in memory at a time."""

from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path

from pathfinder.fulltext.pdf.assembly import Assembly
from pathfinder.fulltext.pdf.footnotes import footnotes_of, marks_by_page
from pathfinder.fulltext.pdf.front import front_lines, front_of
from pathfinder.fulltext.pdf.layout.blocks import blocks_of
from pathfinder.fulltext.pdf.layout.columns import columns_of
from pathfinder.fulltext.pdf.layout.furniture import without_furniture
from pathfinder.fulltext.pdf.layout.glyphs import about_itself, open_pdf, page_size, read_glyphs
from pathfinder.fulltext.pdf.layout.legibility import Legibility, legibility
from pathfinder.fulltext.pdf.layout.lines import lines_of
from pathfinder.fulltext.pdf.layout.page_model import PdfPage
from pathfinder.fulltext.pdf.pdf_text import PdfText
from pathfinder.fulltext.pdf.pictures.page_reader import NOTHING_RECOGNISED, REMEDY, PageReader
from pathfinder.fulltext.pdf.pictures.recognition import recognise_pages
from pathfinder.fulltext.pdf.roles import body_style, roles_of
from pathfinder.fulltext.pdf.words import vocabulary

_STATES = {
    Legibility.EMPTY: "has no text",
    Legibility.GARBLED: "has unreadable text, in a font that does not map to letters",
}


_LEFT_OUT = "was left out"


def read_text(path: Path, lexicon: Collection[str] = (), read_picture: PageReader | None = None) -> PdfText:
    """Read the text of a PDF file; `lexicon` holds words of everyday English, which help to join divided words.

    `read_picture` recognises pages without text from their images; without it, these pages are listed in the warnings.

    Raises `CorpusError` with the reason if the file is not a PDF that can be read.
    """
    with closing(open_pdf(path)) as document:
        about = about_itself(document)
        pages = []
        for index in range(len(document)):
            width, height = page_size(document, index)
            pages.append(PdfPage(index + 1, width, height, lines_of(read_glyphs(document, index), index + 1)))
        illegible_pages = [page for page in pages if _state(page) is not Legibility.LEGIBLE]
        pages_by_number = recognise_pages(document, illegible_pages, read_picture) if read_picture else {}
    remedy = f"{_LEFT_OUT}: {NOTHING_RECOGNISED if read_picture else REMEDY}"
    text = text_of([pages_by_number.get(page.number, page) for page in pages], lexicon, about, remedy)
    return replace(text, picture_pages=frozenset(pages_by_number))


def text_of(
    pages: Sequence[PdfPage], lexicon: Collection[str] = (), about: tuple[str, ...] = (), remedy: str = _LEFT_OUT
) -> PdfText:
    """Return the text of pages; those without text, or with unreadable text, are listed in the warnings.

    `about` holds what the file says about the paper, as returned by `about_itself`.
    """
    states = {page.number: _state(page) for page in pages}
    warnings = tuple(
        f"page {page.number} {_STATES[state]}, and {remedy}"
        for page in pages
        if (state := states[page.number]) in _STATES
    )
    legible = without_furniture([page for page in pages if states[page.number] is Legibility.LEGIBLE])
    blocks = tuple(chain.from_iterable(blocks_of(columns_of(page)) for page in legible))
    body = body_style(blocks)
    roles = roles_of(blocks, {page.number: page for page in legible}, body)
    front = front_of(blocks, roles, body)
    footnotes = footnotes_of(blocks, roles)
    word_counts = vocabulary(line for page in legible for line in page.lines)
    assembly = Assembly(word_counts, lexicon, body, footnotes, marks_by_page(footnotes))
    text = assembly.text(blocks, roles, front, pages=len(pages), warnings=warnings)
    return replace(text, front_lines=(*about, *front_lines(pages, legible, front, zip(blocks, roles, strict=True))))


def _state(page: PdfPage) -> Legibility:
    return legibility("\n".join(line.text for line in page.lines))
