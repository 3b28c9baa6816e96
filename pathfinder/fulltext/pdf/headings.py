"""Headings: their titles without numbers, and their levels, judged by numbering and appearance."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pathfinder.fulltext.pdf.layout.blocks import Block
from pathfinder.fulltext.pdf.layout.page_model import Run, TextLine
from pathfinder.fulltext.pdf.roles import KNOWN_HEADING, NUMBER

MOST_RUN_IN_WORDS = 14
DEEPEST = 4
"""Deepest level that a heading can have."""

_ABSTRACT = re.compile(r"(abstract|summary|zusammenfassung|résumé|resumen)\s*(?:[.:—–-]+)\s*", re.IGNORECASE)
_LETTER = re.compile(r"([A-Z])\.?\s+(?=\S)")
_APPENDIX = re.compile(r"(?:appendix|anhang|annexe|apéndice)\b[\s:.]*(?:[A-Z]\b[\s:.]*)?", re.IGNORECASE)
_BARE_APPENDIX = re.compile(r"(?:appendix|appendices|anhang|annexes?|apéndices?)[:.]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as printed, with its appearance: size [points], bold, italic, capitals, and whether text follows it on
    the same line.
    """

    text: str
    look: tuple[float, bool, bool, bool]
    runs_in: bool = False

    @property
    def title(self) -> str:
        """Words of the heading without its number."""
        number = NUMBER.match(self.text)
        words = self.text[number.end() :] if number else self.text
        appendix = _APPENDIX.match(words)
        if appendix and appendix.end() < len(words):
            words = words[appendix.end() :]
        return words.strip().rstrip(".:" if self.runs_in or number else ":").strip()

    @property
    def begins_appendix(self) -> bool:
        """True if the heading calls itself an appendix."""
        return bool(_APPENDIX.match(self.text))

    @property
    def is_bare_appendix(self) -> bool:
        """True if the heading only announces appendices."""
        return bool(_BARE_APPENDIX.fullmatch(self.text.strip()))


def heading_of(block: Block, text: str) -> Heading:
    """Return a block as a heading, with its words as running text."""
    return Heading(text, _look(block, text))


def _look(block: Block, text: str) -> tuple[float, bool, bool, bool]:
    letters = [letter for letter in text if letter.isalpha()]
    capitals = sum(letter.isupper() for letter in letters) > 0.8 * len(letters)
    return round(block.size), block.share(bold=True) > 0.7, block.share(italic=True) > 0.7, capitals


def split_run_in(block: Block) -> tuple[Heading, Block] | None:
    """Return the heading at the start of a paragraph and the rest of the paragraph; `None` if there is no heading."""
    line = block.lines[0]
    abstract = _ABSTRACT.match(line.text)
    if abstract and len(block.text.split()) > MOST_RUN_IN_WORDS:
        return Heading(abstract[1], (round(block.size), False, False, False), True), _cut(block, abstract.end())
    prefix = _marked_prefix(line)
    words = prefix.split()
    if not words or len(words) > MOST_RUN_IN_WORDS or len(prefix) >= len(line.text):
        return None
    if not prefix.rstrip().endswith((".", ":", "—")) or sum(letter.isalpha() for letter in prefix) < 4:
        return None
    style = line.runs[0].style
    heading = Heading(prefix.strip().rstrip("—"), (round(block.size), style.bold, style.italic, False), True)
    return heading, _cut(block, len(prefix))


def _marked_prefix(line: TextLine) -> str:
    """Return the words in bold at the beginning of a line, or in bold or italics if the line begins with a number."""
    is_numbered = bool(NUMBER.match(line.text))
    prefix = ""
    for run in line.runs:
        is_number = is_numbered and not prefix.strip(" .0123456789")
        if not (run.style.bold or (is_numbered and (run.style.italic or is_number))):
            break
        prefix += run.text
    return prefix if len(prefix.strip(" .0123456789")) > 1 else ""


def _cut(block: Block, count: int) -> Block:
    """Return a block without the first `count` characters of its first line."""
    runs: list[Run] = []
    for run in block.lines[0].runs:
        rest = run.text[count:]
        count = max(0, count - len(run.text))
        if rest:
            runs.append(replace(run, text=rest if runs else rest.lstrip()))
    first = (replace(block.lines[0], runs=tuple(runs)),) if runs else ()
    return replace(block, lines=first + block.lines[1:])


def with_appendices(headings: Sequence[Heading]) -> list[Heading]:
    """Return `headings`, with each lettered heading marked as an appendix if it follows numbered headings of the same
    appearance.
    """
    numbers = [NUMBER.match(heading.text) for heading in headings]
    looks = {each.look for each, number in zip(headings, numbers, strict=True) if number and number["decimal"]}
    if any(number and number["roman"] for number in numbers):
        looks = set()
    appendices: list[Heading] = []
    next_letter = "A"
    for heading in headings:
        letter = _LETTER.match(heading.text)
        is_next = bool(letter and letter[1] == next_letter and heading.look in looks and len(appendices) > 1)
        appendices.append(replace(heading, text=f"Appendix {heading.text}") if is_next else heading)
        next_letter = chr(ord(next_letter) + is_next)
    return appendices


def levels_of(headings: Sequence[Heading]) -> tuple[int, ...]:
    """Return the level of each heading, counted from 1: determined by its number, or else by numbered headings of the
    same appearance, or else by its size.
    """
    has_roman = any((number := NUMBER.match(heading.text)) and number["roman"] for heading in headings)
    levels_by_number = [_numbered_level(heading.text, has_roman) for heading in headings]
    looks = {heading.look: level for heading, level in zip(headings, levels_by_number, strict=True) if level}
    sizes = sorted({heading.look[0] for heading in headings if not heading.runs_in}, reverse=True)
    levels: list[int] = []
    for heading, by_number in zip(headings, levels_by_number, strict=True):
        is_known = not heading.text or heading.begins_appendix or KNOWN_HEADING.fullmatch(heading.text)
        known_level = 1 if is_known else looks.get(heading.look)
        levels.append(min(by_number or known_level or _level_by_size(heading, sizes), DEEPEST))
    return tuple(levels)


def _level_by_size(heading: Heading, sizes: Sequence[float]) -> int:
    return DEEPEST - 1 if heading.runs_in else sizes.index(heading.look[0]) + 1


def _numbered_level(text: str, has_roman: bool) -> int | None:
    number = NUMBER.match(text)
    if number is None:
        return None
    if number["decimal"]:
        return number["decimal"].count(".") + 1
    if number["item"]:
        return 3
    if number["roman"] and has_roman:
        return 1
    return 2 if has_roman else 1
