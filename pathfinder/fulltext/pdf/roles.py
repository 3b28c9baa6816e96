"""Roles of blocks: title, heading, text, caption, footnote, table row, formula, or label in a picture."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from pathfinder.fulltext.pdf.layout.blocks import SAME_SIZE, TERMINAL, Block
from pathfinder.fulltext.pdf.layout.page_model import PdfPage

MOST_HEADING_WORDS = 18
MOST_HEADING_LINES = 3
FEWEST_RUNNING = 3
"""Number of words above which a line may be part of running text."""
SMALLER = 0.7
"""Minimum difference in size between the text and footnotes or labels, which are smaller [points]."""


class BlockRole(StrEnum):
    """The part that a block plays on its page."""

    TEXT = "text"
    HEADING = "heading"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    TABLE = "table"
    FORMULA = "formula"
    LABEL = "label"


CAPTION = re.compile(
    r"(?P<label>(?P<word>Figure|Fig\.?|Table|Tab\.?|Plate|Abbildung|Abb\.|Tabelle|Tableau|Figura|Tabla|Рис\.?)\s*"
    r"(?:[A-Z]?\.?\d+[a-z]?|[IVXL]+))(?P<end>\s*[.:|–—]|\s*$|\s+)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
NUMBER = re.compile(
    r"(?:(?P<decimal>(?:\d{1,2}|[A-Z](?=\.\d))(?:\.\d{1,2}){0,3})\.?|(?P<roman>[IVX]{1,5})\.|(?P<letter>[A-Z])\.|(?P<item>\d{1,2}\)))\s+(?=\S*\w)"
)
KNOWN_HEADING = re.compile(
    r"(?:abstract|summary|introduction|background|related work|methods?|materials and methods|data|observations|"
    r"results?|discussion|conclusions?|summary and conclusions?|acknowledge?ments?|appendix(?: [A-Z0-9])?|appendices|"
    r"references|bibliography|literature cited|data availability|keywords|funding|author contributions|"
    r"zusammenfassung|einleitung|methoden|ergebnisse|diskussion|danksagung|literatur(?:verzeichnis)?|anhang|"
    r"résumé|méthodes|résultats|remerciements|bibliographie|références|annexe|"
    r"resumen|introducción|métodos|resultados|discusión|conclusiones|agradecimientos|bibliografía|referencias)\s*[:.]?",
    re.IGNORECASE,
)
STATEMENT = re.compile(
    r"(?:theorem|lemma|proposition|corollary|definition|claim|conjecture|remark|example|assumption|axiom|algorithm|case|"
    r"hypothesis|step|satz|beispiel|th[ée]or[èe]me|teorema)(?:\s+[A-Z]?\.?\d|\s*[.:(])|"
    r"(?:proof|beweis|d[ée]monstration|demostraci[óo]n)(?: of [^.:]*)?(?:[.:]|$)",
    re.IGNORECASE,
)
"""Beginning of a statement or of its proof, which is set like a heading but is none."""
_NOTE = re.compile(r"(?:Notes?|Remarks?|Comments?)\b", re.IGNORECASE)
FOOTNOTE_MARK = re.compile(r"(?P<mark>\d{1,2}|[*†‡§¶∗⋆]+|[a-z](?= [A-Z]))\s?(?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class BodyStyle:
    """Appearance of the running text of a document: its font size [points], and whether its paragraphs are indented."""

    size: float
    indents: bool


def body_style(blocks: Sequence[Block]) -> BodyStyle:
    """Return the style in which most characters are set."""
    counts: Counter[float] = Counter()
    for block in blocks:
        for line in block.lines:
            if sum(map(str.isalpha, line.text.split())) > FEWEST_RUNNING:  # not the lettering of pictures
                counts[line.size] += len(line.text)
    size = counts.most_common(1)[0][0] if counts else 10.0
    long = [block for block in blocks if len(block.lines) > 2 and abs(block.size - size) < SAME_SIZE]
    n_indented = sum(block.is_indented for block in long)
    return BodyStyle(size, n_indented >= 0.3 * len(long))


def roles_of(blocks: Sequence[Block], pages: dict[int, PdfPage], body: BodyStyle) -> tuple[BlockRole, ...]:
    """Return the role of each block."""
    roles = [_role(block, pages[block.page], body) for block in blocks]
    for index in range(len(blocks) - 1, -1, -1):
        if roles[index] is BlockRole.FOOTNOTE and not _ends_its_column(index, blocks, roles):
            roles[index] = BlockRole.TEXT
    for index, block in enumerate(blocks[:-1]):
        label = CAPTION.fullmatch(block.text.strip()) if roles[index] is BlockRole.CAPTION else None
        if label and not label["rest"]:
            roles[index + 1] = BlockRole.CAPTION
    for _, places in groupby(range(len(blocks)), key=lambda place: blocks[place].page):
        _set_floats_apart(list(places), blocks, roles, body)
    return tuple(roles)


def _ends_its_column(index: int, blocks: Sequence[Block], roles: Sequence[BlockRole]) -> bool:
    """Return whether only footnotes and small print follow a block in its column."""
    following = index
    while not blocks[following].is_last and roles[following + 1] in (BlockRole.FOOTNOTE, BlockRole.LABEL):
        following += 1
    return blocks[following].is_last


def _set_floats_apart(places: Sequence[int], blocks: Sequence[Block], roles: list[BlockRole], body: BodyStyle) -> None:
    """Take what belongs to a figure or table on a page out of the text, though it is set like text: the lettering above
    a caption, the last cells of rows, and the note below a table. `places` are those of the blocks on the page.
    """
    narrowest = min(blocks[place].right - blocks[place].left for place in places)
    captions = [blocks[place] for place in places if roles[place] is BlockRole.CAPTION]
    rows = {round(line.baseline) for place in places if roles[place] is BlockRole.TABLE for line in blocks[place].lines}
    texts = [place for place in places if roles[place] is BlockRole.TEXT]
    running = [blocks[place] for place in texts if not _is_lettering(blocks[place])]
    for place in texts:
        block = blocks[place]
        is_wide = block.right - block.left > 1.5 * narrowest
        is_below_table = place > places[0] and roles[place - 1] is BlockRole.TABLE
        is_note = is_below_table and block.size < body.size - SMALLER and (is_wide or bool(_NOTE.match(block.text)))
        if is_note or _holds_cells(block, rows):
            roles[place] = BlockRole.TABLE
        elif (
            block.page != blocks[0].page
            and _is_lettering(block)
            and any(_stands_above(block, caption, running) for caption in captions)
        ):
            roles[place] = BlockRole.LABEL


def _stands_above(block: Block, caption: Block, running: Sequence[Block]) -> bool:
    """Return whether a block is above a caption, with no running text between the two."""
    return block.box.bottom <= caption.box.top and not any(
        block.box.top <= text.box.top < caption.box.top and text.left < block.right and block.left < text.right
        for text in running
    )


def _is_lettering(block: Block) -> bool:
    """Return whether a block is a few words that neither begin inside a sentence nor end one."""
    width = block.right - block.left
    is_short = all(line.cells > 1 or line.box.width < 0.6 * width for line in block.lines)
    return is_short and not block.text[:1].islower() and not block.text.rstrip().endswith(TERMINAL)


def _holds_cells(block: Block, rows: Collection[int]) -> bool:
    """Return whether the lines of a block are the last cells of rows of a table, at these heights."""
    width = block.right - block.left
    return all(
        line.box.width < 0.7 * width and any(round(line.baseline) + step in rows for step in (-1, 0, 1))
        for line in block.lines
    )


def _role(block: Block, page: PdfPage, body: BodyStyle) -> BlockRole:
    if is_caption(block, body):
        return BlockRole.CAPTION
    if is_heading(block, body):
        return BlockRole.HEADING
    cells = [line.cells for line in block.lines]
    is_set_in_rows = max(cells) > 2 or (len(cells) > 1 and sum(cells) >= 2 * len(cells))
    if is_set_in_rows and sum(cells) >= 2 * len(cells) and block.share(mathematical=True) < 0.3:
        return BlockRole.TABLE
    if _is_formula(block):
        return BlockRole.FORMULA
    small = block.size < body.size - SMALLER
    low = block.box.top > 0.4 * page.height
    if small and low and bool(FOOTNOTE_MARK.match(block.text)):
        return BlockRole.FOOTNOTE
    return BlockRole.LABEL if _is_label(block, body) else BlockRole.TEXT


def is_caption(block: Block, body: BodyStyle) -> bool:
    """Return whether a block begins like the caption of a figure or table, rather than like a sentence about it."""
    match = CAPTION.match(block.text)
    if match is None:
        return False
    if match["end"].strip():
        return match["end"].strip() != "." or match["rest"][:1].strip() == "" or not match["rest"][:1].islower()
    if not match["rest"]:
        return len(block.lines) == 1
    first = block.lines[0].runs[0].style
    is_marked = first.bold or block.size < body.size - 0.4
    return is_marked and match["rest"][0].isupper()


def is_heading(block: Block, body: BodyStyle) -> bool:
    """Return whether a block looks like a heading: short, and set apart by its font or its number."""
    text = block.text.strip()
    is_short = len(text.split()) <= MOST_HEADING_WORDS and len(block.lines) <= MOST_HEADING_LINES
    is_row = max(line.cells for line in block.lines) > 2
    has_letters = any(letter.isalpha() for letter in text)
    if not (is_short and has_letters and not is_row and block.size >= body.size - 2 and not text.endswith((",", ";"))):
        return False
    if KNOWN_HEADING.fullmatch(text):
        return True
    if STATEMENT.match(text):
        return False
    number = None if block.lines[0].runs[0].raised else NUMBER.match(text)
    rest = text[number.end() :] if number else text
    letters = sum(letter.isalpha() for letter in rest)
    is_capital = rest[:1].isdigit() or any(letter.isupper() for letter in rest.split(" ")[0])  # "circRNA" too
    if not is_capital or letters < 0.6 * len(rest.replace(" ", "")):
        return False
    bold = block.share(bold=True) > 0.8
    if number:
        return bold or _stands_out(block, body, rest)
    larger = block.size > body.size + SAME_SIZE
    return (larger or bold) and not text.endswith(".") and len(rest) > 2


def _stands_out(block: Block, body: BodyStyle, rest: str) -> bool:
    """Return whether a numbered line is a heading although it is not bold: larger, italic, in capitals, or centred."""
    capitals = rest.upper() == rest
    is_italic = block.share(italic=True) > 0.8
    larger = block.size > body.size + 0.4
    middle = (block.box.left + block.box.right) / 2
    is_centred = abs(middle - (block.left + block.right) / 2) < 6 and block.box.left > block.left + 2 * block.size
    return (capitals or is_italic or larger or is_centred) and not rest.endswith(TERMINAL)


def _is_formula(block: Block) -> bool:
    """Return whether a block is a displayed formula, with many symbols and few words."""
    symbols = block.share(mathematical=True)
    has_number = bool(re.search(r"\(\w{1,6}(?:\.\d+)*\)$", block.lines[0].text))
    words = re.findall(r"[^\W\d_]{4,}", block.text)
    if len(words) > 4 * len(block.lines):
        return False
    return symbols > 0.45 or (symbols > 0.15 and (has_number or not words))


def _is_label(block: Block, body: BodyStyle) -> bool:
    """Return whether a block is lettering in a picture: numbers, or a few words, not in the size of the text, that do
    not form a sentence.
    """
    if not any(letter.isalpha() for letter in block.text):
        return not block.text.rstrip().endswith(TERMINAL)
    if abs(block.size - body.size) < 0.4 or block.text.rstrip().endswith(TERMINAL):
        return False
    return max(len(line.text.split()) for line in block.lines) <= 6 and block.box.width < 0.6 * (
        block.right - block.left
    )
