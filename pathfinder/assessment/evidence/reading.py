"""The sentences of a text and the sources that each cites by marks such as [2], [1, 4], [1-3] or [smith]."""

import re
from collections.abc import Collection

from pathfinder.corpus.sentences import split_sentences

_BRACKETS = re.compile(r"\[([^\[\]]{1,200})\]")
_MATHEMATICS = re.compile(r"\$[^$]{1,300}\$")
_SEPARATOR = re.compile(r"\s*(?:,|;|&|\band\b)\s*")
_NUMBER = re.compile(r"\d{1,4}")
_RANGE = re.compile(r"(\d{1,4})\s*[-–—]\s*(\d{1,4})")
_BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d+[.)]\s+|#+\s*)")
_CLOSING = re.compile(r"\s*[.,;:!?]*\s*")

LONGEST_RANGE = 30
"""[1-2000] is no range of citations."""


def cited_sentences(text: str, source_ids: Collection[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The sentences of `text` in order, without their marks, each with the ids that it cites, each once.

    A mark behind the full stop belongs to the sentence before it. A number in brackets is a citation also where no
    source has that id: it then names a source that is not there. Other words in brackets are words.
    """
    found: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
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
    """The ids that the inside of a pair of brackets names; none where it is no mark."""
    if inside.strip() in source_ids:
        return [inside.strip()]
    ids: list[str] = []
    for part in _SEPARATOR.split(inside.strip()):
        stretch = _RANGE.fullmatch(part)
        if part in source_ids or _NUMBER.fullmatch(part):
            ids.append(part)
        elif stretch and 0 < int(stretch[2]) - int(stretch[1]) < LONGEST_RANGE:
            ids += [str(number) for number in range(int(stretch[1]), int(stretch[2]) + 1)]
        else:
            return []
    return ids
