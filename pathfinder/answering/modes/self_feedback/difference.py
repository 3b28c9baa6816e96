"""Compares two versions of a text word by word."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_WORD = re.compile(r"\S+")
_PIECE = re.compile(r"\s+|(?:[^\s,.;:!?]|[,.;:!?](?=\S))+|[,.;:!?]")
"""White space, a word or number, or the punctuation after it, each on its own, so that "73." and "73," have "73" in
common.
"""

LARGE = 9_000_000
"""Number of word pairs beyond which frequent words are skipped: every old word is compared with every new one."""


class Fate(StrEnum):
    """Outcome of the comparison for a stretch of text."""

    SAME = "same"
    GONE = "gone"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A run of words and white space that is entirely unchanged, deleted or new."""

    fate: Fate
    text: str


def difference(old: str, new: str) -> tuple[Stretch, ...]:
    """Compare `old` with `new`: unchanged and new stretches make up `new`, unchanged and deleted ones `old`.

    Between unchanged words, deleted text comes before new text; white space within a change belongs to it.
    """
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    stretches: list[Stretch] = []
    old_text = new_text = ""
    for kind, i, j, k, m in _matcher(before, after).get_opcodes():
        was, now = "".join(before[i:j]), "".join(after[k:m])
        is_gap = not was.strip() and (old_text or new_text) and j < len(before) and m < len(after)
        if kind == "equal" and not is_gap:
            stretches += [*_change_stretches(old_text, new_text), Stretch(Fate.SAME, now)]
            old_text = new_text = ""
        else:
            old_text, new_text = old_text + was, new_text + now
    return (*stretches, *_change_stretches(old_text, new_text))


def _change_stretches(old_text: str, new_text: str) -> list[Stretch]:
    return [Stretch(fate, text) for fate, text in ((Fate.GONE, old_text), (Fate.NEW, new_text)) if text]


def share_kept(old: str, new: str) -> float:
    """Compute the share of the words in `old` that `new` contains in the same order, in [0, 1]; 1 if `old` has no
    words.
    """
    before, after = _WORD.findall(old), _WORD.findall(new)
    n_same = sum(block.size for block in _matcher(before, after).get_matching_blocks())
    return n_same / len(before) if before else 1.0


def _matcher(before: list[str], after: list[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=len(before) * len(after) > LARGE)
