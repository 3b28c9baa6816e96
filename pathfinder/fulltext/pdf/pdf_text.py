"""Text of a PDF: title, sections of paragraphs, captions, references and footnotes, each with its position."""

from dataclasses import dataclass

from pathfinder.fulltext.pdf.layout.box import Box


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text with the page on which it begins, counted from 1, and the rectangle that its part on that page occupies
    [points]."""

    text: str
    page: int
    box: Box


@dataclass(frozen=True, slots=True)
class PdfSection:
    """A section: its heading without the number, its level counted from 1, and its paragraphs in reading order."""

    title: str
    level: int
    paragraphs: tuple[PlacedText, ...]
    is_appendix: bool = False


@dataclass(frozen=True, slots=True)
class PdfCaption:
    """The caption of a figure or table: its label, such as "Table 2", and its text."""

    label: str
    is_table: bool
    caption: PlacedText


@dataclass(frozen=True, slots=True)
class PdfText:
    """Everything that was read from a PDF; warnings list the parts that could not be read."""

    title: str
    sections: tuple[PdfSection, ...]
    captions: tuple[PdfCaption, ...]
    references: tuple[PlacedText, ...]
    footnotes: tuple[PlacedText, ...]
    pages: int
    warnings: tuple[str, ...]
    picture_pages: frozenset[int] = frozenset()
    """Numbers of the pages that were recognised from their images."""
    turned_pages: frozenset[int] = frozenset()
    """Numbers of the pages whose text runs sideways as they are shown, so that places on them mean nothing there."""
    front_lines: tuple[str, ...] = ()
    """Lines of the first page other than running text: heads, title, authors, addresses."""
