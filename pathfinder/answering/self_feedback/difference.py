"""What two versions of a text share, word by word."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_WORD = re.compile(r"\S+")
_PIECE = re.compile(r"\s+|\S+")

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
    """From `old` to `new`: what is the same or new makes up `new`, what is the same or gone makes up `old`."""
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    stretches: list[Stretch] = []
    for kind, i, j, k, m in _matcher(before, after).get_opcodes():
        if kind == "equal":
            stretches.append(Stretch(Fate.SAME, "".join(after[k:m])))
            continue
        stretches += [
            Stretch(fate, text)
            for fate, text in ((Fate.GONE, "".join(before[i:j])), (Fate.NEW, "".join(after[k:m])))
            if text
        ]
    return tuple(stretches)


def share_kept(old: str, new: str) -> float:
    """Share of the words of `old` that stand in `new` in the same order, [0, 1]; 1 for an `old` without words."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    kept = sum(block.size for block in _matcher(before, after).get_matching_blocks())
    return kept / len(before) if before else 1.0


def _matcher(before: list[str], after: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=len(before) * len(after) > LARGE)
