"""A reader's Stop before the first word: nobody waits any more, and the server sees its connection closed."""

import socket
from collections.abc import Callable, Iterator
from threading import Event, Thread

import pytest

from pathfinder.errors import TimeSpent
from pathfinder.llm.chat import Chat
from pathfinder.llm.langchain_chat import langchain_chat
from pathfinder.llm.stopping import Connections, ReaderStopped, StoppablePool, StopSignal, drain, within
from pathfinder.llm.usage import BudgetTracker
from pathfinder.models.ports import ChatRequest, Turn
from pathfinder.types import Budget
from pathfinder.ui.shared.jobs import Job, JobState, once

SECONDS = 60.0
"""Long enough for any machine; no test waits for it to pass."""


class Silent:
    """A server that takes one request, sends nothing, and notes when the connection is closed."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v1"
        self.n_requests = 0
        self.is_called, self.left = Event(), Event()
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._socket.accept()
            except OSError:
                return
            self.n_requests += 1
            with connection:
                while data := connection.recv(65_536):
                    if data.endswith(b"}"):
                        self.is_called.set()
            self.left.set()

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def silent() -> Iterator[Silent]:
    server = Silent()
    yield server
    server.close()


def chat_at(url: str) -> Chat:
    return langchain_chat("openai:m", api_key="k", base_url=url, timeout_seconds=SECONDS)


def test_a_stop_before_the_first_word_closes_the_connection_and_ends_the_work(silent: Silent) -> None:
    chat = Chat.of(chat_at(silent.url)).metered("answer", BudgetTracker(None, Budget()))
    job = Job(chat.stream("", "a long prompt"))
    assert silent.is_called.wait(SECONDS)
    job.stop()
    assert silent.left.wait(SECONDS)
    assert job.state is JobState.STOPPED
    assert silent.n_requests == 1


def test_a_stop_reaches_the_threads_that_the_work_has_started(silent: Silent) -> None:
    ended = Event()

    def ask() -> None:
        try:
            drain(chat_at(silent.url).stream("", "a long prompt"))
        except ReaderStopped:
            ended.set()
            raise

    def side_by_side() -> list[None]:
        with StoppablePool(2) as pool:
            return list(pool.map(lambda _: ask(), range(1)))

    job = Job(once(side_by_side))
    assert silent.is_called.wait(SECONDS)
    job.stop()
    assert silent.left.wait(SECONDS)
    assert ended.wait(SECONDS)


def test_a_deadline_closes_the_connection_too(silent: Silent) -> None:
    with pytest.raises(TimeSpent):
        drain(chat_at(silent.url).reply(ChatRequest((Turn("human", "a long prompt"),), begins=0.3)))
    assert silent.left.wait(SECONDS)


def test_a_signal_calls_each_listener_once_and_a_late_one_at_once() -> None:
    calls: list[str] = []

    def listener(name: str) -> Callable[[], None]:
        return lambda: calls.append(name)

    signal, ignored = StopSignal(), listener("ignored")
    signal.listen(listener("first"))
    signal.listen(ignored)
    signal.ignore(ignored)
    assert not signal.is_set
    signal.set()
    signal.set()
    signal.listen(listener("late"))
    assert calls == ["first", "late"]
    assert signal.is_set


def test_a_connection_that_comes_late_is_closed_at_once() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        connections = Connections()
        connections.close()
        connections.add(ours)
        assert theirs.recv(1) == b""


def test_a_reply_is_closed_at_once_if_a_part_of_it_cannot_be_read() -> None:
    steps: list[str] = []

    def reply() -> Iterator[str]:
        try:
            yield "first"
            yield "second"
        finally:
            steps.append("closed")

    def reading() -> Iterator[str]:
        pieces = reply()
        yield next(pieces)
        raise ValueError("this piece cannot be read")

    with pytest.raises(ValueError, match="cannot be read"):
        list(within(5.0, reading()))
    assert steps == ["closed"]


def test_a_reply_that_is_no_longer_wanted_is_closed_by_the_thread_that_reads_it() -> None:
    # Left to the garbage collector, it may be closed by a thread that holds the lock which the closing needs.
    asked, closed = Event(), Event()

    def reply() -> Iterator[str]:
        try:
            yield "first"
            asked.wait(SECONDS)
            yield "second"
        finally:
            closed.set()

    kept = reply()
    wanted = within(SECONDS, kept)
    assert next(wanted) == "first"
    wanted.close()
    asked.set()
    assert closed.wait(SECONDS)
