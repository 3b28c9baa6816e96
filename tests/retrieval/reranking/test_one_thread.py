"""Searches at once share one setting of the process, and leave it as it was."""

import numpy as np
from threadpoolctl import ThreadpoolController, threadpool_limits

from pathfinder.retrieval.reranking.local.one_thread import OneThread


def threads_of_numpy() -> set[int]:
    np.ones((8, 8)) @ np.ones((8, 8))
    return {library["num_threads"] for library in ThreadpoolController().select(user_api="blas").info()}


def test_the_last_of_several_searches_gives_the_threads_back():
    with threadpool_limits(2, user_api="blas"):
        before = threads_of_numpy()
        one_thread = OneThread()
        with one_thread:
            # Another search begins while the first runs, and ends before it.
            with one_thread:
                assert threads_of_numpy() == {1}
            assert threads_of_numpy() == {1}
        assert threads_of_numpy() == before
        with one_thread:
            assert threads_of_numpy() == {1}
        assert threads_of_numpy() == before
