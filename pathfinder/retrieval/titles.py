"""Titles: an index of their own, for a question that is worded as a title is."""

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import NO_HITS, Allowed, Ranking
from pathfinder.retrieval.question import Direction
from pathfinder.types import POOL_SIZE, Floats, Rows


def look_up_titles(vector: Direction, allowed: Allowed, corpus: Corpus) -> tuple[Ranking, str]:
    """The papers of the 1,000 titles nearest to the question."""
    if vector is None:
        return NO_HITS, "not used: words only"
    if corpus.titles is None:
        return NO_HITS, f"not run: {corpus.absent['titles']}"
    return corpus.titles.search(vector, POOL_SIZE, allowed), "exact cosine, FAISS"


def title_matches(rows: Rows, vector: Direction, corpus: Corpus) -> Floats | None:
    """Cosine of the question and each title, clipped at 0; `None` where either is missing."""
    if vector is None or corpus.titles is None:
        return None
    cosines: Floats = np.einsum("ij,j->i", corpus.titles.vectors(rows), vector, dtype=np.float64)
    return np.clip(cosines, 0.0, 1.0)
