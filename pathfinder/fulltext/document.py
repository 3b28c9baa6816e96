"""A paper's full text as plain values, whatever kind of file it was read from."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from pathfinder.text.identifiers import (
    ARXIV_STAMP,
    Identifier,
    IdentifierKind,
    bare_arxiv_id,
    identifiers_in,
    without_version,
)
from pathfinder.types.full_texts import SectionKind


class Box(NamedTuple):
    """A rectangle on a page [points from its top left corner]."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """Height of the rectangle [points]."""
        return self.bottom - self.top

    @property
    def width(self) -> float:
        """Width of the rectangle [points]."""
        return self.right - self.left

    def union(self, other: "Box") -> "Box":
        """Return the smallest rectangle around this and `other`."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class TextFormat(StrEnum):
    """Formats from which a text is read, the most trustworthy first."""

    JATS = "JATS"
    TEI = "TEI"
    LATEX = "LaTeX"
    PDF = "PDF"
    DOCX = "DOCX"
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
    """Captions of figures and tables; the rows of a table follow its caption as an entry of their own."""
    references: tuple[Reference, ...]
    provenance: TextProvenance
    identifiers: tuple[str, ...] = ()
    """Identifiers that the file states for the paper itself, such as "doi:10.1086/300499"."""
    front: str = ""
    """Lines on the first page other than running text, such as authors and addresses, which help to identify the paper;
    empty if the file has no pages.
    """


# Makes the provenance of a text.


def provenance_of(path: Path, text_format: TextFormat, warnings: Sequence[str] = ()) -> TextProvenance:
    """Return the provenance of a text that was read from the file at `path` in the format `text_format`."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return TextProvenance(text_format, path.name, digest, tuple(dict.fromkeys(warnings)))


# Recognises the purpose of a section from the words of its heading.

_NUMBER = re.compile(r"^\s*(?:(?:\d+|[IVXLC]+|[A-Z])(?:\.\d+)*[.):]?\s+)?", re.ASCII)
_WORDS = (
    (SectionKind.ABSTRACT, r"abstract|summary of the paper"),
    (SectionKind.ACKNOWLEDGEMENTS, r"acknowledge?ments?|funding|author contributions|software|facilities"),
    (SectionKind.APPENDIX, r"appendix|appendices|supplementary|supporting information"),
    (SectionKind.INTRODUCTION, r"introduction|background|motivation|overview"),
    (SectionKind.CONCLUSION, r"conclusions?|concluding|summary|outlook|future work"),
    (SectionKind.DISCUSSION, r"discussion|implications?|interpretation|caveats?|limitations?|comparison with"),
    (SectionKind.RESULT, r"results?|findings?"),
    (SectionKind.DATA, r"data|observations?|samples?|survey|catalogue?s?|targets?|reduction|materials?"),
    (
        SectionKind.METHOD,
        r"methods?|methodology|models?|modell?ing|simulations?|analysis|theory|formalism|techniques?|numerical|algorithms?",
    ),
)
_KINDS = tuple((kind, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for kind, words in _WORDS)


def kind_of(heading: str, parent: SectionKind | None = None) -> SectionKind:
    """Return the kind of the section under `heading`: the kind that the first known word in the heading indicates, or
    else that of the enclosing section. Everything in an appendix belongs to the appendix.
    """
    if parent is SectionKind.APPENDIX:
        return parent
    words = _NUMBER.sub("", heading, count=1)
    cues = [
        (match.start(), order, kind) for order, (kind, pattern) in enumerate(_KINDS) if (match := pattern.search(words))
    ]
    return min(cues)[2] if cues else parent or SectionKind.OTHER


# Identifiers of a paper itself, from the first page of its file, never those of its references or data.

FRONT_CHARACTERS = 20_000
"""Number of characters at the beginning of a file without pages that count as its first page."""
MOST_WORDS = 40
"""Maximum number of words in a running head or an address; anything longer is running text."""

_NAMES = {IdentifierKind.DOI: "doi", IdentifierKind.ARXIV: "arxiv", IdentifierKind.BIBCODE: "bibcode"}
_DATA = re.compile(r"10\.(?:5281|26093|17909|5270|6084|5061|7910|17632|4121|5072|5067|25574|17876)/")
"""DOI prefixes of archives of data and software, such as Zenodo, CDS, MAST and Dryad."""


def paper_identifiers(lines: Iterable[str]) -> tuple[str, ...]:
    """Return identifiers such as "doi:10.1086/300499" and "arxiv:2605.19850", at most one of each kind.

    `lines` are the lines of the first page other than running text: heads, title, addresses. If they contain two
    identifiers of one kind, neither counts, unless arXiv's stamp, with version, class and date, shows which one is
    meant.
    """
    names_of_kind: dict[IdentifierKind, dict[str, str]] = {}
    stamp = ""
    for line in lines:
        is_stamped = ARXIV_STAMP.fullmatch(line.strip())
        for each in _in_line(line):
            names_of_kind.setdefault(each.kind, {}).setdefault(each.key, each.text)
            stamp = stamp or (each.text if is_stamped else "")
    if stamp:
        names_of_kind[IdentifierKind.ARXIV] = {stamp: stamp}
    singles = ((kind, [*names_of_kind.get(kind, {}).values()]) for kind in _NAMES)
    return tuple(_with_prefix(kind, values[0]) for kind, values in singles if len(values) == 1)


def checked_identifier(kind: str, value: str) -> str | None:
    """Return "kind:value" for an identifier that a file states in a separate field; `None` for an invalid DOI, arXiv id
    or bibcode.
    """
    plain = bare_arxiv_id(value) if kind == "arxiv" else value
    if kind not in _NAMES.values():
        return f"{kind}:{value}"
    matches = (each for each in identifiers_in(plain or "") if _NAMES[each.kind] == kind)
    first = next(matches, None)
    return _with_prefix(first.kind, first.text) if first else None


def _in_line(line: str) -> Iterator[Identifier]:
    if len(line.split()) <= MOST_WORDS:
        says_arxiv = "arxiv" in line.lower()
        for each in identifiers_in(line):
            is_alone = "/" in each.text and each.text == line.strip()  # as "astro-ph/9901001" in the corner of a page
            if (each.is_marked or says_arxiv or is_alone) and not _DATA.match(each.text):
                yield each


def _with_prefix(kind: IdentifierKind, value: str) -> str:
    return f"{_NAMES[kind]}:{without_version(value) if kind is IdentifierKind.ARXIV else value}"
