"""Several questions' pools as one: each paper as the question saw it that it fits best."""

from collections.abc import Sequence

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.types import POOL_SIZE, Candidates, Floats, Passage, Rows, SearchResult


def merge(pools: Sequence[Candidates], corpus: Corpus) -> Candidates:
    """The best 1,000 papers of `pools`, best first, each once, with all its factors from one pool.

    That is the pool in which its fused score is highest, the first of equals; nobody has `found_by` yet.
    """
    rows = np.concatenate([pool.rows for pool in pools])
    fused = np.concatenate([pool.fused for pool in pools])
    number = np.repeat(np.arange(len(pools)), [len(pool) for pool in pools])
    best_first = np.lexsort((number, rows, -fused))
    _, first_places = np.unique(rows[best_first], return_index=True)
    kept = best_first[np.sort(first_places)][:POOL_SIZE]

    def known(name: str) -> Floats:
        return np.concatenate([getattr(pool, name) for pool in pools])[kept]

    return Candidates(
        papers=corpus.papers.take(rows[kept]),
        rows=rows[kept],
        vectors=np.concatenate([pool.vectors for pool in pools])[kept],
        dense=known("dense"),
        sparse=known("sparse"),
        fused=fused[kept],
        keyword=known("keyword"),
        age_years=known("age_years"),
        citation_count=known("citation_count"),
        citation_percentile=known("citation_percentile"),
        title_match=_if_known(pools, "title_match", kept),
        position=_if_known(pools, "position", kept),
        coverage=_if_known(pools, "coverage", kept),
        diversity=_if_known(pools, "diversity", kept),
        rerank=_if_known(pools, "rerank", kept),
        passages=_passages(pools, kept),
    )


def _if_known(pools: Sequence[Candidates], name: str, kept: Rows) -> Floats | None:
    """A factor of an optional stage, NaN from a pool that has none; `None` where no pool has it."""
    values: list[Floats | None] = [getattr(pool, name) for pool in pools]
    if all(value is None for value in values):
        return None
    filled = [np.full(len(pool), np.nan) if value is None else value for pool, value in zip(pools, values, strict=True)]
    return np.concatenate(filled)[kept]


def _passages(pools: Sequence[Candidates], kept: Rows) -> tuple[tuple[Passage, ...], ...]:
    if not any(pool.passages for pool in pools):
        return ()
    joined = [passages for pool in pools for passages in pool.passages or ((),) * len(pool)]
    return tuple(joined[i] for i in kept)


def found_by(rows: Rows, finds: Sequence[tuple[str, Rows]]) -> tuple[tuple[str, ...], ...]:
    """For each of `rows` the questions of `finds` that found it, in their order."""
    finders: dict[int, tuple[str, ...]] = {}
    for question, found in finds:
        for row in dict.fromkeys(found.tolist()):
            finders[row] = (*finders.get(row, ()), question)
    return tuple(finders.get(row, ()) for row in rows.tolist())


def hit_rows(result: SearchResult) -> Rows:
    """The rows of the hits, best first."""
    return np.array([hit.row for hit in result.hits], dtype=np.int64)
