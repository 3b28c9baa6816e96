"""A made paper as plain values, whatever it is written as."""

from dataclasses import dataclass, field
from typing import TypeAlias

from benchmarks.made_papers.words import Vocabulary


@dataclass(frozen=True, slots=True)
class Work:
    """An entry of the reference list."""

    authors: tuple[tuple[str, str], ...]
    """Surname and initial of each; a collaboration has no initial."""
    year: str
    """With a letter where two entries have the same authors and year."""
    journal: str
    volume: int
    page: int
    title: str

    @property
    def names(self) -> str:
        """Authors as a citation names them."""
        surnames = [surname for surname, _ in self.authors]
        return surnames[0] + (" et al." if len(surnames) > 2 else f" & {surnames[1]}" if len(surnames) == 2 else "")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its level from 1."""

    title: str
    level: int
    is_appendix: bool = False


@dataclass(frozen=True, slots=True)
class Citing:
    """A sentence that cites the works at these places of the list."""

    frame: str
    """The sentence, with {0} for the citation and {1} for its mark."""
    mark: str
    works: tuple[int, ...]
    is_textual: bool


@dataclass(frozen=True, slots=True)
class Note:
    """A footnote."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph: sentences, sentences that cite, footnotes."""

    pieces: tuple[str | Citing | Note, ...]


@dataclass(frozen=True, slots=True)
class Formula:
    """A displayed formula, with the words before it."""

    lead: str
    tex: str


@dataclass(frozen=True, slots=True)
class Float:
    """A figure or a table."""

    caption: str
    number: int
    """Its number among those of its kind."""
    is_table: bool
    is_wide: bool


Part: TypeAlias = Heading | Text | Formula | Float


@dataclass(slots=True)
class MadePaper:
    """A paper: its parts in order."""

    title: str
    vocabulary: Vocabulary
    abstract: tuple[str, ...] = ()
    works: tuple[Work, ...] = ()
    parts: list[Part] = field(default_factory=list)

    @property
    def sentences(self) -> list[str]:
        """Its sentences in order, but those that cite."""
        texts = (part.pieces for part in self.parts if isinstance(part, Text))
        return [*self.abstract, *(piece for pieces in texts for piece in pieces if isinstance(piece, str))]

    @property
    def citing(self) -> list[Citing]:
        """Its sentences that cite."""
        texts = (part.pieces for part in self.parts if isinstance(part, Text))
        return [piece for pieces in texts for piece in pieces if isinstance(piece, Citing)]

    @property
    def notes(self) -> list[str]:
        """Its footnotes."""
        texts = (part.pieces for part in self.parts if isinstance(part, Text))
        return [piece.text for pieces in texts for piece in pieces if isinstance(piece, Note)]

    @property
    def headings(self) -> list[Heading]:
        """Its headings in order."""
        return [part for part in self.parts if isinstance(part, Heading)]

    @property
    def floats(self) -> list[Float]:
        """Its figures and tables."""
        return [part for part in self.parts if isinstance(part, Float)]

    @property
    def formulas(self) -> list[str]:
        """Its displayed formulas as TeX."""
        return [part.tex for part in self.parts if isinstance(part, Formula)]


def cited_names(works: tuple[Work, ...], is_textual: bool) -> str:
    """Return a citation by author and year as it is printed: "Ito (1990)" or "(Ito 1990; Quist & Xu 1991)"."""
    if is_textual:
        return ", ".join(f"{work.names} ({work.year})" for work in works)
    return f"({'; '.join(f'{work.names} {work.year}' for work in works)})"


def plain_piece(piece: str | Citing | Note, works: tuple[Work, ...]) -> str:
    """Return a piece of a paragraph with its citation typed as author and year; a footnote is left out."""
    if isinstance(piece, Citing):
        cited_works = tuple(works[place] for place in piece.works)
        return piece.frame.format(cited_names(cited_works, piece.is_textual), piece.mark)
    return piece if isinstance(piece, str) else ""
