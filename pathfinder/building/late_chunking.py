"""Late chunking: the vector of each token of an abstract is computed in the context of its neighbours and the title.

After Günther et al. 2024, arXiv:2409.04701. A text longer than the model's window is read in several windows: each
later one contains the title, and the abstract starting from the sentence that was cut.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.words import INDEX_STOP_WORDS
from pathfinder.models.ports import TokenEmbedder, TokenVectors
from pathfinder.text.sentences import sentence_spans
from pathfinder.types import Paper

MAX_TITLE_CHARACTERS = 200
"""Limit on the length of the title in a later window: even at one token per character, part of the window is left for
the abstract.
"""


@dataclass(frozen=True, slots=True, eq=False)
class ReadPaper:
    """All tokens of a paper except those that the model adds."""

    title: TokenVectors
    """Tokens of the title and of the full stop after it; their spans are positions in `paper.text`."""
    abstract: TokenVectors
    """Tokens of the abstract; their spans are positions in `paper.abstract`."""
    was_cut: bool
    """True if the paper needed more than one window."""


def read_on(papers: Sequence[Paper], first: Sequence[TokenVectors], embedder: TokenEmbedder) -> list[ReadPaper]:
    """Read `papers` to the end; `first` holds, for each paper, the tokens of `paper.text` that fit in the first
    window.
    """
    readings = [_PaperReading(paper, tokens) for paper, tokens in zip(papers, first, strict=True)]
    rest = cut_readings = [reading for reading in readings if not reading.is_at_the_end]
    while rest:
        windows = embedder.embed_tokens([reading.next_window() for reading in rest])
        went_on = [reading.take_in(tokens) for reading, tokens in zip(rest, windows, strict=True)]
        # Without this check, characters that never become tokens, such as control characters, would be read forever.
        rest = [reading for reading, on in zip(rest, went_on, strict=True) if on and not reading.is_at_the_end]
    return [ReadPaper(reading.title, reading.abstract, reading in cut_readings) for reading in readings]


def content_tokens(text: str, tokens: TokenVectors) -> TokenVectors:
    """Return the tokens that carry meaning: no punctuation and no stop words, unless a stop word is part of a longer
    word.
    """
    words = [text[start:end].lower() for start, end in tokens.spans]
    is_stop_word = [
        word in INDEX_STOP_WORDS and _is_whole_word(text, start, end)
        for word, (start, end) in zip(words, tokens.spans, strict=True)
    ]
    says = [any(map(str.isalnum, word)) for word in words]
    return _mask(tokens, np.array(says, dtype=np.bool_) & ~np.array(is_stop_word, dtype=np.bool_))


class _PaperReading:
    """Progress in reading a paper."""

    def __init__(self, paper: Paper, first: TokenVectors) -> None:
        offset = len(paper.text) - len(paper.abstract)
        self.title = _between(first, 0, offset)
        self.abstract = _shift(_between(first, offset, len(paper.text)), -offset)
        self._rest = paper.abstract.rstrip()
        self._sentences = sentence_spans(paper.abstract)
        self._prefix = f"{paper.title[:MAX_TITLE_CHARACTERS].rstrip('.')}. "
        self._start = -1

    @property
    def is_at_the_end(self) -> bool:
        return self._n_covered >= len(self._rest)

    def next_window(self) -> str:
        """Return the rest of the text, starting at the sentence that was cut or, if that sentence opened the last
        window, from the cut itself.
        """
        cut_starts = [start for start, end in self._sentences if self._start < start < self._n_covered < end]
        self._start = cut_starts[0] if cut_starts else self._n_covered
        return self._prefix + self._rest[self._start :]

    def take_in(self, tokens: TokenVectors) -> bool:
        """Add the tokens of the last window; return whether there were any. Tokens that are read again replace the
        earlier ones, because the later window contains more of the sentence.
        """
        offset = len(self._prefix)
        new = _shift(_between(tokens, offset, offset + len(self._rest)), self._start - offset)
        self.abstract = _join(_between(self.abstract, 0, self._start), new)
        return len(new.ids) > 0

    @property
    def _n_covered(self) -> int:
        return int(self.abstract.spans[-1, 1]) if len(self.abstract.spans) else 0


def _between(tokens: TokenVectors, start: int, end: int) -> TokenVectors:
    """Return the tokens that lie in `text[start:end]`; those added by the model are never included."""
    first, last = tokens.spans[:, 0], tokens.spans[:, 1]
    return _mask(tokens, (first >= start) & (last <= end) & (first < last))


def _mask(tokens: TokenVectors, mask: NDArray[np.bool_]) -> TokenVectors:
    return TokenVectors(tokens.vectors[mask], tokens.ids[mask], tokens.spans[mask])


def _is_whole_word(text: str, start: int, end: int) -> bool:
    return not (text[start - 1 : start].isalnum() or text[end : end + 1].isalnum())


def _shift(tokens: TokenVectors, by: int) -> TokenVectors:
    return TokenVectors(tokens.vectors, tokens.ids, tokens.spans + np.int32(by))


def _join(first: TokenVectors, second: TokenVectors) -> TokenVectors:
    return TokenVectors(
        np.concatenate([first.vectors, second.vectors]),
        np.concatenate([first.ids, second.ids]),
        np.concatenate([first.spans, second.spans]),
    )
