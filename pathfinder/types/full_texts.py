"""Full-text passages: the parts of a paper's full text that a search can find."""

from dataclasses import dataclass
from enum import StrEnum

MAX_FULL_TEXT_PASSAGES = 3
"""Maximum number of full-text passages shown with a hit (OpenScholar, arXiv:2411.14199)."""


class SectionKind(StrEnum):
    """Purpose of a section."""

    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    DATA = "data"
    METHOD = "method"
    RESULT = "result"
    DISCUSSION = "discussion"
    CONCLUSION = "conclusion"
    CAPTION = "caption"
    TABLE = "table"
    APPENDIX = "appendix"
    ACKNOWLEDGEMENTS = "acknowledgements"
    OTHER = "other"


SECTION_LABELS = {
    SectionKind.ABSTRACT: "abstract",
    SectionKind.INTRODUCTION: "introduction",
    SectionKind.DATA: "data",
    SectionKind.METHOD: "methods",
    SectionKind.RESULT: "results",
    SectionKind.DISCUSSION: "discussion",
    SectionKind.CONCLUSION: "conclusions",
    SectionKind.CAPTION: "figure captions",
    SectionKind.TABLE: "tables",
    SectionKind.APPENDIX: "appendices",
    SectionKind.ACKNOWLEDGEMENTS: "acknowledgements",
    SectionKind.OTHER: "other sections",
}


@dataclass(frozen=True, slots=True)
class FullTextPassage:
    """Whole sentences from one section of a paper's full text, or a caption."""

    text: str
    """The sentences as in the text that was read, where a line break separates paragraphs; but rows of a table are
    rewritten, each cell with the head of its column, as "| Star HD 1 | Mass 1.0."
    """
    heading: str
    """Heading of the passage's section, or the label of the figure or table, followed by its caption for the rows of a
    table; empty if there is none.
    """
    kind: SectionKind
    page: int | None
    """Page on which the passage's first paragraph begins, counted from 1; `None` if the text has no pages."""
    section: int
    """Position among the sections of the text, counted from 0; for a caption, among the text's figures and tables."""
    first: int
    """Position of the passage's first paragraph in the section, counted from 0."""
    last: int
    start: int
    """Position of the passage's first character in the first paragraph."""
    end: int
    """Position after the passage's last character in the last paragraph."""
    score: float | None = None
    """Cosine similarity of the question to the passage, clipped at 0: [0, 1]; `None` if they were not compared."""

    @property
    def is_caption(self) -> bool:
        return self.kind in (SectionKind.CAPTION, SectionKind.TABLE)

    @property
    def address(self) -> str:
        """Position of the passage, in words for the reader: "3. Methods, page 4"."""
        page = "" if self.page is None else f"page {self.page}"
        return ", ".join(part for part in (self.heading or str(self.kind), page) if part)
