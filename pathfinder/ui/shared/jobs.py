"""Runs work in the background for one visitor's page: a thread does the work, and the page reads the results so far.

The thread knows nothing about Streamlit or the page. It ends when its work is done, when it is stopped, or when nothing
refers to the job any more, for example because the visitor has left. In the last two cases, it ends at once if it is
waiting for a chat model, and otherwise at the next piece of work.
"""

import gc
import sys
import weakref
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, InvalidStateError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from threading import Condition, Event, Lock, Thread
from time import perf_counter
from types import TracebackType
from typing import Any, Generic, Self, TypeVar, cast

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.facade import Pathfinder
from pathfinder.llm.stopping import STOP, ReaderStopped, RecordedStream, StopSignal
from pathfinder.llm.usage import CallLog
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Budget

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
        return tuple(self._progress.chunks)

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
        """Return the result of the work. Raises what the work raised, and `LookupError` if there is none yet."""
        if self.state in (JobState.RUNNING, JobState.STOPPED):
            raise LookupError(f"the job is {self.state} and has no result")
        return self._progress.future.result()


def once(call: Callable[[], Result]) -> Generator[str, None, Result]:
    """Turn a call into a generator that yields nothing and returns the result of the call."""
    yield from ()
    return call()


class _Progress(Generic[Chunk, Result]):
    """What the thread and the page share."""

    def __init__(self) -> None:
        self.future: Future[Result] = Future()  # cancelled by a stop; of a stop and an end, the first counts
        self.end_event = Event()
        self.stop_signal = StopSignal()
        self.started_at = perf_counter()
        self.ended_at: float | None = None
        self.chunks: list[Chunk] = []
        self.future.add_done_callback(self._end)

    @property
    def state(self) -> JobState:
        if not self.future.done():
            return JobState.RUNNING
        if self.future.cancelled():
            return JobState.STOPPED
        return JobState.ENDED if self.future.exception() is None else JobState.FAILED

    def stop(self) -> None:
        if not self.future.done() and self.future.cancel():
            self.stop_signal.set()

    def _end(self, _: object) -> None:
        self.ended_at = perf_counter()
        self.end_event.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: object, error: BaseException | None, _trace: TracebackType | None) -> bool:
        """Store what the work raised, so that the page can raise it; a bug that nobody would see is logged."""
        if error is None:
            return False
        try:
            self.future.set_exception(error)
        except InvalidStateError:  # it was stopped before, and nobody looks
            return isinstance(error, PathfinderError | ReaderStopped)
        return True


def _drain(work: Generator[Chunk, None, Result], progress: _Progress[Chunk, Result]) -> None:
    STOP.set(progress.stop_signal)
    with progress, RecordedStream(work) as stream:
        for chunk in stream:
            if progress.future.done():
                return
            progress.chunks.append(chunk)
        with suppress(InvalidStateError):  # it was stopped at the last moment
            progress.future.set_result(stream.result)


# Freezes libraries, so that the garbage collector skips them.
#
# The libraries loaded here create some 300,000 objects that never become garbage. Visiting them takes 0.05 to 0.15 s
# in each full collection, during which no page is drawn. Frozen objects are skipped.

_FREEZING = Lock()


def freeze_libraries() -> None:
    """Freeze all existing objects if modules have been loaded since the last freeze."""
    with _FREEZING:  # the first visitors come at once
        _freeze(len(sys.modules))


@cache
def _freeze(n_modules: int) -> None:  # noqa: ARG001  once for each number of modules
    gc.collect()  # so that no garbage is frozen
    gc.freeze()


# Turns at drawing pages: a few at once in the whole process, in the order in which their visitors arrived.
#
# A page keeps a processor busy while it searches, answers and draws. Fifty pages drawn at once would alternate a
# hundred times a second, each waiting for all the others at each of its elements; drawn one after the other, each is
# finished sooner. A page that only draws what was found before, such as the same papers in another order, takes less
# than half the time and goes first.
#
# Waiting for a chat model takes no turn, because a page waits for it between its runs. Pages that do more than search
# and draw, such as an evaluation, take no turns: they would hold up everybody.

AT_ONCE = 2
"""Number of pages drawn at the same time: while one waits for its search, outside Python's lock, another draws."""

TELL_SECONDS = 1.0
"""Interval in seconds at which waiting callers are told how many are ahead of them."""


class Turns:
    """A queue of callers who wait; any number of threads may share it."""

    def __init__(self, at_once: int = AT_ONCE, tell_seconds: float = TELL_SECONDS) -> None:
        self._free, self._tell_seconds = at_once, tell_seconds
        self._line: list[_Place] = []
        self._change = Condition()

    @contextmanager
    def turn(self, tell: Callable[[int], None], *, is_short: bool = False) -> Iterator[None]:
        """Wait for a turn, and hold it during the block; short turns go before the others.

        `tell` is called now and then with the number of callers ahead in the queue; if it raises an exception, the
        place in the queue is given up.
        """
        place = _Place(is_short)
        with self._change:
            n_before = sum(other.is_short for other in self._line) if is_short else len(self._line)
            self._line.insert(n_before, place)
        try:
            while True:
                with self._change:
                    if self._change.wait_for(lambda: self._free > 0 and self._line[0] is place, self._tell_seconds):
                        self._free -= 1
                        break
                    n_before = self._line.index(place)
                tell(n_before)
        finally:
            with self._change:
                self._line.remove(place)
                self._change.notify_all()
        try:
            yield
        finally:
            with self._change:
                self._free += 1
                self._change.notify_all()


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Place of a waiting caller; no two are equal."""

    is_short: bool


TURNS = Turns()
"""The queue of this process."""

# Background jobs of one visitor, one for each task that may have to wait for a chat model, and the calls they make.

SEARCH, ANSWER, KIND, CONSENSUS = "search", "answer", "kind", "consensus"
HISTORY, FOLLOW_UP, REWRITE = "history", "follow-up", "rewrite"
OF_A_QUESTION = (ANSWER, KIND, CONSENSUS, HISTORY, REWRITE)

_CALLS, _NEXT_CALLS = "question-calls", "next-question-calls"

POLL_SECONDS = 0.4
"""Interval in seconds at which a running job is checked: words then appear as fast as they can be read."""
SLOW_POLL_SECONDS = 1.0
"""The same for a job whose output is not read word by word: each check costs the server a little."""
AT_ONCE_SECONDS = 0.1
"""Time in seconds to wait for a job before showing its progress, so that the page does not flicker."""
LOCAL_SECONDS = 60.0
"""Maximum time in seconds to wait for a job that uses no remote model."""


def task(
    name: str, work: Callable[[], Generator[Chunk, None, Result]], *, is_local: bool = False
) -> Job[Chunk, Result]:
    """Return the visitor's job called `name`; if there is none, start one that does `work`.

    `is_local` means that no remote service is involved, so that the job will end soon and can be waited for.
    """
    jobs = _jobs()
    if name not in jobs:
        jobs[name] = Job(work())
        jobs[name].wait(LOCAL_SECONDS if is_local else AT_ONCE_SECONDS)
    return cast("Job[Chunk, Result]", jobs[name])


def running_task(name: str) -> Job[Any, Any] | None:
    """Return the visitor's job called `name`, if it has been started."""
    return _jobs().get(name)


def result_of(name: str) -> Any:
    """Return the result of the visitor's job called `name`; `None` if it has not ended with one."""
    job = running_task(name)
    return job.result() if job is not None and job.state is JobState.ENDED else None


def within_budget(pf: Pathfinder, budget: Budget) -> Pathfinder:
    """Return `pf` for the question on screen: the calls of all its jobs, also stopped ones, share log and `budget`."""
    return pf.for_question(budget, question_calls())


def preparing(pf: Pathfinder, budget: Budget) -> Pathfinder:
    """Return `pf` for the next question, and charge its `budget` for the rewriting of a follow-up, if any."""
    return pf.for_question(budget, st.session_state.setdefault(_NEXT_CALLS, CallLog()))


def question_calls() -> CallLog:
    """Return the calls to a chat model for the question on screen, including those of failed and stopped jobs."""
    log: CallLog = st.session_state.setdefault(_CALLS, CallLog())
    return log


def begin_question() -> None:
    """Start the call log of the next question, beginning with any calls made to rewrite it if it was a follow-up."""
    st.session_state[_CALLS] = st.session_state.pop(_NEXT_CALLS, CallLog())


def forget(*names: str) -> None:
    """Stop the jobs in `names` that have been started; they start again the next time they are requested."""
    for name in names:
        if (job := _jobs().pop(name, None)) is not None:
            job.stop()


def watch(job: Job[Any, Any], draw: Callable[[], object], *, every: float = POLL_SECONDS) -> bool:
    """Return whether `job` has ended; until then, call `draw` every `every` seconds to show its progress, and redraw
    the whole page at the end.
    """
    if job.is_running:
        st.fragment(_look, run_every=every)(job, draw)
    return not job.is_running


def outcome(
    job: Job[Any, Result],
    draw: Callable[[], object],
    stopped: str,
    offer_again: Callable[[str], None] = lambda _: None,
    *,
    every: float = SLOW_POLL_SECONDS,
) -> Result | None:
    """Return the result of `job`; `None` while it runs, with its progress, and if it was `stopped` or has failed, which
    is said. `offer_again` is then called with the label of a button that begins anew.
    """
    if not watch(job, draw, every=every):
        return None
    if job.state is JobState.STOPPED:
        st.info(stopped)
        offer_again("Ask again")
        return None
    try:
        return job.result()
    except PathfinderError as error:
        st.error(for_markdown(str(error)))
        offer_again("Try again")
        return None


def stop_line(
    job: Job[Any, Any], key: str, doing: str, label: str = "Stop", on_click: Callable[[], None] | None = None
) -> None:
    """Draw the line of a job that runs: a button that stops it, the seconds so far, and what it is doing."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(label, key=f"stop-{key}", icon=":material/stop_circle:", on_click=on_click or job.stop)
        st.caption(for_markdown(f"{job.seconds:.0f} s · {doing}"), width="stretch")


def _look(job: Job[Any, Any], draw: Callable[[], object]) -> None:
    freeze_libraries()  # the chat model's libraries are loaded only now
    if not job.is_running:
        st.rerun()
    draw()


def _jobs() -> dict[str, Job[Any, Any]]:
    jobs: dict[str, Job[Any, Any]] = st.session_state.setdefault("jobs", {})
    return jobs
