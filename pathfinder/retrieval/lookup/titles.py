"""Title index, for questions that are worded like a title."""

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import NO_HITS, Ranking
from pathfinder.index.predicate import Predicate
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.stages import StageReport, failed_stage, skipped_stage
from pathfinder.types import POOL_SIZE, Floats, Rows


def look_up_titles(vector: Direction, predicate: Predicate, corpus: Corpus) -> tuple[Ranking, StageReport]:
    """Return the papers of the 1,000 titles nearest to the question."""
    if vector is None:
        return NO_HITS, skipped_stage("words only")
    if corpus.titles is None:
        return NO_HITS, failed_stage(corpus.absent["titles"])
    return corpus.titles.search(vector, POOL_SIZE, predicate), StageReport(corpus.titles.method)


def title_matches(rows: Rows, vector: Direction, corpus: Corpus) -> Floats | None:
    """Return the cosine between the question and each title, clipped at 0; `None` without a question vector or a title
    index.
    """
    if vector is None or corpus.titles is None:
        return None
    return np.clip(corpus.titles.cosines(rows, vector), 0.0, 1.0)
