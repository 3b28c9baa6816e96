"""Reads plain text and Markdown, with paragraphs separated by empty lines, and headings that are marked or numbered."""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from pathfinder.errors import CorpusError
from pathfinder.fulltext.citing.listed_works import REFERENCE_LIST, ListedWork
from pathfinder.fulltext.document import Document, Paragraph, Reference, Section, TextFormat
from pathfinder.fulltext.paper_identifiers import FRONT_CHARACTERS, MOST_WORDS, paper_identifiers
from pathfinder.fulltext.pdf.roles import KNOWN_HEADING
from pathfinder.fulltext.provenance import provenance_of
from pathfinder.fulltext.section_kinds import kind_of

MAX_HEADING = 90
"""Maximum number of characters in a heading in plain text."""

_MARKDOWN_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*")
_NUMBERED_HEADING = re.compile(r"(\d+(?:\.\d+)*)\.?\s+(?=[A-Z])[^.!?]+")
_ENTRY_MARK = re.compile(r"^(?:\[(\w+)\]|(\d+)\.|[-*])\s+")

_Heading = tuple[str, int]


def read_markdown(path: Path) -> Document:
    """Read a Markdown file. Raises `CorpusError` if it is not UTF-8."""
    return _document(path, TextFormat.MARKDOWN, _markdown_heading)


def read_plain(path: Path) -> Document:
    """Read a file of plain text. Raises `CorpusError` if it is not UTF-8."""
    return _document(path, TextFormat.TEXT, _plain_heading)


def _document(path: Path, text_format: TextFormat, heading_of: Callable[[str], _Heading | None]) -> Document:
    text = _text(path)
    blocks = list(_blocks(text))
    headings = [heading_of(block) for block in blocks]
    title = ""
    first = next((place for place, heading in enumerate(headings) if place and heading), len(blocks))
    front = [line for block in blocks[:first] for line in _short_lines(block[:FRONT_CHARACTERS])]
    if headings and (headings[0] is not None or len(blocks) > 1) and _is_title(blocks[0]):
        title = headings[0][0] if headings[0] else " ".join(blocks[0].split())
        blocks, headings = blocks[1:], headings[1:]
    if title and all(heading[1] > 1 for heading in headings if heading):
        headings = [heading and (heading[0], heading[1] - 1) for heading in headings]
    sections, entries = _sections(zip(blocks, headings, strict=True))
    references = tuple(_references(entries))
    identifiers = paper_identifiers(front)
    return Document(title, tuple(sections), (), references, provenance_of(path, text_format), identifiers)


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path.name} is not UTF-8 at byte {error.start}: save it as UTF-8") from None


def _blocks(text: str) -> Iterator[str]:
    """Yield the blocks separated by empty lines; a Markdown heading is a separate block even without them."""
    for block in re.split(r"\n\s*\n|\f", text):
        rest: list[str] = []
        for line in block.strip("\n").split("\n"):
            if _MARKDOWN_HEADING.fullmatch(line.strip()):
                if rest:
                    yield "\n".join(rest)
                yield line.strip()
                rest = []
            elif line.strip():
                rest.append(line)
        if rest:
            yield "\n".join(rest)


def _short_lines(block: str) -> list[str]:
    """Return the lines of a block; none if the block is so long that it must be running text."""
    return block.split("\n") if len(block.split()) <= MOST_WORDS else []


def _is_title(block: str) -> bool:
    return "\n" not in block.strip() and len(block) <= 2 * MAX_HEADING and not block.rstrip().endswith(".")


def _markdown_heading(block: str) -> _Heading | None:
    match = _MARKDOWN_HEADING.fullmatch(block)
    return (match[2], len(match[1])) if match else None


def _plain_heading(block: str) -> _Heading | None:
    line = " ".join(block.split())
    if "\n" in block.strip() or len(line) > MAX_HEADING:
        return None
    if match := _NUMBERED_HEADING.fullmatch(line):
        return line, match[1].count(".") + 1
    return (line, 1) if KNOWN_HEADING.fullmatch(line) else None


def _sections(blocks: Iterable[tuple[str, _Heading | None]]) -> tuple[list[Section], list[str]]:
    """Return the sections, and the entries under the heading of the reference list."""
    sections: list[Section] = []
    entries: list[str] = []
    in_references = False
    for block, heading in blocks:
        if heading is not None:
            in_references = REFERENCE_LIST.fullmatch(heading[0]) is not None
            if not in_references:
                sections.append(Section(heading[0], heading[1], kind_of(heading[0]), ()))
        elif in_references:
            entries += _entries(block)
        else:
            if not sections:
                sections.append(Section("", 1, kind_of(""), ()))
            last = sections[-1]
            paragraph = Paragraph(" ".join(block.split()))
            sections[-1] = Section(last.title, last.level, last.kind, (*last.paragraphs, paragraph))
    return sections, entries


def _entries(block: str) -> list[str]:
    """Return the entries in a block of the reference list: each line by itself, each line together with the lines
    indented below it, or the block as a whole.
    """
    lines = block.split("\n")
    hanging = not lines[0][:1].isspace() and any(line[:1].isspace() for line in lines)
    if hanging:
        return [" ".join(entry.split()) for entry in re.split(r"\n(?=\S)", block)]
    are_entries = all(map(_ENTRY_MARK.match, lines)) or all(_is_entry(line) for line in lines)
    return lines if are_entries else [" ".join(block.split())]


def _is_entry(line: str) -> bool:
    return line[:1].isalpha() and ListedWork.of("", line) is not None


def _references(entries: Iterable[str]) -> Iterator[Reference]:
    for number, entry in enumerate(entries, 1):
        mark = _ENTRY_MARK.match(entry)
        key = next(filter(None, mark.groups()), None) if mark else None
        yield Reference(key or str(number), entry[mark.end() :] if mark else entry)
