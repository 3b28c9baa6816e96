"""Reads plain text, with paragraphs separated by empty lines and headings that are numbered or known, and arranges the
blocks of plain text and of Markdown as a document.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import accumulate
from pathlib import Path

from pathfinder.errors import CorpusError
from pathfinder.fulltext.citing import REFERENCE_LIST, ListedWork
from pathfinder.fulltext.document import (
    FRONT_CHARACTERS,
    MOST_WORDS,
    Document,
    Figure,
    Paragraph,
    Reference,
    Section,
    TextFormat,
    kind_of,
    paper_identifiers,
    provenance_of,
)
from pathfinder.fulltext.pdf.roles import CAPTION, KNOWN_HEADING
from pathfinder.fulltext.pdf.words import keeps_hyphen
from pathfinder.fulltext.tables import with_caption
from pathfinder.text.language.lexicon_tagger import read_lexicon
from pathfinder.types.full_texts import SectionKind

MAX_HEADING = 90
"""Maximum number of characters in a heading in plain text."""

_NUMBERED_HEADING = re.compile(r"(\d+(?:\.\d+)*)\.?\s+(?=[A-Z])[^.!?]+")
_ENTRY_MARK = re.compile(r"^(?:\[(\w+)\]|(\d+)\.|[-*])\s+")
_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?>(?:-[^\W\d_]++)*)(?![^\W_]|-\n)")
_DIVIDED = re.compile(r"(?<![^\W\d_])([^\W\d_]+)[-\u2010\u00ad]\n\s*([^\W\d_]+)")
"""A word that is divided at the end of a line."""
_RUN_TOGETHER = re.compile(r"((?:(?<=[a-z]{3})|(?<=[)\]$\ue001]))\.)(?=[A-Z][a-z]* [a-z])")
"""End of a sentence that the next one follows without a space."""
_ENDS = (".", "!", "?", ":", ".”", '."', ".)", ".]", "$$")
_OPENS_SMALL = re.compile(r"[a-z]|[(\[][a-z]")


class BlockKind(Enum):
    """What a block is."""

    PARAGRAPH = auto()
    HEADING = auto()
    FORMULA = auto()
    """A displayed formula, which belongs to the sentence around it."""
    NOTE = auto()
    """A footnote."""
    TABLE = auto()
    """The rows of a table, each written as a sentence; empty if they are not read."""


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a file that stands by itself."""

    kind: BlockKind
    text: str
    """Its words, on one line."""
    source: str
    """Its lines, as in the file."""
    level: int = 0
    """Level of a heading, from 1."""


def read_plain(path: Path) -> Document:
    """Read a file of plain text. Raises `CorpusError` if it is not UTF-8."""
    text = file_text(path)
    words = words_of(text)
    blocks = [plain_block(block, words(block)) for block in re.split(r"\n\s*\n|\f", text) if block.strip()]
    return document_of(path, TextFormat.TEXT, blocks, words)


def file_text(path: Path) -> str:
    """Return the text of a file, with lines that end in a line feed. Raises `CorpusError` if it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path.name} is not UTF-8 at byte {error.start}: save it as UTF-8") from None


def words_of(text: str) -> Callable[[str], str]:
    """Return the function that writes lines of `text` as running text on one line: words that are divided at the end
    of a line are joined again, and sentences that have lost the space between them are separated.
    """
    counts, lexicon = Counter(word.lower() for word in _WORD.findall(text)), read_lexicon()

    def whole(match: re.Match[str]) -> str:
        hyphen = "-" if keeps_hyphen(match[1], match[2], counts, lexicon) else ""
        return f"{match[1]}{hyphen}{match[2]}"

    return lambda lines: _RUN_TOGETHER.sub(r"\1 ", " ".join(_DIVIDED.sub(whole, lines).split()))


def document_of(path: Path, text_format: TextFormat, blocks: Sequence[Block], words: Callable[[str], str]) -> Document:
    """Arrange the blocks of a file as a document: its title, sections, captions and reference list; `words` joins lines
    of the file, as `words_of` returns it.
    """
    title = ""
    first = next((n for n, block in enumerate(blocks) if n and block.kind is BlockKind.HEADING), len(blocks))
    front = [line for block in blocks[:first] for line in _short_lines(block.source[:FRONT_CHARACTERS])]
    is_headed = blocks and blocks[0].kind is BlockKind.HEADING
    if is_headed or (len(blocks) > 1 and _is_title(blocks[0].source)):
        title, blocks = blocks[0].text, blocks[1:]
    levels = [block.level for block in blocks if block.kind is BlockKind.HEADING]
    draft = _Draft(words, raised_by=1 if title and all(level > 1 for level in levels) else 0)
    for block, table_label in zip(blocks, _table_labels(blocks), strict=True):
        draft.add(block, table_label)
    draft.end_section()
    if draft.notes:
        draft.sections.append(Section("Footnotes", 1, SectionKind.OTHER, tuple(map(Paragraph, draft.notes))))
    return Document(
        title,
        tuple(draft.sections),
        tuple(draft.figures),
        tuple(_references(draft.entries)),
        provenance_of(path, text_format),
        paper_identifiers(front),
    )


@dataclass(slots=True)
class _Draft:
    """A document that is being put together."""

    words: Callable[[str], str]
    raised_by: int
    """Number of levels by which headings are raised, because the highest level is that of the title."""
    sections: list[Section] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    entries: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _heading: tuple[str, int] | None = None
    _paragraphs: list[str] = field(default_factory=list)
    _in_references: bool = False

    def add(self, block: Block, table_label: str) -> None:
        if block.kind is BlockKind.HEADING:
            self.end_section()
            self._in_references = REFERENCE_LIST.fullmatch(block.text) is not None
            self._heading = None if self._in_references else (block.text, block.level - self.raised_by)
        elif block.kind is BlockKind.NOTE:
            self.notes.append(block.text)
        elif block.kind is BlockKind.TABLE:
            if block.text:
                self.figures.append(Figure(table_label, block.text, is_table=True))
        elif caption := _caption(block):
            self.figures.append(Figure(caption["label"], caption["rest"].strip(), _is_of_table(caption)))
        elif self._in_references:
            self.entries += _entries(block.source) if block.source else ()
        elif self._paragraphs and (block.kind is BlockKind.FORMULA or _continues(self._paragraphs[-1], block.text)):
            self._paragraphs[-1] = self.words(f"{self._paragraphs[-1]}\n{block.text}")
        else:
            self._paragraphs.append(block.text)

    def end_section(self) -> None:
        if self._heading is not None or self._paragraphs:
            title, level = self._heading or ("", 1)
            self.sections.append(Section(title, level, kind_of(title), tuple(map(Paragraph, self._paragraphs))))
        self._heading, self._paragraphs = None, []


def _caption(block: Block) -> re.Match[str] | None:
    match = CAPTION.match(block.text) if block.kind is BlockKind.PARAGRAPH else None
    return match if match and match["end"].strip() else None


def _is_of_table(caption: re.Match[str]) -> bool:
    return caption["word"].lower().startswith("tab")


def _table_labels(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the label of the rows of each block that is a table, and "" for others.

    Where tables and captions of tables alternate, without anything else between them, each caption belongs to the table
    after it if a caption comes first, and to the table before it if a table comes first and a caption last. A table
    without a caption, or among others with one table too many, is just "Table".
    """
    captions = map(_caption, blocks)
    labels = [
        with_caption(caption["label"], caption["rest"].strip()) if caption and _is_of_table(caption) else ""
        for caption in captions
    ]
    is_table = [block.kind is BlockKind.TABLE for block in blocks]

    def first_of_run(first: int, n: int) -> int:
        return first if (is_table[n - 1] and labels[n]) or (labels[n - 1] and is_table[n]) else n

    firsts = list(accumulate(range(len(blocks)), first_of_run))
    lasts = {first: n for n, first in enumerate(firsts)}
    for n, first in enumerate(firsts):
        if not is_table[n]:
            yield ""
        elif labels[first]:
            yield labels[n - 1]
        else:
            yield labels[n + 1] if labels[lasts[first]] else "Table"


def _continues(paragraph: str, text: str) -> bool:
    """Return whether a block goes on with the sentence of the paragraph before it, from which a formula, a figure or
    the end of a page separates it.
    """
    is_open = paragraph.endswith("$$") or not paragraph.endswith(_ENDS)
    return is_open and _OPENS_SMALL.match(text) is not None


def _short_lines(block: str) -> list[str]:
    """Return the lines of a block; none if the block is so long that it must be running text."""
    return block.split("\n") if len(block.split()) <= MOST_WORDS else []


def _is_title(block: str) -> bool:
    return "\n" not in block.strip() and 0 < len(block) <= 2 * MAX_HEADING and not block.rstrip().endswith(".")


def plain_block(source: str, text: str) -> Block:
    """Return a paragraph without a style: a heading if it is short, with a number or the usual name of a section."""
    source = source.strip("\n")
    if "\n" not in source.strip() and len(text) <= MAX_HEADING:
        if match := _NUMBERED_HEADING.fullmatch(text):
            return Block(BlockKind.HEADING, text, source, match[1].count(".") + 1)
        if KNOWN_HEADING.fullmatch(text):
            return Block(BlockKind.HEADING, text, source, 1)
    return Block(BlockKind.PARAGRAPH, text, source)


def _entries(block: str) -> list[str]:
    """Return the entries in a block of the reference list: each line that reads like one together with the lines
    indented below it or, if most lines read like entries, with those that go on; otherwise the block as a whole.
    """
    lines = [line for line in block.split("\n") if line.strip()]
    block = "\n".join(lines)
    hanging = not lines[0][:1].isspace() and any(line[:1].isspace() for line in lines)
    if hanging:
        return [" ".join(entry.split()) for entry in re.split(r"\n(?=\S)", block)]
    if all(map(_ENTRY_MARK.match, lines)):
        return lines
    begins = [bool(line[:1].isalpha() and ListedWork.of("", line) is not None) for line in lines]
    if 2 * sum(begins) <= len(lines):
        return [" ".join(block.split())]
    entries: list[str] = []
    for line, is_first in zip(lines, begins, strict=True):
        if is_first or not entries:
            entries.append(line)
        else:
            entries[-1] += f" {line}"
    return entries


def _references(entries: Iterable[str]) -> Iterator[Reference]:
    for number, entry in enumerate(entries, 1):
        mark = _ENTRY_MARK.match(entry)
        key = next(filter(None, mark.groups()), None) if mark else None
        yield Reference(key or str(number), entry[mark.end() :] if mark else entry)
