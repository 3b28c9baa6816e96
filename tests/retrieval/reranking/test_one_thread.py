"""Searches at once share one setting of the process, and leave it as it was; a server makes it once for all threads."""

from threading import Thread

import numpy as np
from threadpoolctl import ThreadpoolController, threadpool_limits

from pathfinder.retrieval.reranking.local.one_thread import OneThread, keep_one_thread


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


def test_a_server_keeps_one_thread_for_every_thread_that_searches():
    seen: list[set[int]] = []

    def search() -> None:
        with OneThread():
            seen.append(threads_of_numpy())

    with threadpool_limits(2, user_api="blas"):
        keep_one_thread()
        for _ in range(2):
            thread = Thread(target=search)
            thread.start()
            thread.join()
        assert [*seen, threads_of_numpy()] == [{1}] * 3
