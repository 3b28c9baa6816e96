"""A call whose caller has left: it gives up its place in the queue, and waits for no chat model."""

from collections.abc import Awaitable, Callable, Iterator
from threading import Event
from typing import Any

import anyio
import pytest
from anyio.to_thread import run_sync
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from pathfinder.llm.stopping import within
from pathfinder.serving.guard import BODY, OTHERS, WITH_CHAT, Queue, unless_left
from tests.serving import stays

CALL: Scope = {"type": "http", "path": "/api/v1/consensus", "method": "POST"}
MINUTE = 60.0


def leaves_after(event: anyio.Event) -> Callable[[], Awaitable[Any]]:
    async def receive() -> Any:
        await event.wait()
        return {"type": "http.disconnect"}

    return receive


async def unsent(message: Message) -> None:
    raise AssertionError(f"{message} was sent to nobody")


def test_a_call_that_waits_is_never_begun_if_its_caller_leaves() -> None:
    begun: list[str] = []
    is_free, leaving = anyio.Event(), anyio.Event()

    async def work(scope: Scope, receive: Receive, send: Send) -> None:
        begun.append(scope["name"])
        await is_free.wait()
        await PlainTextResponse("done")(scope, receive, send)

    async def drop(_: Message) -> None:
        """Drop the reply."""

    queue = Queue(work, at_once=1, most_waiting=2)

    async def three_calls() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(queue, CALL | {"name": "first"}, stays, drop)
            await anyio.wait_all_tasks_blocked()
            group.start_soon(queue, CALL | {"name": "left"}, leaves_after(leaving), unsent)
            group.start_soon(queue, CALL | {"name": "last"}, stays, drop)
            await anyio.wait_all_tasks_blocked()
            leaving.set()
            await anyio.wait_all_tasks_blocked()
            is_free.set()

    anyio.run(three_calls)
    assert begun == ["first", "last"]


@pytest.mark.parametrize(
    ("settings", "calls_chat"),
    [
        ({}, False),
        ({"imagine": "hyde"}, True),
        ({"imagine": "feedback"}, False),
        ({"decomposes": True}, True),
        ({"depth": 2}, True),
        ({"depth": 0, "decomposes": False}, False),
        ({"depth": "many"}, False),  # this call is refused at once
    ],
)
def test_searches_that_call_a_chat_model_keep_no_other_search_waiting(
    settings: dict[str, object], calls_chat: bool
) -> None:
    begun, is_free = list[str](), anyio.Event()

    async def work(scope: Scope, receive: Receive, send: Send) -> None:
        begun.append(scope["name"])
        await is_free.wait()

    def search(name: str, **settings: object) -> Scope:
        return {**CALL, "path": "/api/v1/search", "name": name, "state": {BODY: {"query": "q", **settings}}}

    async def three_calls() -> None:
        async with anyio.create_task_group() as group:
            for call in (search("hyde", imagine="hyde"), search("plain"), search("other", **settings)):
                group.start_soon(queue, call, stays, unsent)
                await anyio.wait_all_tasks_blocked()
            assert begun == ["hyde", "plain"]
            lines = {name: places.statistics().tasks_waiting for name, places in queue.lines.items()}
            assert {name for name, n_waiting in lines.items() if n_waiting} == {WITH_CHAT if calls_chat else OTHERS}
            is_free.set()

    queue = Queue(work, at_once=1)
    anyio.run(three_calls)


def test_work_for_a_caller_who_leaves_stops_waiting_for_its_chat_model() -> None:
    is_over, is_asked = Event(), Event()

    def hanging() -> Iterator[str]:
        is_asked.set()
        is_over.wait(MINUTE)
        yield "too late"

    def answer() -> str:
        return "".join(within(MINUTE, hanging()))

    async def work(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse(await run_sync(unless_left(answer)))(scope, receive, send)

    async def leaves() -> Any:
        await run_sync(is_asked.wait, MINUTE)
        return {"type": "http.disconnect"}

    anyio.run(Queue(work, at_once=1), CALL, leaves, unsent)
    assert not is_over.is_set()  # the model still has not replied
    is_over.set()
