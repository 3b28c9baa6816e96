"""Reads texts written elsewhere: their sentences, and the sources that they cite with marks such as [2], [1, 4] or
[smith].
"""

import re
from collections.abc import Collection

from pathfinder.answering.grounding.marks import (
    PASTED_BRACKETS,
    CitationMark,
    cited_sentences,
    in_usual_notation,
    without_marks,
)

_MATHEMATICS = re.compile(r"\$[^$]{1,300}\$")
_SEPARATOR = re.compile(r"(?:(?<!\s)\s+)?[,;]\s*")
_LOOSE_SEPARATOR = re.compile(r"(?:(?<!\s)\s+)?(?:&|\band\b)\s*")
"""Separators that apply only if the text in which they occur is not itself an id, such as "2014A&A...571A..16P"."""
_NUMBER = re.compile(r"\d{1,4}")
_RANGE = re.compile(r"(\d{1,4})\s*[-–—]\s*(\d{1,4})")
_NEW_BLOCK = re.compile(r"\s*(?:[-*•|]\s|\d+[.)]\s|#|\[[^\[\]]{1,200}\]\s+[A-Z])")
_HEADING = re.compile(r"\s*#+\s")
_BEFORE_AN_ID = re.compile(
    r"(?:sources?|references?|refs?\.?|papers?|documents?|docs?|nos?\.|[#^])[\s:#]*", re.IGNORECASE
)
"""Words and signs that may precede a citation: [source 1], [^1, ^2]."""
LONGEST_RANGE = 30
"""Maximum number of sources in a range of citations: [1-2000] is not taken for one."""


def read_cited(text: str, source_ids: Collection[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the sentences of `text` in order, without their marks, each with the ids that it cites, without
    duplicates.

    A mark after the full stop belongs to the sentence before it. A number in brackets is a citation even if no source
    has that id: it then refers to a missing source. Other words in brackets are ordinary text. Lines of a paragraph
    belong together; each list item is a paragraph, and headings are left out.
    """
    sentences: list[tuple[str, tuple[str, ...]]] = []
    # Headings are left out.
    paragraphs: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line.strip() or _NEW_BLOCK.match(line):
            paragraphs.append([])
        if not _HEADING.match(line):
            paragraphs[-1].append(line.strip())
    lines_joined = [" ".join(lines) for lines in paragraphs if lines]
    for paragraph in [in_usual_notation(line) for line in lines_joined]:
        marks = _marks(paragraph, source_ids)
        for sentence in cited_sentences(paragraph, marks):
            words = without_marks(paragraph, sentence.start, sentence.end, marks).strip()
            sentences.append((words, tuple(dict.fromkeys(sentence.names))))
    return tuple(sentences)


def _marks(paragraph: str, source_ids: Collection[str]) -> list[CitationMark]:
    """Find the citation marks in `paragraph`; brackets in mathematics do not count."""
    mathematics = [match.span() for match in _MATHEMATICS.finditer(paragraph)]
    marks = (
        CitationMark(*match.span(), tuple(_ids(match[1], source_ids))) for match in PASTED_BRACKETS.finditer(paragraph)
    )
    return [
        mark
        for mark in marks
        if mark.names and not any(start < mark.start and mark.end < end for start, end in mathematics)
    ]


def _ids(inside: str, source_ids: Collection[str]) -> list[str]:
    """Return the ids between a pair of brackets; none if they do not form a mark.

    The parts between the brackets form a mark if one of them is a source's id or all are numbers; remarks among them,
    such as "Fig. 2", are left out.
    """
    if inside.strip() in source_ids:
        return [inside.strip()]
    ids: list[str] = []
    is_mark = True
    for part in _parts(inside.strip(), source_ids):
        if part == "0" and part not in source_ids:
            return []  # [0, 1] is an interval
        stretch = _RANGE.fullmatch(part)
        if part in source_ids or _NUMBER.fullmatch(part):
            ids.append(part)
        elif stretch and abs(int(stretch[2]) - int(stretch[1])) < LONGEST_RANGE:
            first, last = sorted((int(stretch[1]), int(stretch[2])))
            ids += [str(number) for number in range(first, last + 1)]
        else:
            is_mark = False
    return ids if is_mark or any(name in source_ids for name in ids) else []


def _parts(inside: str, source_ids: Collection[str]) -> list[str]:
    parts: list[str] = []
    for part in _SEPARATOR.split(inside):
        parts += [part] if part in source_ids else _LOOSE_SEPARATOR.split(part)
    return [part if part in source_ids else _bare(part, source_ids) for part in parts]


def _bare(part: str, source_ids: Collection[str]) -> str:
    """Remove a word such as "source" from the start of `part` if a number or an id remains."""
    word = _BEFORE_AN_ID.match(part)
    rest = part[word.end() :] if word else part
    return rest if rest in source_ids or _NUMBER.fullmatch(rest) or _RANGE.fullmatch(rest) else part
