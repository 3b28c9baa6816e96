"""Merge the candidate pools of several questions: each paper keeps its scores for the question that it matches best."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.types import POOL_SIZE, Candidates, Floats, Passage, Rows, SearchResult
from pathfinder.types.results import OPTIONAL_VALUE_FIELDS, VALUE_FIELDS


def merge(pools: Sequence[Candidates], corpus: Corpus) -> Candidates:
    """Return the best 1,000 papers of `pools`, best first and without duplicates; `found_by` is not yet set.

    All factors of a paper come from one pool: the one in which its fused score is highest, or the first such pool in a
    tie.
    """
    rows = np.concatenate([pool.rows for pool in pools])
    fused = np.concatenate([pool.fused for pool in pools])
    number = np.repeat(np.arange(len(pools)), [len(pool) for pool in pools])
    best_first = np.lexsort((number, rows, -fused))
    _, first_positions = np.unique(rows[best_first], return_index=True)
    merged_order = best_first[np.sort(first_positions)][:POOL_SIZE]

    def join(name: str) -> Floats:
        return np.concatenate([getattr(pool, name) for pool in pools])[merged_order]

    arrays: dict[str, Any] = {name: join(name) for name in VALUE_FIELDS}
    for name in OPTIONAL_VALUE_FIELDS:
        arrays[name] = _join_optional([getattr(pool, name) for pool in pools], pools, merged_order)
    extra = dict.fromkeys(name for pool in pools for name in pool.extra)
    vectors = np.concatenate([pool.vectors for pool in pools])[merged_order]
    return Candidates(
        papers=corpus.papers.take(rows[merged_order]),
        rows=rows[merged_order],
        vectors=vectors,
        **arrays,
        passages=_join_passages(pools, merged_order),
        live=corpus.live,
        places=corpus.live_places,
        activations=corpus.features.activations(rows[merged_order], vectors) if corpus.features else None,
        full_texts=_of_kept_pool("full_texts", pools, merged_order),
        absent_words=_of_kept_pool("absent_words", pools, merged_order),
        named_rows={row: words for pool in pools for row, words in pool.named_rows.items()},
        searched_keywords=any(pool.searched_keywords for pool in pools),
        extra={
            name: values
            for name in extra
            if (values := _join_optional([pool.extra.get(name) for pool in pools], pools, merged_order)) is not None
        },
    )


def _join_optional(values: Sequence[Floats | None], pools: Sequence[Candidates], order: Rows) -> Floats | None:
    """Join the values of a factor, with NaN for pools without it; `None` if no pool has it."""
    if all(value is None for value in values):
        return None
    columns = [
        np.full(len(pool), np.nan) if value is None else value for pool, value in zip(pools, values, strict=True)
    ]
    return np.concatenate(columns)[order]


def _join_passages(pools: Sequence[Candidates], order: Rows) -> tuple[tuple[Passage, ...], ...]:
    if not any(pool.passages for pool in pools):
        return ()
    passage_lists = [passages for pool in pools for passages in pool.passages or ((),) * len(pool)]
    return tuple(passage_lists[i] for i in order)


def _of_kept_pool(name: str, pools: Sequence[Candidates], order: Rows) -> dict[int, Any]:
    """Take what is known of each paper's full text from the pool whose scores it keeps."""
    number = np.repeat(np.arange(len(pools)), [len(pool) for pool in pools])
    rows = np.concatenate([pool.rows for pool in pools])
    own = ((int(rows[i]), getattr(pools[int(number[i])], name).get(int(rows[i]))) for i in order)
    return {row: found for row, found in own if found}


def found_by(rows: Rows, finds: Sequence[tuple[str, Rows]]) -> tuple[tuple[str, ...], ...]:
    """Return, for each of `rows`, the questions in `finds` that found it, in order."""
    finders: dict[int, tuple[str, ...]] = {}
    for question, found_rows in finds:
        for row in dict.fromkeys(found_rows.tolist()):
            finders[row] = (*finders.get(row, ()), question)
    return tuple(finders.get(row, ()) for row in rows.tolist())


def hit_rows(result: SearchResult) -> Rows:
    """Return the rows of the hits, best first."""
    return np.array([hit.row for hit in result.hits], dtype=np.int64)
