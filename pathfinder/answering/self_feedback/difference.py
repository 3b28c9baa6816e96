"""What two versions of a text share, word by word."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_WORD = re.compile(r"\S+")
_PIECE = re.compile(r"\s+|(?:[^\s,.;:!?]|[,.;:!?](?=\S))+|[,.;:!?]")
"""White space, a word or a number, or the mark behind it: "73." and "73," share their 73."""

LARGE = 9_000_000
"""Pairs of words; beyond it frequent words are passed over, for each is compared with each."""


class Fate(StrEnum):
    """What became of a stretch of text."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Stretch:
    """Words, and the white space between them, that had the same fate."""

    fate: Fate
    text: str


def difference(old: str, new: str) -> tuple[Stretch, ...]:
    """From `old` to `new`: what is the same or new makes up `new`, what is the same or gone makes up `old`.

    Between the same words, what is gone stands before what is new; the white space within a change is part of it.
    """
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    stretches: list[Stretch] = []
    gone = added = ""
    for kind, i, j, k, m in _matcher(before, after).get_opcodes():
        was, now = "".join(before[i:j]), "".join(after[k:m])
        is_gap = not was.strip() and (gone or added) and j < len(before) and m < len(after)
        if kind == "equal" and not is_gap:
            stretches += [*_changed(gone, added), Stretch(Fate.SAME, now)]
            gone = added = ""
        else:
            gone, added = gone + was, added + now
    return (*stretches, *_changed(gone, added))


def _changed(gone: str, added: str) -> list[Stretch]:
    return [Stretch(fate, text) for fate, text in ((Fate.GONE, gone), (Fate.NEW, added)) if text]


def share_kept(old: str, new: str) -> float:
    """Share of the words of `old` that stand in `new` in the same order, [0, 1]; 1 for an `old` without words."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    kept = sum(block.size for block in _matcher(before, after).get_matching_blocks())
    return kept / len(before) if before else 1.0


def _matcher(before: list[str], after: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=len(before) * len(after) > LARGE)
