"""Work in the background: what is seen of it, how it ends, and that nothing of it is lost or left behind."""

import gc
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from queue import SimpleQueue
from threading import Event, Thread
from types import ModuleType

import pytest

from pathfinder.errors import RateLimited
from pathfinder.ui.shared.jobs import Job, JobState, Turns, freeze_libraries, once

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


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    yield
    gc.unfreeze()
    gc.freeze()  # as after the tests were found; a collection would visit millions of objects


def test_what_a_new_library_brings_is_walked_over_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    freeze_libraries()
    new_objects = [[n] for n in range(1000)]
    monkeypatch.setitem(sys.modules, "a_library_that_came_later", ModuleType("a_library_that_came_later"))
    assert any(each is new_objects for each in gc.get_objects())
    freeze_libraries()
    assert not any(each is new_objects for each in gc.get_objects())
    assert gc.get_freeze_count() > len(new_objects)


def test_what_a_visitor_leaves_behind_is_still_collected() -> None:
    freeze_libraries()
    frozen = gc.get_freeze_count()
    left: list[object] = []
    left.append(left)  # only the collector can tell that nobody holds it
    del left
    freeze_libraries()  # nothing was loaded since
    assert gc.get_freeze_count() <= frozen  # some may be gone, as when a thread ends, but none has joined
    assert gc.collect() > 0


PATIENCE = 30.0


class Left(Exception):
    """The visitor has left."""


class Visitor:
    """A thread that takes a turn and keeps it until it is told to end."""

    def __init__(
        self,
        turns: Turns,
        name: str,
        began: SimpleQueue[str],
        tell: Callable[[int], None] | None = None,
        *,
        is_short: bool = False,
    ) -> None:
        self.waiting, self.end = Event(), Event()
        self._turns, self._name, self._began, self._is_short = turns, name, began, is_short
        self._tell = tell or (lambda _: self.waiting.set())
        self.thread = Thread(target=self._visit)
        self.thread.start()

    def _visit(self) -> None:
        try:
            with self._turns.turn(self._tell, is_short=self._is_short):
                self._began.put(self._name)
                assert self.end.wait(PATIENCE)
        except Left:
            self._began.put(f"{self._name} left")

    def leave(self) -> None:
        self.end.set()
        self.thread.join(PATIENCE)


def test_more_visitors_than_places_wait_and_come_in_their_order() -> None:
    turns, began = Turns(at_once=2, tell_seconds=0.01), SimpleQueue[str]()
    first, second = Visitor(turns, "first", began), Visitor(turns, "second", began)
    assert {began.get(timeout=PATIENCE), began.get(timeout=PATIENCE)} == {"first", "second"}
    third = Visitor(turns, "third", began)
    assert third.waiting.wait(PATIENCE)
    fourth = Visitor(turns, "fourth", began)
    assert fourth.waiting.wait(PATIENCE)
    assert began.empty()
    for visitor, follower in ((second, "third"), (first, "fourth")):
        visitor.leave()
        assert began.get(timeout=PATIENCE) == follower
    third.leave()
    fourth.leave()


def test_who_waits_is_told_how_many_are_before() -> None:
    turns, began, places = Turns(at_once=1, tell_seconds=0.01), SimpleQueue[str](), SimpleQueue[int]()
    first = Visitor(turns, "first", began)
    assert began.get(timeout=PATIENCE) == "first"
    second = Visitor(turns, "second", began)
    assert second.waiting.wait(PATIENCE)
    third = Visitor(turns, "third", began, places.put)
    assert places.get(timeout=PATIENCE) == 1
    for visitor in (first, second, third):
        visitor.leave()


def test_short_turns_go_before_the_others_and_in_their_order() -> None:
    turns, began = Turns(at_once=1, tell_seconds=0.01), SimpleQueue[str]()
    visitors = [Visitor(turns, "first", began)]
    assert began.get(timeout=PATIENCE) == "first"
    for name, is_short in (("long", False), ("short", True), ("other short", True), ("other long", False)):
        visitors.append(Visitor(turns, name, began, is_short=is_short))
        assert visitors[-1].waiting.wait(PATIENCE)
    order = []
    for visitor in (visitors[place] for place in (0, 2, 3, 1)):
        visitor.leave()
        order.append(began.get(timeout=PATIENCE))
    assert order == ["short", "other short", "long", "other long"]
    visitors[4].leave()


def test_who_leaves_the_line_holds_nobody_up() -> None:
    turns, began = Turns(at_once=1, tell_seconds=0.01), SimpleQueue[str]()

    def leave(_: int) -> None:
        raise Left

    first = Visitor(turns, "first", began)
    assert began.get(timeout=PATIENCE) == "first"
    impatient = Visitor(turns, "impatient", began, leave)
    assert began.get(timeout=PATIENCE) == "impatient left"
    third = Visitor(turns, "third", began)
    first.leave()
    assert began.get(timeout=PATIENCE) == "third"
    impatient.leave()
    third.leave()


def test_an_error_in_a_page_gives_its_place_back() -> None:
    turns = Turns(at_once=1)
    with pytest.raises(Left), turns.turn(lambda _: None):
        raise Left
    with turns.turn(lambda _: None):
        pass
