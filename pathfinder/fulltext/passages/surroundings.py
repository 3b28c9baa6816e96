"""Finds the paragraphs of a full-text passage again, with their neighbours."""

from dataclasses import dataclass

from pathfinder.errors import UsageError
from pathfinder.fulltext.document import Document, Paragraph
from pathfinder.types.full_texts import FullTextPassage


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A passage with its surroundings."""

    before: Paragraph | None
    """The paragraph before it in the section; `None` at the beginning."""
    paragraphs: tuple[Paragraph, ...]
    """The paragraphs that contain it."""
    after: Paragraph | None


def surroundings(document: Document, passage: FullTextPassage) -> Surroundings:
    """Return the paragraphs that contain `passage`, and those before and after it in the section.

    Raises `UsageError` if the text is not the one from which the passage was cut.
    """
    paragraphs = _paragraphs_of(document, passage)
    own = paragraphs[passage.first : passage.last + 1]
    is_there = (
        own
        and own[0].text[passage.start :].startswith(passage.text.split("\n")[0])
        and len(own[-1].text) >= passage.end
    )
    if not is_there:
        raise UsageError(
            f"the passage from {passage.address} is not in this full text, which has been replaced since: search again"
        )
    before = paragraphs[passage.first - 1] if passage.first > 0 else None
    after = paragraphs[passage.last + 1] if passage.last + 1 < len(paragraphs) else None
    return Surroundings(before, own, after)


def _paragraphs_of(document: Document, passage: FullTextPassage) -> tuple[Paragraph, ...]:
    """Return the paragraphs of the passage's section, or its caption as a paragraph; empty if there is neither."""
    if passage.is_caption:
        figures = document.figures[passage.section : passage.section + 1]
        return tuple(Paragraph(figure.caption, figure.page, figure.box) for figure in figures)
    return tuple(p for section in document.sections[passage.section : passage.section + 1] for p in section.paragraphs)
