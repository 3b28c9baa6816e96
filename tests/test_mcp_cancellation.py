"""Tool calls over standard input whose assistant cancels them, or goes, while a chat model is thinking."""

import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import pytest
from anyio.abc import TaskGroup
from mcp import Client, MCPError, StdioServerParameters

from pathfinder.llm.stopping import ReaderStopped, stop_signal, within
from pathfinder.serving.guard import AT_ONCE
from pathfinder.serving.mcp_server import ToolServer
from tests.wire import Hangs, Wire

MINUTE = 60.0
QUESTION = "How old are globular clusters?"
COMMAND = """
import atexit, sys
from pathlib import Path
from pathfinder.cli import main
atexit.register(Path(sys.argv.pop(1)).touch)
sys.exit(main(sys.argv[1:]))
"""
"""At exit, after every thread has ended, it makes the file that it is given; a process that is killed does not."""


def assistant(corpus: Path, wire: Wire, at_exit: Path) -> StdioServerParameters:
    model = {"PATHFINDER_CHAT_MODEL": "openai:gpt-4o-mini", "OPENAI_API_KEY": "sk-test", "OPENAI_BASE_URL": wire.url}
    arguments = ["-c", COMMAND, str(at_exit), "mcp", "--corpus", str(corpus)]
    return StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ, **model})


async def until(holds: Callable[[], bool]) -> None:
    with anyio.fail_after(MINUTE):
        while not holds():
            await anyio.sleep(0.01)


async def without_reply(call: Awaitable[Any]) -> None:
    with pytest.raises(MCPError, match="closed"):
        await call


def test_cancelled_calls_give_their_places_back_and_the_process_ends_with_its_input(
    golden_corpus: Path, tmp_path: Path
) -> None:
    at_exit = tmp_path / "ended"
    table = ("compare_papers", {"papers": ["hubble-1929", "riess-2022"], "columns": ["result"]})
    cancelled = [("consensus", {"query": QUESTION})] * (AT_ONCE + 1) + [table, ("answer_question", {"query": QUESTION})]

    async def begin(client: Client, wire: Wire, tool: str, arguments: dict[str, Any], calls: TaskGroup) -> None:
        """Call a tool, and return when it waits for the model."""
        n_before = len(wire.received)
        calls.start_soon(without_reply, client.call_tool(tool, arguments))
        await until(lambda: len(wire.received) > n_before)

    async def talk(wire: Wire) -> None:
        async with anyio.create_task_group() as last, Client(assistant(golden_corpus, wire, at_exit)) as client:
            for tool, arguments in cancelled:
                async with anyio.create_task_group() as calls:
                    await begin(client, wire, tool, arguments, calls)
                    calls.cancel_scope.cancel()
            search = await client.call_tool("search_papers", {"query": QUESTION, "top_k": 1})
            assert not search.is_error
            await begin(client, wire, *table, last)  # and the client closes the server's input

    with Wire(Hangs()) as wire:
        anyio.run(talk, wire)
        assert at_exit.exists()  # although the model never replied
        assert len(wire.received) == len(cancelled) + 1  # no call began a second request


def test_a_plain_search_does_not_wait_for_searches_that_call_a_chat_model() -> None:
    server, may_end, begun = ToolServer("slow"), Event(), []

    @server.tool()
    def search(settings: dict[str, Any] | None = None) -> str:
        """Search, and wait if there are settings."""
        begun.append(settings)
        if settings:
            may_end.wait(MINUTE)
        return "found"

    async def ask() -> None:
        async with anyio.create_task_group() as calls:
            for _ in range(AT_ONCE):
                calls.start_soon(server.call_tool, "search", {"settings": {"imagine": "hyde"}})
            await until(lambda: len(begun) == AT_ONCE)
            with anyio.fail_after(MINUTE):
                await server.call_tool("search", {})
            may_end.set()

    anyio.run(ask)
    assert begun[-1] is None


def test_work_that_is_stopped_begins_no_other_reply() -> None:
    begun: list[str] = []

    def reply() -> Iterator[str]:
        begun.append("reply")
        yield "word"

    with stop_signal() as outer, stop_signal() as inner:
        assert list(within(MINUTE, reply())) == ["word"]
        outer.set()
        assert inner.is_set
        with pytest.raises(ReaderStopped):
            list(within(MINUTE, reply()))
    assert begun == ["reply"]
    assert list(within(MINUTE, reply())) == ["word"]
