"""Runs work in the background for one visitor's page: a thread does the work, and the page reads the results so far.

The thread knows nothing about Streamlit or the page. It ends when its work is done, when it is stopped, or when nothing
refers to the job any more, for example because the visitor has left. In the last two cases, it ends at once if it is
waiting for a chat model, and otherwise at the next piece of work.
"""

import weakref
from collections.abc import Callable, Generator
from enum import StrEnum
from threading import Event, Lock, Thread
from time import perf_counter
from types import TracebackType
from typing import Generic, Self, TypeVar

from pathfinder.errors import PathfinderError
from pathfinder.llm.stopping import STOP, ReaderStopped, RecordedStream, StopSignal

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")


class JobState(StrEnum):
    """State of a job."""

    RUNNING = "running"
    ENDED = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class Job(Generic[Chunk, Result]):
    """A generator, run to its end in its own thread. Keep a reference to the job for as long as its work is needed."""

    def __init__(self, work: Generator[Chunk, None, Result]) -> None:
        self._progress: _Progress[Chunk, Result] = _Progress()
        # The thread refers to the progress rather than the job, so that a job with no other references is stopped.
        weakref.finalize(self, self._progress.stop)
        Thread(target=_drain, args=(work, self._progress), name="pathfinder-job", daemon=True).start()

    @property
    def state(self) -> JobState:
        """Current state of the job."""
        return self._progress.state

    @property
    def is_running(self) -> bool:
        """True if more items may arrive."""
        return self.state is JobState.RUNNING

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """Items so far, in order, without any that arrived after a stop."""
        return self._progress.chunks()

    @property
    def seconds(self) -> float:
        """Seconds since the start, or from the start to the end if the job has ended."""
        return (self._progress.ended_at or perf_counter()) - self._progress.started_at

    def stop(self) -> None:
        """Stop the job immediately as far as its readers are concerned; its thread stops waiting for a chat model, or
        ends at the next item. A job that has ended is left alone.
        """
        self._progress.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the job has ended, for at most `seconds`; return whether it has ended."""
        return self._progress.end_event.wait(seconds)

    def result(self) -> Result:
        """Return the result of the work. Raises any exception that the work raised, and `LookupError` if there is no
        result yet.
        """
        return self._progress.result()


def once(call: Callable[[], Result]) -> Generator[str, None, Result]:
    """Turn a call into a generator that yields nothing and returns the result of the call."""
    yield from ()
    return call()


class _Progress(Generic[Chunk, Result]):
    """State shared by the thread and the page; every change is made while holding the lock."""

    def __init__(self) -> None:
        self.state = JobState.RUNNING
        self.end_event = Event()
        self.stop_signal = StopSignal()
        self.started_at = perf_counter()
        self.ended_at: float | None = None
        self._lock = Lock()
        self._chunks: list[Chunk] = []
        self._results: list[Result] = []
        self._error: BaseException | None = None

    def add(self, chunk: Chunk) -> bool:
        """Record `chunk`; return whether the next one is still needed."""
        with self._lock:
            if self.state is JobState.RUNNING:
                self._chunks.append(chunk)
            return self.state is JobState.RUNNING

    def finish(self, result: Result) -> None:
        with self._lock:
            if self.state is JobState.RUNNING:
                self._results.append(result)
                self._end(JobState.ENDED)

    def stop(self) -> None:
        with self._lock:
            if self.state is not JobState.RUNNING:
                return
            self._end(JobState.STOPPED)
        self.stop_signal.set()

    def chunks(self) -> tuple[Chunk, ...]:
        with self._lock:
            return tuple(self._chunks)

    def result(self) -> Result:
        if self._error is not None:
            raise self._error
        if not self._results:
            raise LookupError(f"the job is {self.state} and has no result")
        return self._results[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> bool:
        """Store the exception that the work raised, so that the page can raise it. A bug that nobody would otherwise
        see is logged.
        """
        if error is None:
            return False
        with self._lock:
            is_looked_at = self.state is JobState.RUNNING
            if is_looked_at:
                self._error = error
                self._end(JobState.FAILED)
        return is_looked_at or isinstance(error, PathfinderError | ReaderStopped)

    def _end(self, state: JobState) -> None:
        self.state, self.ended_at = state, perf_counter()
        self.end_event.set()


def _drain(work: Generator[Chunk, None, Result], progress: _Progress[Chunk, Result]) -> None:
    STOP.set(progress.stop_signal)
    with progress, RecordedStream(work) as stream:
        for chunk in stream:
            if not progress.add(chunk):
                return
        progress.finish(stream.result)
