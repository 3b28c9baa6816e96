"""The sentences of a text and the sources that each cites by marks such as [2], [1, 4], [1-3] or [smith]."""

import re
from collections.abc import Collection

from pathfinder.corpus.sentences import split_sentences

_BRACKETS = re.compile(r"\[([^\[\]]{1,200})\]")
_MATHEMATICS = re.compile(r"\$[^$]{1,300}\$")
_SEPARATOR = re.compile(r"\s*[,;]\s*")
_LOOSE_SEPARATOR = re.compile(r"\s*(?:&|\band\b)\s*")
"""Only where the whole is no id: "2014A&A...571A..16P" is one."""
_NUMBER = re.compile(r"\d{1,4}")
_RANGE = re.compile(r"(\d{1,4})\s*[-–—]\s*(\d{1,4})")
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s*)")
_NEW_BLOCK = re.compile(r"\s*(?:[-*•|]\s|\d+[.)]\s|#|\[[^\[\]]{1,200}\]\s+[A-Z])")
_HEADING = re.compile(r"\s*#+\s")
_OTHER_WAYS = (
    (re.compile(r"[【［〔]([^\[\]【】［］〔〕†\n]{1,200})(?:†[^】］〕\n]{0,40})?[】］〕]"), r"[\1]"),  # 【1†source】
    (re.compile(r"\[\^([^\[\]^]{1,200})\]"), r"[\1]"),  # [^1]
    (re.compile(r"\[(\[[^\[\]]{1,200}\])\]"), r"\1"),  # [[1]]
    (re.compile(r"(\[[^\[\]]{1,200}\])\((?:https?:|#)[^()\s]{0,2000}\)"), r"\1"),  # [1](https://...)
    (re.compile(r"\[(\d{1,4})\]\s?[-–—]\s?\[(\d{1,4})\]"), r"[\1-\2]"),  # [1]-[3]
    (re.compile(r"([.!?])(?=\[)"), r"\1 "),  # "so it is.[1] Yet"
)
"""Marks as some write them, and as they are read here."""
_BEFORE_AN_ID = re.compile(
    r"(?:sources?|references?|refs?\.?|papers?|documents?|docs?|nos?\.|[#^])[\s:#]*", re.IGNORECASE
)
"""Words before what is cited: [source 1], [^1, ^2]."""
_CLOSING = re.compile(r"\s*[.,;:!?]*\s*")

LONGEST_RANGE = 30
"""[1-2000] is no range of citations."""


def cited_sentences(text: str, source_ids: Collection[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The sentences of `text` in order, without their marks, each with the ids that it cites, each once.

    A mark behind the full stop belongs to the sentence before it. A number in brackets is a citation also where no
    source has that id: it then names a source that is not there. Other words in brackets are words. Lines of a
    paragraph belong together; a list's item is a paragraph, and a heading says nothing.
    """
    found: list[tuple[str, list[str]]] = []
    for line in _paragraphs(text):
        n_before = len(found)
        for sentence in split_sentences(_BULLET.sub("", line)):
            leading, rest = _leading(sentence, source_ids)
            if leading and len(found) > n_before:
                found[-1][1].extend(leading)
            else:
                rest = sentence
            words, cited = _unmarked(rest, source_ids)
            if words:
                found.append((words, cited))
            elif cited and len(found) > n_before:
                found[-1][1].extend(cited)
    return tuple((words, tuple(dict.fromkeys(cited))) for words, cited in found)


def _paragraphs(text: str) -> list[str]:
    """The paragraphs of `text`, each on one line, its marks written the usual way; headings are left out."""
    paragraphs: list[list[str]] = [[]]
    for line in text.splitlines():
        if not line.strip() or _NEW_BLOCK.match(line):
            paragraphs.append([])
        if not _HEADING.match(line):
            paragraphs[-1].append(line.strip())
    joined = [" ".join(lines) for lines in paragraphs if lines]
    for pattern, usual in _OTHER_WAYS:
        joined = [pattern.sub(usual, line) for line in joined]
    return joined


def _leading(sentence: str, source_ids: Collection[str]) -> tuple[list[str], str]:
    """The ids of the marks that `sentence` begins with, and what follows them."""
    cited: list[str] = []
    while (mark := _BRACKETS.match(sentence)) and (ids := _ids(mark[1], source_ids)):
        cited += ids
        sentence = sentence[mark.end() :]
        closing = _CLOSING.match(sentence)
        sentence = sentence[closing.end() :] if closing else sentence
    return cited, sentence


def _unmarked(sentence: str, source_ids: Collection[str]) -> tuple[str, list[str]]:
    """`sentence` without its marks, and what they cite; no words where nothing but marks is left."""
    cited: list[str] = []
    kept = ""
    end = 0
    mathematics = [match.span() for match in _MATHEMATICS.finditer(sentence)]
    for mark in _BRACKETS.finditer(sentence):
        ids = _ids(mark[1], source_ids)
        if not ids or any(start < mark.start() and mark.end() < stop for start, stop in mathematics):
            continue
        cited += ids
        kept += sentence[end : mark.start()].rstrip()
        end = mark.end()
    kept += sentence[end:]
    return (kept.strip() if re.search(r"\w", kept) else ""), cited


def _ids(inside: str, source_ids: Collection[str]) -> list[str]:
    """The ids that the inside of a pair of brackets names; none where it is no mark.

    Where one of them is a source's id or everything is a number, it is a mark, and its remarks ("Fig. 2") are left out.
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
    return ids if is_mark or any(one in source_ids for one in ids) else []


def _parts(inside: str, source_ids: Collection[str]) -> list[str]:
    parts: list[str] = []
    for part in _SEPARATOR.split(inside):
        parts += [part] if part in source_ids else _LOOSE_SEPARATOR.split(part)
    return [part if part in source_ids else _bare(part, source_ids) for part in parts]


def _bare(part: str, source_ids: Collection[str]) -> str:
    """`part` without "source" before it, where a number or an id is left."""
    word = _BEFORE_AN_ID.match(part)
    left = part[word.end() :] if word else part
    return left if left in source_ids or _NUMBER.fullmatch(left) or _RANGE.fullmatch(left) else part
