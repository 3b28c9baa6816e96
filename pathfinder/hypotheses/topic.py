"""A topic: a question or some papers, with the concepts that are more common in its papers than in the whole corpus."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.errors import UsageError
from pathfinder.hypotheses.concepts import Concepts
from pathfinder.landscape.statistics.significance import FDR, at_least, benjamini_hochberg
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import Rows, SearchResult

MIN_AMONG = 2
"""Minimum number of a topic's papers that must have a concept for the concept to belong to the topic."""
N_MATCHES = 50
"""Number of a question's best matches that count as its papers."""


@dataclass(frozen=True, slots=True, eq=False)
class HypothesisTopic:
    """A question or some papers; every hypothesis on it contains at least one of its concepts."""

    name: str
    rows: Rows
    """Rows of its papers."""


def topic_of(papers: PaperTable, about: SearchResult | None, paper_ids: Sequence[str]) -> HypothesisTopic | None:
    """Return the topic of a question, or of papers; `None` if there is neither.

    Papers that a live search has added are left out. Raises `UsageError` for a paper that is not among `papers`.
    """
    if about is not None:
        hits = weigh(about.candidates, about.request.weighting, N_MATCHES)
        return HypothesisTopic(
            about.request.query, np.array([hit.row for hit in hits if hit.row < len(papers)], dtype=np.int64)
        )
    if not paper_ids:
        return None
    rows = papers.rows_of(paper_ids)
    if unknown_id := next((key for key, row in zip(paper_ids, rows, strict=True) if row < 0), None):
        raise UsageError(f"no paper in this corpus has the id {unknown_id!r}: `pathfinder search` shows ids")
    return HypothesisTopic("1 paper" if len(rows) == 1 else f"{len(rows):,} papers", np.unique(rows))


def concepts_of_topic(concepts: Concepts, rows: Rows) -> NDArray[np.bool_]:
    """Return a mask, shape (n_concepts,), of the concepts that at least `MIN_AMONG` of the papers at `rows` have, and
    that more of them have than chance would explain (exact hypergeometric test, false discovery rate 5%).
    """
    n_among = np.asarray(concepts.papers[rows].sum(axis=0), dtype=np.float64)
    n_papers = concepts.papers.shape[0]
    p = at_least(n_among, n_papers, len(rows), concepts.n_papers.astype(np.float64))
    return np.asarray((benjamini_hochberg(p) <= FDR) & (n_among >= MIN_AMONG))
