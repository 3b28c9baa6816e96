"""Cache of search results for one server: kept in memory, keyed by the request and the version of the corpus."""

from collections import OrderedDict
from dataclasses import fields, replace
from threading import Lock
from time import perf_counter

import numpy as np

from pathfinder.types import (
    LOCAL_RERANKER,
    NO_RERANKER,
    Candidates,
    SearchRequest,
    SearchResult,
    Stage,
    StageOutcome,
    StageStatus,
)

MAX_BYTES = 64 * 1024 * 1024
"""Memory for results, in bytes; a result with 1,000 candidates of 384 dimensions takes 1.7 MB, so about 38 fit."""
STAGE = "memory"
_BYTES_A_TEXT = 200
"""Estimated size, in bytes, of a string or a small object in a result."""


class SearchCache:
    """The most recent search results, within a limit on memory. Threads may share it.

    A request holds all settings and weights of its search, so requests that differ in any of them have separate
    results. A result is kept only if neither a chat model nor a vendor took part in the search: results paid for with
    one visitor's key are not shown to others, and a failed call is tried again.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes, self._n_bytes, self._lock = max_bytes, 0, Lock()
        self._results: OrderedDict[tuple[str, SearchRequest], SearchResult] = OrderedDict()

    def get(self, version: str, request: SearchRequest) -> SearchResult | None:
        """Return the stored result of `request` on this version of a corpus, with a stage that says that the search was
        run before; `None` if none is stored. The times of the other stages are left out, because they did not run
        again.
        """
        start = perf_counter()
        with self._lock:
            result = self._results.get((version, request))
            if result is None:
                return None
            self._results.move_to_end((version, request))
        stage = Stage(STAGE, "the same search was run before", perf_counter() - start)
        return replace(
            result,
            stages=(*(replace(earlier, seconds=None) for earlier in result.stages), stage),
            stage_status=(*result.stage_status, StageStatus(STAGE, None, StageOutcome.RAN)),
        )

    def store(self, version: str, request: SearchRequest, result: SearchResult) -> None:
        """Store `result`; above the limit, the least recently used results are dropped."""
        with self._lock:
            earlier = self._results.pop((version, request), None)
            self._n_bytes += size_of(result) - (size_of(earlier) if earlier else 0)
            self._results[version, request] = result
            while self._n_bytes > self._max_bytes:
                _, oldest = self._results.popitem(last=False)
                self._n_bytes -= size_of(oldest)

    def __len__(self) -> int:
        with self._lock:
            return len(self._results)


def is_repeatable(request: SearchRequest, *, has_chat: bool) -> bool:
    """Return whether a search always gives the same result: it uses no chat model, vendor, live source or plug-in
    factor.
    """
    is_local = request.reranker in (NO_RERANKER, LOCAL_RERANKER) and not request.weighting.extra
    return is_local and not request.live and not (request.uses_chat and has_chat)


def size_of(result: SearchResult) -> int:
    """Estimate the memory that a result takes, in bytes: the size of its arrays, plus a fixed amount per string."""
    pool = result.candidates
    arrays = [getattr(pool, entry.name) for entry in fields(Candidates)] + [*pool.extra.values()]
    if pool.activations is not None:
        arrays += [pool.activations.numbers, pool.activations.strengths]
    n_bytes = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    n_texts = sum(map(len, pool.passages)) + sum(map(len, pool.found_by)) + 20 * len(result.hits)
    return n_bytes + _BYTES_A_TEXT * n_texts
