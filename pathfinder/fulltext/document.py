"""A paper's full text as plain values, whatever kind of file it was read from."""

from dataclasses import asdict, dataclass
from enum import StrEnum

from pathfinder.export.plain_json import JsonObject
from pathfinder.fulltext.pdf.layout.box import Box
from pathfinder.types.full_texts import SectionKind


class TextFormat(StrEnum):
    """Formats from which a text is read, the most trustworthy first."""

    JATS = "JATS"
    TEI = "TEI"
    LATEX = "LaTeX"
    PDF = "PDF"
    OCR = "OCR"
    MARKDOWN = "Markdown"
    TEXT = "plain text"


@dataclass(frozen=True, slots=True)
class InTextCitation:
    """A citation in a paragraph."""

    start: int
    end: int
    """`text[start:end]` of the paragraph is the citation as written."""
    references: tuple[str, ...]
    """Keys of the references that it cites; none if it could not be resolved."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph in reading order."""

    text: str
    page: int | None = None
    """Page on which it begins, counted from 1; `None` if the file has no pages."""
    box: Box | None = None
    """Its position on that page; `None` if it is not known."""
    citations: tuple[InTextCitation, ...] = ()
    is_recognised: bool = False
    """True if it was recognised from the image of its page, and may therefore contain a few errors."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the paragraphs below it, up to the next heading of any level."""

    title: str
    """Empty for text before the first heading."""
    level: int
    """1 for a section, 2 for a subsection, and so on."""
    kind: SectionKind
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure or a table, as described by its caption."""

    label: str
    """Its label, such as "Figure 3"; empty if it has none."""
    caption: str
    is_table: bool = False
    page: int | None = None
    box: Box | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry in the reference list."""

    key: str
    """Name by which citations refer to it, unique in the document."""
    text: str
    """The entry as written."""
    doi: str | None = None
    arxiv_id: str | None = None


@dataclass(frozen=True, slots=True)
class TextProvenance:
    """Origin of a text."""

    road: TextFormat
    """Format of the file; `road` is the key under which it is stored."""
    file: str
    """Name of the file, without its folder."""
    sha256: str
    """SHA-256 of the file's content, in hexadecimal digits."""
    warnings: tuple[str, ...] = ()
    """Notes on parts of the text that are missing or doubtful, and why."""


@dataclass(frozen=True, slots=True)
class Document:
    """The full text of a paper."""

    title: str
    """Empty if the file has none."""
    sections: tuple[Section, ...]
    figures: tuple[Figure, ...]
    references: tuple[Reference, ...]
    provenance: TextProvenance
    identifiers: tuple[str, ...] = ()
    """Identifiers that the file states for the paper itself, such as "doi:10.1086/300499"."""
    front: str = ""
    """Lines on the first page other than running text, such as authors and addresses, which help to identify the paper;
    empty if the file has no pages.
    """


def document_record(document: Document) -> JsonObject:
    """Return {"title", "sections", "figures", "references", "provenance", "identifiers"}; a box is a list of left, top,
    right and bottom [points], or `null` if it is not known.
    """
    record = asdict(document)
    del record["front"]  # It serves to identify the paper, and is not stored.
    return record
