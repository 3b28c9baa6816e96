"""Front of a paper: its title, and the blocks of authors, dates and addresses before the first heading."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pathfinder.fulltext.citing.listed_works import REFERENCE_LIST
from pathfinder.fulltext.pdf.headings import split_run_in
from pathfinder.fulltext.pdf.layout.blocks import SAME_SIZE, Block
from pathfinder.fulltext.pdf.layout.page_model import PdfPage
from pathfinder.fulltext.pdf.roles import KNOWN_HEADING, NUMBER, BlockRole, BodyStyle

FEWEST_ABSTRACT_WORDS = 40
"""Minimum number of words in a paragraph before the first heading for it to count as an abstract."""
LOWEST_TITLE = 0.6
"""Share of the first page, from the top, that is searched for the title."""


@dataclass(frozen=True, slots=True)
class Front:
    """The blocks of the title, the position of the first block of the text, and whether that block is an abstract
    without a heading.
    """

    title: tuple[Block, ...]
    start: int
    has_bare_abstract: bool = False


def front_of(blocks: Sequence[Block], roles: Sequence[BlockRole], body: BodyStyle) -> Front:
    """Find the title and the beginning of the text. If nothing shows where the text begins, it is taken to begin after
    the title, or with the first block if there is no title.
    """
    title = _title(blocks, body)
    after = max(title) + 1 if title else 0
    title_blocks = tuple(blocks[place] for place in title)
    for index in range(after, len(blocks)):
        block, role = blocks[index], roles[index]
        if (role is BlockRole.HEADING and _begins_text(block)) or (role is BlockRole.TEXT and split_run_in(block)):
            return Front(title_blocks, index)
        if role is BlockRole.TEXT and len(block.text.split()) >= FEWEST_ABSTRACT_WORDS:
            has_heading = index > after and roles[index - 1] is BlockRole.HEADING
            return Front(title_blocks, index - 1) if has_heading else Front(title_blocks, index, bool(title))
    return Front(title_blocks, after)


def front_lines(
    pages: Sequence[PdfPage], text_pages: Sequence[PdfPage], front: Front, pairs: Iterable[tuple[Block, BlockRole]]
) -> Iterator[str]:
    """Yield the lines of the first page other than running text: heads and stamps, everything above the text, and small
    print below it to which no mark in the text refers.

    `text_pages` are the pages without their heads and stamps.
    """
    for page, text_page in zip(pages[:1], text_pages[:1], strict=False):
        in_text = set(map(id, text_page.lines))
        yield from (line.text for line in page.lines if page.number == text_page.number and id(line) not in in_text)
    first = pages[0].number if pages else 0
    for place, (block, role) in enumerate(pairs):
        if block.page != first or (role is BlockRole.HEADING and REFERENCE_LIST.fullmatch(block.text.strip())):
            return
        if place < front.start or role is BlockRole.LABEL:
            yield from (line.text for line in block.lines)


def _begins_text(block: Block) -> bool:
    """Return whether a heading cannot be the name of an author, because it is a common heading or has a number."""
    number = NUMBER.match(block.text)
    return bool(KNOWN_HEADING.fullmatch(block.text.strip())) or bool(number and not number["letter"])


def _title(blocks: Sequence[Block], body: BodyStyle) -> list[int]:
    """Return the positions of the blocks that form the title: those in the largest type in the upper part of the first
    page.
    """
    if not blocks:
        return []
    first = blocks[0].page
    lowest = LOWEST_TITLE * max(block.box.bottom for block in blocks if block.page == first)
    upper = [
        place
        for place, block in enumerate(blocks)
        if block.page == first and block.box.top < lowest and len(block.text) > 3
    ]
    if not upper:
        return []
    largest = max(blocks[place].size for place in upper)
    if largest < body.size + SAME_SIZE:
        bold = [place for place in upper if blocks[place].share(bold=True) > 0.8]
        text = blocks[bold[0]].text if bold else ""
        return bold[:1] if bold and not KNOWN_HEADING.fullmatch(text) and not NUMBER.match(text) else []
    start = next(place for place in upper if blocks[place].size > largest - SAME_SIZE)
    title = [start]
    while title[-1] + 1 in upper and blocks[title[-1] + 1].size > largest - SAME_SIZE:
        title.append(title[-1] + 1)
    return title
