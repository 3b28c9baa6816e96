"""Work in the background of one visitor's page: a thread does it, and the page looks at what has come so far.

The thread knows nothing of Streamlit and of the page. It ends when its work is done, when it is told to stop, and when
nobody holds the job any more, as when the visitor has left: at the next piece of work, or when the model's time is up.
"""

import weakref
from collections.abc import Callable, Generator
from contextlib import closing
from enum import StrEnum
from threading import Event, Lock, Thread
from time import perf_counter
from types import TracebackType
from typing import Generic, Self, TypeVar

from pathfinder.errors import PathfinderError

Piece = TypeVar("Piece")
Result = TypeVar("Result")


class State(StrEnum):
    """How a job stands."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class Job(Generic[Piece, Result]):
    """One generator, drained by a thread of its own. Hold it as long as its work is wanted."""

    def __init__(self, work: Generator[Piece, None, Result]) -> None:
        self._progress: _Progress[Piece, Result] = _Progress()
        # The thread holds the progress and not the job, so that a job which nobody holds is one to be stopped.
        weakref.finalize(self, self._progress.stop)
        Thread(target=_drain, args=(work, self._progress), name="pathfinder-job", daemon=True).start()

    @property
    def state(self) -> State:
        """How it stands now."""
        return self._progress.state

    @property
    def is_running(self) -> bool:
        """Whether more may come."""
        return self.state is State.RUNNING

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """What has come so far, in order; what comes after a stop is left out."""
        return self._progress.seen()

    @property
    def seconds(self) -> float:
        """Since the start; until the end, once it has ended."""
        return (self._progress.ended_at or perf_counter()) - self._progress.started_at

    def stop(self) -> None:
        """End it now for whoever looks; its thread follows at the next piece. Nothing happens to one that has ended."""
        self._progress.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, at most `seconds`; whether it has."""
        return self._progress.ended.wait(seconds)

    def result(self) -> Result:
        """What the work returned. Raises what it raised, and `LookupError` while there is none."""
        return self._progress.result()


def once(call: Callable[[], Result]) -> Generator[str, None, Result]:
    """A call as work of one piece: its result."""
    yield from ()
    return call()


class _Progress(Generic[Piece, Result]):
    """What the thread writes and the page reads; every change is made under the lock."""

    def __init__(self) -> None:
        self.state = State.RUNNING
        self.ended = Event()
        self.started_at = perf_counter()
        self.ended_at: float | None = None
        self._lock = Lock()
        self._pieces: list[Piece] = []
        self._results: list[Result] = []
        self._error: BaseException | None = None

    def add(self, piece: Piece) -> bool:
        """Keep `piece`; whether the next one is wanted."""
        with self._lock:
            if self.state is State.RUNNING:
                self._pieces.append(piece)
            return self.state is State.RUNNING

    def finish(self, result: Result) -> None:
        with self._lock:
            if self.state is State.RUNNING:
                self._results.append(result)
                self._end(State.DONE)

    def stop(self) -> None:
        with self._lock:
            if self.state is State.RUNNING:
                self._end(State.STOPPED)

    def seen(self) -> tuple[Piece, ...]:
        with self._lock:
            return tuple(self._pieces)

    def result(self) -> Result:
        if self._error is not None:
            raise self._error
        if not self._results:
            raise LookupError(f"the job is {self.state} and has no result")
        return self._results[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> bool:
        """Keep what the work raised, for the page to raise. A mistake of ours that nobody looks at is logged."""
        if error is None:
            return False
        with self._lock:
            is_looked_at = self.state is State.RUNNING
            if is_looked_at:
                self._error = error
                self._end(State.FAILED)
        return is_looked_at or isinstance(error, PathfinderError)

    def _end(self, state: State) -> None:
        self.state, self.ended_at = state, perf_counter()
        self.ended.set()


def _drain(work: Generator[Piece, None, Result], progress: _Progress[Piece, Result]) -> None:
    with progress, closing(work):
        is_wanted = True
        while is_wanted:
            try:
                is_wanted = progress.add(next(work))
            except StopIteration as end:
                progress.finish(end.value)
                return
