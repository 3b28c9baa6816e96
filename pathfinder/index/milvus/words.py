"""Finds papers by their words: with the server's own BM25 where it has one, and with our index of words elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.milvus.vectors import MilvusVectors
from pathfinder.index.ports import Ranking, VectorIndex, WordIndex
from pathfinder.index.predicate import EVERY_PAPER, PaperColumns, Predicate
from pathfinder.index.sparse import SparseIndex
from pathfinder.index.words import QUESTION_STOP_WORDS, stems, words
from pathfinder.types import Expansion, Floats, Rows


@dataclass(frozen=True, slots=True, eq=False)
class MilvusWords:
    """Finds papers by their words in a corpus whose vectors are on a server.

    The word statistics come from our index, and so do the stems and stop words that the server uses.
    """

    vectors: MilvusVectors
    own: SparseIndex

    def __len__(self) -> int:
        return len(self.own)

    @property
    def language(self) -> str | None:
        return self.own.language

    @property
    def has_keywords(self) -> bool:
        """See `WordIndex.has_keywords`."""
        return self.own.has_keywords

    def method(self, expansions: Sequence[Expansion] = ()) -> str:
        """See `WordIndex.method`."""
        if not self.vectors.collection.has_words:
            return f"{self.own.method(expansions)}, our index: this Milvus has no BM25"
        if self.has_keywords:
            return f"{self.own.method(expansions)}, our index: Milvus's BM25 has no field for keywords"
        if expansions:
            return f"{self.own.method(expansions)}, our index: Milvus knows no other names"
        return "Milvus's BM25, our stems"

    def search(
        self, text: str, n: int, predicate: Predicate = EVERY_PAPER, expansions: Sequence[Expansion] = ()
    ) -> Ranking:
        """See `WordIndex.search`. Raises `EngineError` if the server does not answer."""
        if expansions or self.has_keywords or not self.vectors.collection.has_words:
            return self.own.search(text, n, predicate, expansions)
        return self.vectors.search_words(stems(words(text), QUESTION_STOP_WORDS), n, predicate)

    def content_words(self, text: str) -> tuple[str, ...]:
        """See `WordStatistics.content_words`."""
        return self.own.content_words(text)

    def document_frequencies(self, content_words: Sequence[str]) -> NDArray[np.int64]:
        """See `WordStatistics.document_frequencies`."""
        return self.own.document_frequencies(content_words)

    def foreign_language(self, text: str) -> str | None:
        """See `WordIndex.foreign_language`."""
        return self.own.foreign_language(text)

    def share_of_words(self, content_words: Sequence[str], rows: Rows) -> Floats:
        """See `WordIndex.share_of_words`."""
        return self.own.share_of_words(content_words, rows)


def open_words(folder: Path, vectors: VectorIndex, columns: PaperColumns | None = None) -> WordIndex:
    """Open our index of words in `folder`, with the server's BM25 alongside it if `vectors` are on a server."""
    own = SparseIndex.open(folder, columns)
    return MilvusWords(vectors, own) if isinstance(vectors, MilvusVectors) else own
