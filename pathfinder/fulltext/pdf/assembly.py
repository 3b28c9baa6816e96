"""Assembly of a document: blocks with roles become sections, captions, references and footnotes."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pathfinder.fulltext.citing.listed_works import REFERENCE_LIST
from pathfinder.fulltext.pdf.footnotes import Footnote
from pathfinder.fulltext.pdf.front import Front
from pathfinder.fulltext.pdf.headings import Heading, heading_of, levels_of, split_run_in, with_appendices
from pathfinder.fulltext.pdf.layout.blocks import SAME_SIZE, TERMINAL, Block
from pathfinder.fulltext.pdf.layout.page_model import TextLine
from pathfinder.fulltext.pdf.pdf_text import PdfCaption, PdfSection, PdfText, PlacedText
from pathfinder.fulltext.pdf.reference_list import references_of, split_bare_list
from pathfinder.fulltext.pdf.roles import CAPTION, KNOWN_HEADING, BlockRole, BodyStyle
from pathfinder.fulltext.pdf.words import flowing_text, joined_texts

FORMULA = "[formula]"
"""Mark that replaces a displayed formula in the text, because the order of its symbols is lost in a PDF."""

_ENDS_LIST = re.compile(r"this paper has been typeset from", re.IGNORECASE)
_BESIDE_LIST = (BlockRole.CAPTION, BlockRole.FOOTNOTE)


@dataclass(slots=True)
class _OpenSection:
    """A section to which paragraphs are still being added."""

    heading: Heading
    paragraphs: list[PlacedText] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Assembly:
    """Everything needed to assemble a document: the counts of its words, a list of everyday English words, its style,
    its footnotes, and their marks by page.
    """

    word_counts: Mapping[str, int]
    lexicon: Collection[str]
    body: BodyStyle
    footnotes: Sequence[Footnote]
    marks: Mapping[int, Collection[str]]

    def text(
        self,
        blocks: Sequence[Block],
        roles: Sequence[BlockRole],
        front: Front,
        *,
        pages: int,
        warnings: tuple[str, ...],
    ) -> PdfText:
        """Return the document made up of `blocks`, which have these `roles`."""
        body, reference_blocks = _without_references(blocks[front.start :], roles[front.start :])
        sections = self._sections(body, front.has_bare_abstract)
        pairs = tuple(zip(blocks, roles, strict=True))
        return PdfText(
            title=" ".join(self.flowing(block.lines) for block in front.title),
            sections=_close(sections),
            captions=tuple(self._captions(pairs)),
            references=tuple(self.place_text(lines) for lines in references_of(reference_blocks)),
            footnotes=tuple(self._without_mark(footnote) for footnote in self.footnotes),
            pages=pages,
            warnings=warnings,
        )

    def flowing(self, lines: Sequence[TextLine]) -> str:
        """Return lines as running text."""
        return flowing_text(lines, self.word_counts, self.lexicon, self.marks.get(lines[0].page, ()))

    def _without_mark(self, footnote: Footnote) -> PlacedText:
        placed_text = self.place_text(footnote.lines)
        return replace(placed_text, text=placed_text.text.removeprefix(footnote.mark).lstrip())

    def place_text(self, lines: Sequence[TextLine]) -> PlacedText:
        """Return lines as running text with its position."""
        box = lines[0].box
        for line in lines[1:]:
            box = box.union(line.box) if line.page == lines[0].page else box
        return PlacedText(self.flowing(lines), lines[0].page, box)

    def _sections(self, pairs: Sequence[tuple[Block, BlockRole]], has_bare_abstract: bool) -> list[_OpenSection]:
        first = Heading("Abstract" if has_bare_abstract else "", (0.0, False, False, False), True)
        sections = [_OpenSection(first)]
        before: Block | None = None
        for block, role in pairs:
            if role is BlockRole.HEADING:
                sections.append(_OpenSection(heading_of(block, self.flowing(block.lines))))
                before = None
            elif role is BlockRole.TEXT:
                title_and_rest = split_run_in(block)
                if title_and_rest is not None:
                    sections.append(_OpenSection(title_and_rest[0]))
                rest = block if title_and_rest is None else title_and_rest[1]
                if rest.lines:
                    self._add(sections[-1].paragraphs, rest, before if title_and_rest is None else None)
                    before = rest
            elif role is BlockRole.FORMULA and before is not None:
                self._add_formula(sections[-1].paragraphs)
        return [section for section in sections if section.paragraphs or section.heading.text]

    def _add(self, paragraphs: list[PlacedText], block: Block, before: Block | None) -> None:
        """Add a block as a paragraph, or join it to the last paragraph if it continues that one."""
        text = self.place_text(block.lines)
        if before is None or not paragraphs or not self._goes_on(before, block, paragraphs[-1].text):
            paragraphs.append(text)
            return
        joined_text = joined_texts(paragraphs[-1].text, text.text, self.word_counts, self.lexicon)
        paragraphs[-1] = replace(paragraphs[-1], text=joined_text)

    def _goes_on(self, before: Block, block: Block, text: str) -> bool:
        """Return whether a paragraph continues in the next block of text, which may be in another column or after a
        float.
        """
        if not text.endswith(TERMINAL):
            return not (block.is_indented and self.body.indents and block.text[:1].isupper() and text.endswith(FORMULA))
        is_below = before.page == block.page and before.box.bottom <= block.box.top and before.left == block.left
        return not is_below and self.body.indents and not block.is_indented and before.fills_its_last_line

    def _add_formula(self, paragraphs: list[PlacedText]) -> None:
        if paragraphs and not paragraphs[-1].text.endswith(FORMULA):
            paragraphs[-1] = replace(paragraphs[-1], text=f"{paragraphs[-1].text} {FORMULA}")

    def _captions(self, pairs: Sequence[tuple[Block, BlockRole]]) -> Iterator[PdfCaption]:
        for place, (block, role) in enumerate(pairs):
            match = CAPTION.match(block.text) if role is BlockRole.CAPTION else None
            if match is None:
                continue
            placed_text = self.place_text(block.lines)
            rest = CAPTION.match(placed_text.text)
            words = rest["rest"].strip() if rest else placed_text.text
            if not words and place + 1 < len(pairs):
                words = self.flowing(pairs[place + 1][0].lines)
            is_table = match["word"].lower().startswith("tab")
            yield PdfCaption(match["label"], is_table, replace(placed_text, text=words))


def _without_references(
    blocks: Sequence[Block], roles: Sequence[BlockRole]
) -> tuple[list[tuple[Block, BlockRole]], list[Block]]:
    """Separate the blocks of the text, with their roles, from those of the reference list."""
    body: list[tuple[Block, BlockRole]] = []
    reference_blocks: list[Block] = []
    heading: Block | None = None
    for block, role in zip(blocks, roles, strict=True):
        text = block.text.strip()
        if REFERENCE_LIST.fullmatch(text) and role not in _BESIDE_LIST:
            heading = block
            continue
        if heading is not None and (
            _ENDS_LIST.match(text)
            or (role is BlockRole.HEADING and _is_next_heading(block, heading, reference_blocks[:1]))
        ):
            heading = None
        if heading is None:
            body.append((block, role))
        elif role not in _BESIDE_LIST:
            reference_blocks.append(block)
    if reference_blocks:
        return body, reference_blocks
    start, listed = split_bare_list([block for block, _ in body])
    left = [
        (replace(block, lines=block.lines[: -len(listed[0].lines)]), role) for block, role in body[start : start + 1]
    ]
    kept = [block for block, (_, role) in zip(listed, body[start:], strict=True) if role not in _BESIDE_LIST]
    return body[:start] + [(block, role) for block, role in left if block.lines], kept


def _is_next_heading(block: Block, heading: Block, listed: Sequence[Block]) -> bool:
    """Return whether a block is the heading of the section after a reference list, rather than a short reference: it
    says so, it looks like the heading of the list, or it is larger than what is `listed`.
    """
    text = block.text.strip()
    is_alike = heading_of(block, text).look == heading_of(heading, heading.text.strip()).look
    is_larger = any(block.size > reference.size + SAME_SIZE for reference in listed)
    return bool(KNOWN_HEADING.fullmatch(text)) or heading_of(block, text).begins_appendix or is_alike or is_larger


def _close(sections: Sequence[_OpenSection]) -> tuple[PdfSection, ...]:
    headings = with_appendices([section.heading for section in sections])
    levels = levels_of(headings)
    closed_sections = []
    is_appendix = follows_bare = False
    for section, heading, level in zip(sections, headings, levels, strict=True):
        follows_bare = heading.is_bare_appendix or (follows_bare and not KNOWN_HEADING.fullmatch(heading.text.strip()))
        is_appendix = follows_bare or heading.begins_appendix or (is_appendix and level > 1)
        if section.paragraphs or not heading.is_bare_appendix:
            closed_sections.append(PdfSection(heading.title, level, tuple(section.paragraphs), is_appendix))
    return tuple(closed_sections)
