"""Sections and captions whose text is still LaTeX."""

from dataclasses import dataclass, field
from enum import Enum, auto


class SectionRole(Enum):
    """Purpose of a section, as stated by the source itself."""

    BODY = auto()
    ABSTRACT = auto()
    ACKNOWLEDGEMENTS = auto()
    APPENDIX = auto()


@dataclass(slots=True)
class SectionDraft:
    """A section whose paragraphs are still LaTeX, with marks for formulas and citations."""

    title: str
    level: int
    role: SectionRole
    paragraphs: list[str] = field(default_factory=list)


@dataclass(slots=True)
class CaptionDraft:
    """A caption whose text is still LaTeX."""

    label: str
    caption: str
    is_table: bool
