"""Footnotes: the beginning of each, and the mark by which the text refers to it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pathfinder.fulltext.pdf.layout.blocks import Block
from pathfinder.fulltext.pdf.layout.page_model import TextLine
from pathfinder.fulltext.pdf.roles import FOOTNOTE_MARK, BlockRole


@dataclass(frozen=True, slots=True)
class Footnote:
    """The lines of a footnote and its mark, such as "3" or "†"."""

    mark: str
    lines: tuple[TextLine, ...]


def footnotes_of(blocks: Sequence[Block], roles: Sequence[BlockRole]) -> tuple[Footnote, ...]:
    """Return the footnotes on all pages; a single block may contain several."""
    notes: list[Footnote] = []
    for block, role in zip(blocks, roles, strict=True):
        if role is BlockRole.FOOTNOTE:
            notes.extend(_footnotes(block))
    return tuple(notes)


def marks_by_page(footnotes: Sequence[Footnote]) -> dict[int, set[str]]:
    """Return the marks of the footnotes on each page."""
    marks: dict[int, set[str]] = {}
    for footnote in footnotes:
        marks.setdefault(footnote.lines[0].page, set()).add(footnote.mark)
    return marks


def _footnotes(block: Block) -> Iterator[Footnote]:
    mark = ""
    lines: list[TextLine] = []
    for line in block.lines:
        match = FOOTNOTE_MARK.match(line.text)
        if match and (not lines or _follows(match["mark"], mark) or line.runs[0].raised):
            if lines:
                yield Footnote(mark, tuple(lines))
            mark, lines = match["mark"], []
        lines.append(line)
    yield Footnote(mark, tuple(lines))


def _follows(mark: str, before: str) -> bool:
    return mark.isdecimal() and before.isdecimal() and int(mark) == int(before) + 1
