"""The API on a bad day: callers who are slow, who do not read, or who want what the owner has not allowed."""

import json
import resource
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from fastapi import FastAPI
from starlette.testclient import TestClient

from pathfinder.facade import Pathfinder
from pathfinder.llm.langchain_chat import langchain_chat
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.api import api
from pathfinder.serving.guard import AT_ONCE, Guard, NotRead, Queue
from pathfinder.serving.slow_callers import closing_after
from tests.serving import free_port, stays
from tests.wire import Says, Wire

QUESTION = {"query": "How old are globular clusters?", "top_k": 3}
N_SOCKETS = 1_000
HEAD = b"POST /api/v1/search HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"


@contextmanager
def listening(app: FastAPI, port: int, **options: Any) -> Iterator[str]:
    """Serve `app` in a thread; yield its address."""
    running = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", **options))
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        thread.join(0.01)
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join()


def search(address: str) -> int:
    return httpx2.post(f"{address}/api/v1/search", json=QUESTION, timeout=60).status_code


@pytest.mark.parametrize(
    ("body", "part"),
    [
        (b'{"query": "\\ud800"}', "half of a surrogate pair"),
        (b'{"query": "q", "authors": ["\\udfff"]}', "half of a surrogate pair"),
        (b'{"query": "a", "query": "b"}', "'query' occurs twice"),
        (b'{"query": "q", "weights": {"recency": NaN}}', "NaN is not a JSON value"),
        (b'{"query": "\xff"}', "not JSON"),
        (b"", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_body_that_is_not_strictly_json_is_refused_with_the_reason(pf: Pathfinder, body: bytes, part: str) -> None:
    client = TestClient(api(pf, ServerAccess()), base_url="http://127.0.0.1:8600", raise_server_exceptions=False)
    reply = client.post("/api/v1/search", content=body, headers={"Content-Type": "application/json"})
    assert (reply.status_code, reply.json()["code"]) == (400, "usage")
    assert part in reply.json()["message"]


def test_other_machines_ask_only_the_live_sources_that_the_owner_has_named(pf: Pathfinder) -> None:
    # Asking arXiv would fail this test: no test leaves this machine.
    client = TestClient(api(pf, ServerAccess("0.0.0.0")), base_url="http://192.0.2.7:8600")
    reply = client.post("/api/v1/search", json=QUESTION | {"live": "arxiv"}).json()
    assert "arxiv" in json.dumps(reply["stages"]).lower()
    assert "PATHFINDER_LIVE" in json.dumps(reply)


def test_a_body_that_does_not_arrive_is_not_waited_for(pf: Pathfinder) -> None:
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def passed_on(*_: object) -> None:
        raise AssertionError("a call without its body was passed on")

    headers = [(b"host", b"127.0.0.1:8600"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/search", "headers": headers}
    guard = Guard(passed_on, ServerAccess(), body_seconds=0.01)  # type: ignore[arg-type]
    anyio.run(guard, scope, stays, send)
    assert sent[0]["status"] == 408
    assert json.loads(sent[1]["body"])["message"] == "the body did not arrive within 0.01 s"


def test_a_caller_who_does_not_read_loses_the_place_in_the_queue() -> None:
    ended: list[str] = []

    async def endless(_scope: object, _receive: object, send: Any) -> None:
        try:
            while True:
                await send({"type": "http.response.body", "body": b"word", "more_body": True})
        except NotRead:
            ended.append("answer")
            raise

    async def unread(_message: object) -> None:
        await anyio.sleep_forever()

    queue = Queue(endless, at_once=1, send_seconds=0.01)  # type: ignore[arg-type]
    for _ in range(2):
        anyio.run(queue, {"type": "http", "path": "/api/v1/answer"}, stays, unread)
    assert ended == ["answer", "answer"]


@pytest.fixture
def many_handles() -> Iterator[None]:
    """Both ends of a thousand connections are handles of this process."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 4 * N_SOCKETS)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_handles")
def test_a_thousand_slow_sockets_keep_nobody_from_an_answer_and_are_closed(pf: Pathfinder) -> None:
    port = free_port()
    with (
        listening(api(pf, ServerAccess(port=port)), port, http=closing_after(2.0), backlog=2048) as address,
        ExitStack() as sockets,
    ):
        assert search(address) == 200
        slow = []
        for number in range(N_SOCKETS):
            slow.append(sockets.enter_context(closing(socket.create_connection(("127.0.0.1", port), timeout=30))))
            slow[-1].sendall((HEAD % port)[: number % len(HEAD)])
        assert search(address) == 200
        assert [each.recv(1) for each in slow] == [b""] * N_SOCKETS
        assert search(address) == 200


def test_a_new_caller_takes_the_place_of_the_one_who_has_waited_longest(pf: Pathfinder) -> None:
    port, most = free_port(), 20
    with (
        listening(api(pf, ServerAccess(port=port)), port, http=closing_after(600.0, most)) as address,
        ExitStack() as sockets,
    ):
        slow = [
            sockets.enter_context(closing(socket.create_connection(("127.0.0.1", port), timeout=30)))
            for _ in range(3 * most)
        ]
        assert search(address) == 200
        assert [each.recv(1) for each in slow[: 2 * most]] == [b""] * 2 * most


def test_searches_go_on_while_a_provider_hangs_and_the_papers_answer_in_its_place(pf: Pathfinder) -> None:
    port, answers = free_port(), list[str]()
    with ExitStack() as hanging:
        wire = hanging.enter_context(Wire(Says("The age is ", then="hang")))
        chat = langchain_chat("openai:gpt-4o-mini", api_key="sk-test", base_url=wire.url, timeout_seconds=60)
        with listening(api(pf.with_chat(chat), ServerAccess(port=port)), port) as address:

            def answer() -> None:
                answers.append(httpx2.post(f"{address}/api/v1/answer", json=QUESTION, timeout=60).text)

            asking = [threading.Thread(target=answer) for _ in range(AT_ONCE + 1)]
            for thread in asking:
                thread.start()
            while len(wire.received) < AT_ONCE:
                time.sleep(0.01)
            assert search(address) == 200
            assert not answers
            hanging.close()  # the provider goes away; `test_chat_faults.py` has one that the chat model gives up
            for thread in asking:
                thread.join()
    for text in answers:
        event = json.loads(text.splitlines()[-1])
        assert event["event"] == "done"
        assert event["data"]["answer"]["notes"]
        assert event["data"]["answer"]["claims"]
