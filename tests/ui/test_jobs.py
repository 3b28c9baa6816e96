"""Work in the background: what is seen of it, how it ends, and that nothing of it is lost or left behind."""

import gc
import threading
from collections.abc import Generator, Iterator
from threading import Event

import pytest

from pathfinder.errors import RateLimited
from pathfinder.ui.shared.jobs import Job, JobState, once

SECONDS = 300.0
"""Long enough for any machine; no test waits for it to pass."""


class Slow:
    """Says "one", and "two" once it is let; notes when its work was closed."""

    def __init__(self) -> None:
        self.is_let, self.said_one, self.closed = Event(), Event(), Event()

    def work(self) -> Generator[str, None, int]:
        try:
            yield "one"
            self.said_one.set()
            self.is_let.wait(SECONDS)
            yield "two"
            return 2
        finally:
            self.closed.set()


@pytest.fixture
def slow() -> Iterator[Slow]:
    slow = Slow()
    yield slow
    slow.is_let.set()
    assert slow.closed.wait(SECONDS)


def test_pieces_are_seen_as_they_come_and_the_result_at_the_end(slow: Slow) -> None:
    job = Job(slow.work())
    assert slow.said_one.wait(SECONDS)
    assert (job.chunks, job.state) == (("one",), JobState.RUNNING)
    with pytest.raises(LookupError, match="the job is running"):
        job.result()
    slow.is_let.set()
    assert job.wait(SECONDS)
    assert (job.chunks, job.state, job.result()) == (("one", "two"), JobState.ENDED, 2)


def test_a_job_that_is_stopped_has_ended_at_once_and_what_comes_later_is_not_seen(slow: Slow) -> None:
    job = Job(slow.work())
    assert slow.said_one.wait(SECONDS)
    job.stop()
    assert job.wait(0)
    assert job.state is JobState.STOPPED
    slow.is_let.set()
    assert slow.closed.wait(SECONDS)
    assert (job.chunks, job.state) == (("one",), JobState.STOPPED)


def test_a_job_that_nobody_holds_stops(slow: Slow) -> None:
    job = Job(slow.work())
    assert slow.said_one.wait(SECONDS)
    progress = job._progress
    del job
    gc.collect()
    assert progress.state is JobState.STOPPED


def test_the_threads_of_jobs_end() -> None:
    before = set(threading.enumerate())
    jobs = [Job(once(lambda: 1)) for _ in range(5)]
    assert [job.wait(SECONDS) for job in jobs] == [True] * 5
    for thread in set(threading.enumerate()) - before:
        thread.join(SECONDS)
        assert not thread.is_alive()


def test_what_a_reader_can_do_something_about_is_raised_where_the_result_is_asked_for() -> None:
    def fails() -> int:
        raise RateLimited("openai asked us to slow down: wait")

    job = Job(once(fails))
    assert job.wait(SECONDS)
    assert job.state is JobState.FAILED
    with pytest.raises(RateLimited, match="slow down"):
        job.result()


def test_a_mistake_of_ours_is_raised_there_too() -> None:
    job = Job(once(lambda: 1 // 0))
    assert job.wait(SECONDS)
    with pytest.raises(ZeroDivisionError):
        job.result()


def test_a_mistake_of_ours_after_a_stop_is_logged_since_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", logged.append)
    is_let, is_running = Event(), Event()

    def fails() -> int:
        is_running.set()
        is_let.wait(SECONDS)
        return 1 // 0

    before = set(threading.enumerate())
    job = Job(once(fails))
    assert is_running.wait(SECONDS)
    job.stop()
    (thread,) = set(threading.enumerate()) - before
    is_let.set()
    thread.join(SECONDS)
    assert [args.exc_type for args in logged] == [ZeroDivisionError]
    assert job.state is JobState.STOPPED


def test_a_job_that_has_ended_cannot_be_stopped() -> None:
    job = Job(once(lambda: 1))
    assert job.wait(SECONDS)
    job.stop()
    assert (job.state, job.result()) == (JobState.ENDED, 1)
