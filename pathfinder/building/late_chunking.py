"""Late chunking: each token of an abstract has a vector that was made in sight of its neighbours and the title.

After Günther et al. 2024, arXiv:2409.04701. A text longer than the model reads is read in further windows: the
title, and the abstract from the sentence on that was cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.sentences import sentence_spans
from pathfinder.index.words import INDEX_STOP_WORDS
from pathfinder.models.ports import TokenEmbedder, TokenVectors
from pathfinder.types import Paper

MAX_TITLE_CHARACTERS = 200
"""Of the title in a further window: even at a token a character, some of the window is left for the abstract."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadPaper:
    """The tokens of a paper, read to its end; marks that the model adds are left out."""

    title: TokenVectors
    """Spans lie in `paper.title`, or on the full stop behind it."""
    abstract: TokenVectors
    """Spans lie in `paper.abstract`."""
    was_cut: bool
    """Whether it took more than one window."""


def read_on(papers: Sequence[Paper], first: Sequence[TokenVectors], embedder: TokenEmbedder) -> list[ReadPaper]:
    """Read `papers` to their ends; `first` holds the tokens of each `paper.text`, as far as the model read it."""
    readings = [_Reading(paper, tokens) for paper, tokens in zip(papers, first, strict=True)]
    rest = cut = [reading for reading in readings if not reading.is_at_the_end]
    while rest:
        windows = embedder.embed_tokens([reading.next_window() for reading in rest])
        went_on = [reading.take_in(tokens) for reading, tokens in zip(rest, windows, strict=True)]
        # What no window makes a token of, such as control characters, would be read for ever.
        rest = [reading for reading, on in zip(rest, went_on, strict=True) if on and not reading.is_at_the_end]
    return [ReadPaper(reading.title, reading.abstract, reading in cut) for reading in readings]


def content_tokens(text: str, tokens: TokenVectors) -> TokenVectors:
    """Those that say what `text` is about: no signs, and no stop words; a part of a longer word is none."""
    pieces = [text[start:end].lower() for start, end in tokens.spans]
    is_stop_word = [
        piece in INDEX_STOP_WORDS and _is_whole_word(text, start, end)
        for piece, (start, end) in zip(pieces, tokens.spans, strict=True)
    ]
    says = [any(map(str.isalnum, piece)) for piece in pieces]
    return _chosen(tokens, np.array(says, dtype=np.bool_) & ~np.array(is_stop_word, dtype=np.bool_))


class _Reading:
    """How far a paper has been read."""

    def __init__(self, paper: Paper, first: TokenVectors) -> None:
        offset = len(paper.text) - len(paper.abstract)
        self.title = _between(first, 0, offset)
        self.abstract = _shifted(_between(first, offset, len(paper.text)), -offset)
        self._rest = paper.abstract.rstrip()
        self._sentences = sentence_spans(paper.abstract)
        self._prefix = f"{paper.title[:MAX_TITLE_CHARACTERS].rstrip('.')}. "
        self._start = -1

    @property
    def is_at_the_end(self) -> bool:
        return self._covered >= len(self._rest)

    def next_window(self) -> str:
        """From the sentence on that was cut; from the cut where that sentence opened the last window."""
        cut = [start for start, end in self._sentences if self._start < start < self._covered < end]
        self._start = cut[0] if cut else self._covered
        return self._prefix + self._rest[self._start :]

    def take_in(self, tokens: TokenVectors) -> bool:
        """Add the tokens of the last window, and tell whether it had any; those read again saw more of the sentence."""
        offset = len(self._prefix)
        new = _shifted(_between(tokens, offset, offset + len(self._rest)), self._start - offset)
        self.abstract = _joined(_between(self.abstract, 0, self._start), new)
        return len(new.ids) > 0

    @property
    def _covered(self) -> int:
        return int(self.abstract.spans[-1, 1]) if len(self.abstract.spans) else 0


def _between(tokens: TokenVectors, start: int, end: int) -> TokenVectors:
    """Those that lie in `text[start:end]`; marks lie nowhere."""
    first, last = tokens.spans[:, 0], tokens.spans[:, 1]
    return _chosen(tokens, (first >= start) & (last <= end) & (first < last))


def _chosen(tokens: TokenVectors, kept: NDArray[np.bool_]) -> TokenVectors:
    return TokenVectors(tokens.vectors[kept], tokens.ids[kept], tokens.spans[kept])


def _is_whole_word(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


def _shifted(tokens: TokenVectors, by: int) -> TokenVectors:
    return TokenVectors(tokens.vectors, tokens.ids, tokens.spans + np.int32(by))


def _joined(one: TokenVectors, other: TokenVectors) -> TokenVectors:
    return TokenVectors(
        np.concatenate([one.vectors, other.vectors]),
        np.concatenate([one.ids, other.ids]),
        np.concatenate([one.spans, other.spans]),
    )
