"""Runs independent calls concurrently in threads, and measures how long a call takes."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from pathfinder.llm.stopping import StoppablePool
from pathfinder.llm.usage import BudgetTracker

Value = TypeVar("Value")


@contextmanager
def side_by_side(n_threads: int, tracker: BudgetTracker) -> Iterator[StoppablePool]:
    """Run independent calls in threads. If the reader stops the answer, calls in progress are not waited for."""
    pool = StoppablePool(n_threads)
    try:
        yield pool
    except GeneratorExit:
        tracker.stop()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def time_call(clock: Callable[[], float], call: Callable[[], Value]) -> tuple[Value, float]:
    """Return the result of `call`, and the seconds it took as measured by `clock`."""
    start = clock()
    value = call()
    return value, clock() - start
