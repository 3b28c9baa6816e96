"""Assembly of a document: blocks with roles become sections, captions, references and footnotes."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pathfinder.fulltext.citing import REFERENCE_LIST
from pathfinder.fulltext.document import Figure, Paragraph, Section, kind_of
from pathfinder.fulltext.pdf.front import Front, Heading, heading_of, levels_of, split_run_in, with_appendices
from pathfinder.fulltext.pdf.layout.blocks import SAME_SIZE, TERMINAL, Block
from pathfinder.fulltext.pdf.layout.page_model import TextLine
from pathfinder.fulltext.pdf.roles import CAPTION, FOOTNOTE_MARK, KNOWN_HEADING, BlockRole, BodyStyle
from pathfinder.fulltext.pdf.words import PdfText, flowing_text, joined_texts
from pathfinder.types.full_texts import SectionKind

FORMULA = "[formula]"
"""Mark that replaces a displayed formula in the text, because the order of its symbols is lost in a PDF."""

_ENDS_LIST = re.compile(r"this paper has been typeset from", re.IGNORECASE)
_BESIDE_LIST = (BlockRole.CAPTION, BlockRole.FOOTNOTE)
_ROWS = (BlockRole.TABLE, BlockRole.LABEL, BlockRole.FORMULA)


@dataclass(slots=True)
class _OpenSection:
    """A section to which paragraphs are still being added."""

    heading: Heading
    paragraphs: list[Paragraph] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Footnote:
    """The lines of a footnote and its mark, such as "3" or "†"."""

    mark: str
    lines: tuple[TextLine, ...]


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
            figures=tuple(self._figures(pairs)),
            references=tuple(map(self.flowing, references_of(reference_blocks))),
            footnotes=tuple(self._without_mark(footnote) for footnote in self.footnotes),
            pages=pages,
            warnings=warnings,
        )

    def flowing(self, lines: Sequence[TextLine]) -> str:
        """Return lines as running text."""
        return flowing_text(lines, self.word_counts, self.lexicon, self.marks.get(lines[0].page, ()))

    def _without_mark(self, footnote: Footnote) -> Paragraph:
        placed_text = self.place_text(footnote.lines)
        return replace(placed_text, text=placed_text.text.removeprefix(footnote.mark).lstrip())

    def place_text(self, lines: Sequence[TextLine]) -> Paragraph:
        """Return lines as running text with its position."""
        box = lines[0].box
        for line in lines[1:]:
            box = box.union(line.box) if line.page == lines[0].page else box
        return Paragraph(self.flowing(lines), lines[0].page, box)

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

    def _add(self, paragraphs: list[Paragraph], block: Block, before: Block | None) -> None:
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

    def _add_formula(self, paragraphs: list[Paragraph]) -> None:
        if paragraphs and not paragraphs[-1].text.endswith(FORMULA):
            paragraphs[-1] = replace(paragraphs[-1], text=f"{paragraphs[-1].text} {FORMULA}")

    def _figures(self, pairs: Sequence[tuple[Block, BlockRole]]) -> Iterator[Figure]:
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
            yield Figure(match["label"], words, is_table, placed_text.page, placed_text.box)


def _without_references(
    blocks: Sequence[Block], roles: Sequence[BlockRole]
) -> tuple[list[tuple[Block, BlockRole]], list[Block]]:
    """Separate the blocks of the text, with their roles, from those of the reference list."""
    body: list[tuple[Block, BlockRole]] = []
    reference_blocks: list[Block] = []
    heading: Block | None = None
    for place, (block, role) in enumerate(zip(blocks, roles, strict=True)):
        text = block.text.strip()
        is_legend = role is BlockRole.LABEL and not KNOWN_HEADING.fullmatch(text)
        if REFERENCE_LIST.fullmatch(text) and role not in _BESIDE_LIST and not is_legend:
            heading = block
            continue
        is_in_table = set(roles[max(place - 1, 0) : place + 2]) <= {BlockRole.HEADING, *_ROWS}
        is_heading = role is BlockRole.HEADING and not is_in_table
        if heading is not None and (
            _ENDS_LIST.match(text) or (is_heading and _is_next_heading(block, heading, reference_blocks[:1]))
        ):
            heading = None
        if heading is None:
            body.append((block, role))
        elif role not in _BESIDE_LIST:
            is_end = not reference_blocks or (
                blocks[place - 1] is reference_blocks[-1]
                and (reference_blocks[-1].page == block.page or text.isdecimal())
            )
            if role not in _ROWS or _has_words(block) or (role is not BlockRole.TABLE and is_end):
                reference_blocks.append(block)
    if reference_blocks:
        return body, reference_blocks
    start, listed = split_bare_list([block for block, _ in body])
    later = range(start + 1, len(body))
    end = next((at for at in later if KNOWN_HEADING.fullmatch(body[at][0].text.strip())), len(body))
    left = [
        (replace(block, lines=block.lines[: -len(listed[0].lines)]), role) for block, role in body[start : start + 1]
    ]
    kept = [block for block, (_, role) in zip(listed, body[start:end], strict=False) if role not in _BESIDE_LIST]
    return body[:start] + [(block, role) for block, role in left if block.lines] + body[end:], kept


def _has_words(block: Block) -> bool:
    """Return whether at least half of a block is letters, unlike rows of a table or points of a picture."""
    signs = "".join(block.text.split())
    return 2 * sum(map(str.isalpha, signs)) >= len(signs)


def _is_next_heading(block: Block, heading: Block, listed: Sequence[Block]) -> bool:
    """Return whether a block is the heading of the section after a reference list, rather than a short reference: it
    says so, it looks like the heading of the list, or it is larger than what is `listed`.
    """
    text = block.text.strip()
    is_alike = heading_of(block, text).look == heading_of(heading, heading.text.strip()).look
    is_larger = any(block.size > reference.size + SAME_SIZE for reference in listed)
    return bool(KNOWN_HEADING.fullmatch(text)) or heading_of(block, text).begins_appendix or is_alike or is_larger


def _close(sections: Sequence[_OpenSection]) -> tuple[Section, ...]:
    headings = with_appendices([section.heading for section in sections])
    levels = levels_of(headings)
    closed_sections: list[Section] = []
    around: list[Section] = []
    is_appendix = follows_bare = False
    for section, heading, level in zip(sections, headings, levels, strict=True):
        follows_bare = heading.is_bare_appendix or (follows_bare and not KNOWN_HEADING.fullmatch(heading.text.strip()))
        is_appendix = follows_bare or heading.begins_appendix or (is_appendix and level > 1)
        if section.paragraphs or not heading.is_bare_appendix:
            around = [outer for outer in around if outer.level < level]
            kind = kind_of(heading.title, SectionKind.APPENDIX if is_appendix else around[-1].kind if around else None)
            closed_sections.append(Section(heading.title, level, kind, tuple(section.paragraphs)))
            around.append(closed_sections[-1])
    return tuple(closed_sections)


# Reference lists: finds the line at which each reference begins.

_BRACKETED_NUMBER = re.compile(r"\[\s?(\d{1,4})\s?\]")
_DOTTED_NUMBER = re.compile(r"(\d{1,4})\.\s")
_ROUND = re.compile(r"\((\d{1,4})\)\s")
_BARE = re.compile(r"(\d{1,4})\s+[A-Z]")
_LABEL = re.compile(r"\[[A-Z][^\[\]]*\d{2}[a-z]?\]")
_AUTHOR = re.compile(r"[A-ZÀ-Þ][^\W\d_]+(?:[-' ][A-ZÀ-Þ][^\W\d_]+)*,? (?:[A-Z]\.|[A-Z][,;]|et al|and |& )")

FEWEST_BARE = 3
"""Minimum number of references in a list without a heading."""

LineInColumn = tuple[TextLine, float]
"""A line, and the left edge of its column [points]."""


def references_of(blocks: Sequence[Block]) -> tuple[tuple[TextLine, ...], ...]:
    """Return the lines of each reference in a list."""
    lines = [(line, block.left) for block in blocks for line in block.lines]
    begins = _beginnings(lines)
    references: list[list[TextLine]] = []
    for number, (line, _) in enumerate(lines):
        if number in begins or not references:
            references.append([line])
        else:
            references[-1].append(line)
    return tuple(tuple(reference) for reference in references)


def _beginnings(lines: Sequence[LineInColumn]) -> set[int]:
    """Return the indices of the lines that begin a reference, recognised by number, label, hanging indent or author."""
    by_number = max((_numbered_lines(lines, number) for number in _NUMBERS), key=len)
    if len(by_number) > 1 and len(by_number) > 0.15 * len(lines):
        return by_number
    by_label = _matching(lines, lambda line, _: bool(_LABEL.match(line.text)))
    if len(by_label) > 0.15 * len(lines):
        return by_label
    hanging = _matching(lines, lambda line, left: line.box.left < left + 0.4 * line.size)
    if len(hanging) < 0.85 * len(lines):
        return hanging
    return _matching(lines, lambda line, _: bool(_AUTHOR.match(line.text)))


def _printed(mark: re.Pattern[str]) -> Callable[[TextLine], int]:
    def number(line: TextLine) -> int:
        match = mark.match(line.text)
        return int(match[1]) if match else 0

    return number


def _raised(line: TextLine) -> int:
    """Return the raised number at the beginning of a line, as in "¹A. Maker"; 0 if there is none."""
    text = line.runs[0].text.strip()
    is_alone = len(line.runs) == 1  # where lines are far apart, the number may be a line of its own
    return int(text) if (line.runs[0].raised or is_alone) and text.isdecimal() and len(text) < 5 else 0


_BRACKETED = _printed(_BRACKETED_NUMBER)
_NUMBERS = (_BRACKETED, *map(_printed, (_DOTTED_NUMBER, _ROUND, _BARE)), _raised)


def _numbered_lines(lines: Sequence[LineInColumn], number: Callable[[TextLine], int]) -> set[int]:
    """Return the indices of the lines that are numbered in sequence: 1, 2, 3. A number within a reference is not part
    of the sequence.
    """
    numbered_lines: set[int] = set()
    last = 0
    for index, (line, _) in enumerate(lines):
        value = number(line)
        if last < value <= last + 2:
            last = value
            numbered_lines.add(index)
    return numbered_lines


def _matching(lines: Sequence[LineInColumn], test: Callable[[TextLine, float], bool]) -> set[int]:
    return {index for index, (line, left) in enumerate(lines) if test(line, left)}


def split_bare_list(blocks: Sequence[Block]) -> tuple[int, tuple[Block, ...]]:
    """Return the position of the first block of a reference list without a heading, and the list's blocks; the number
    of blocks, and none, if there is no such list.

    The list begins with the last "[1]", or the last raised 1, from which the numbers go on to at least `FEWEST_BARE`.
    """
    for number, fewest in ((_BRACKETED, FEWEST_BARE), (_raised, 2 * FEWEST_BARE)):
        for place in range(len(blocks) - 1, -1, -1):
            first = next((at for at, line in enumerate(blocks[place].lines) if number(line) == 1), None)
            if first is None:
                continue
            listed = (replace(blocks[place], lines=blocks[place].lines[first:]), *blocks[place + 1 :])
            if len(_numbered_lines([(line, block.left) for block in listed for line in block.lines], number)) >= fewest:
                return place, listed
            break
    return len(blocks), ()


# Footnotes: the beginning of each, and the mark by which the text refers to it.


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
        if match and (
            not lines
            or (mark.isdecimal() and match["mark"].isdecimal() and int(match["mark"]) == int(mark) + 1)
            or line.runs[0].raised
        ):
            if lines:
                yield Footnote(mark, tuple(lines))
            mark, lines = match["mark"], []
        lines.append(line)
    yield Footnote(mark, tuple(lines))
