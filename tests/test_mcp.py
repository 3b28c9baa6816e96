"""The MCP server, asked by the SDK's own client: in one process, over standard input and output, and over HTTP."""

import json
import re
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client, MCPError, StdioServerParameters

from pathfinder.facade import Pathfinder
from pathfinder.llm.stopping import RecordedStream
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.models.ports import Tool, ToolCall, Turn
from pathfinder.operations import OPERATIONS
from pathfinder.operations.export.plain_json import paper_record
from pathfinder.operations.search import SNIPPET, beginning_of
from pathfinder.serving.access import ServerAccess
from pathfinder.serving.api import api
from pathfinder.serving.guard import AT_ONCE
from pathfinder.serving.mcp_server import ToolServer, linked, mcp_server
from pathfinder.types import MAX_TOP_K, MIN_TOP_K, Paper, Provenance, TextDelta
from tests.answering.assessment.consensus.literature import SOURCE, model
from tests.serving import free_port

QUESTION = "How old are globular clusters?"
H0 = "What is the value of the Hubble constant?"
TOOLS = {
    *("search_papers", "get_paper", "answer_question", "check_text"),
    *("similar_papers", "consensus", "map_region"),
    *("compare_papers", "tensions", "paper_network", "timeline", "morning"),
}
COMMAND = "import sys; from pathfinder.cli import main; sys.exit(main(sys.argv[1:]))"


def ask(server: Any, questions: Callable[[Client], Awaitable[Any]]) -> Any:
    async def connected() -> Any:
        async with Client(server) as client:
            return await questions(client)

    return anyio.run(connected)


def call(server: Any, tool: str, **arguments: Any) -> Any:
    result = ask(server, lambda client: client.call_tool(tool, arguments))
    text = result.content[0].text
    return text if result.is_error else json.loads(text)


async def refusal_of(request: Awaitable[Any]) -> str:
    """Return the message with which the server refuses a request."""
    with pytest.raises(MCPError) as caught:
        await request
    return str(caught.value)


@pytest.fixture
def server(pf: Pathfinder) -> Any:
    return mcp_server(pf)


@pytest.fixture
def address(pf: Pathfinder) -> Iterator[str]:
    with listening(pf) as address:
        yield address


@contextmanager
def listening(pf: Pathfinder) -> Iterator[str]:
    """Serve the API in a thread; yield the address of MCP."""
    port = free_port()
    running = uvicorn.Server(uvicorn.Config(api(pf, ServerAccess(port=port)), port=port, log_level="error"))
    thread = threading.Thread(target=running.run)
    thread.start()
    while not running.started:
        assert thread.is_alive()
        thread.join(0.01)
    yield f"http://127.0.0.1:{port}/mcp"
    running.should_exit = True
    thread.join()


def test_calls_whose_callers_have_left_never_hold_more_than_a_few_threads() -> None:
    server, may_end, begun = ToolServer("slow"), threading.Event(), []

    @server.tool()
    def think() -> str:
        """Think until the end."""
        begun.append(None)
        may_end.wait(60)
        return "thought"

    async def asked_and_left() -> None:
        async with anyio.create_task_group() as callers:
            for _ in range(6):
                callers.start_soon(server.call_tool, "think", {})
            while len(begun) < AT_ONCE:
                await anyio.sleep(0.01)
            callers.cancel_scope.cancel()
            may_end.set()

    anyio.run(asked_and_left)
    assert len(begun) == AT_ONCE


def test_the_same_search_comes_over_each_transport(server: Any, address: str, golden_corpus: Path) -> None:
    command = StdioServerParameters(command=sys.executable, args=["-c", COMMAND, "mcp", "--corpus", str(golden_corpus)])
    ways = [call(way, "search_papers", query=QUESTION, top_k=3)["hits"] for way in (server, address, command)]
    assert len(ways[0]) == 3
    assert ways[0] == ways[1] == ways[2]


def test_clients_of_the_earlier_protocol_are_answered_too(address: str) -> None:
    async def search() -> Any:
        async with Client(address, mode="legacy") as client:
            return await client.call_tool("search_papers", {"query": QUESTION, "top_k": 3})

    assert len(json.loads(anyio.run(search).content[0].text)["hits"]) == 3


def test_a_hit_is_small_and_has_id_title_and_link(server: Any) -> None:
    first = call(server, "search_papers", query=QUESTION, top_k=1)["hits"][0]
    assert {"rank", "paper_id", "title", "year", "link", "abstract"} <= set(first)
    assert first["link"].startswith("https://")
    assert len(first["abstract"]) <= SNIPPET


def test_everything_that_the_api_gives_comes_if_it_is_asked_for(server: Any) -> None:
    full = call(server, "search_papers", query=QUESTION, top_k=2, settings={"weights": {"recency": 1.0}}, full=True)
    assert "stage_status" in full
    assert full["hits"][0]["score"]["recency"] is not None


def test_the_tools_are_named_and_change_nothing(server: Any) -> None:
    tools = ask(server, lambda client: client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS
    assert all(tool.annotations.read_only_hint and tool.description for tool in tools)


def test_the_limits_in_the_description_of_a_tool_are_those_of_a_search(server: Any) -> None:
    tools = {tool.name: tool for tool in ask(server, lambda client: client.list_tools()).tools}
    for name in ("search_papers", "similar_papers", "answer_question", "consensus"):
        top_k = tools[name].input_schema["properties"]["top_k"]
        assert (top_k["minimum"], top_k["maximum"]) == (MIN_TOP_K, MAX_TOP_K)
    assert call(server, "search_papers", query=QUESTION, top_k=MAX_TOP_K)["hits"]
    assert "top_k" in call(server, "search_papers", query=QUESTION, top_k=MAX_TOP_K + 1)


def test_papers_around_a_place_on_the_map_are_found_as_over_rest(server: Any, pf: Pathfinder) -> None:
    hits = call(server, "similar_papers", place=[0.0, 0.0], top_k=3)["hits"]
    expected = pf.similar(place=(0.0, 0.0), top_k=3).hits
    assert [hit["paper_id"] for hit in hits] == [hit.paper.paper_id for hit in expected]
    assert "place" in call(server, "similar_papers", place=[0.0])


def test_each_list_of_a_paper_has_ten_entries_unless_all_are_asked_for(pf: Pathfinder) -> None:
    papers = [paper_record(paper) for paper in pf.corpus.papers[:12]]
    lists = {"references": papers, "cited_by": papers[:10], "co_cited": [{**papers[0], "n_shared": 2}], "coupled": []}
    whole = {**papers[0], "citations": {**papers[0], **lists, "outside": ["doi:1"] * 11, "n_cited_by": 10}}
    brief: Any = OPERATIONS.get("paper").brief
    small = brief(None, whole, partial(linked, pf))["citations"]
    names = ("references", "cited_by", "co_cited", "coupled", "outside")
    assert [len(small[name]) for name in names] == [10, 10, 1, 0, 10]
    assert [small[f"n_{name}"] for name in names] == [12, 10, 1, 0, 11]
    assert "call get_paper with full" in small["notes"][0]
    assert all(paper["title"] and paper["link"] for name in names[:4] for paper in small[name])


def test_a_paper_is_read_as_a_tool_and_as_a_resource(server: Any) -> None:
    paper = call(server, "get_paper", paper_id="hubble-1929")
    resource = ask(server, lambda client: client.read_resource("pathfinder://papers/hubble-1929"))
    assert json.loads(resource.contents[0].text) == paper
    assert paper["abstract"]


def test_the_card_of_the_corpus_counts_its_papers(server: Any, pf: Pathfinder) -> None:
    card = ask(server, lambda client: client.read_resource("pathfinder://corpus"))
    assert json.loads(card.contents[0].text)["papers"] == len(pf.corpus.papers)


@pytest.mark.parametrize(
    ("tool", "arguments", "part"),
    [
        ("get_paper", {"paper_id": "nope"}, "'nope'"),
        ("search_papers", {"query": ""}, "question"),
        ("search_papers", {"query": "q", "settings": {"colour": "red"}}, "colour"),
        ("search_papers", {"query": "q", "top_k": 0}, "top_k"),
        ("search_papers", {"query": "q", "year_from": 2010}, "year_from may belong in settings"),
        ("search_papers", {}, "query is missing"),
        ("find_papers", {"query": "q"}, "search_papers, similar_papers"),
        ("map_region", {"region": "here"}, "region"),
        ("check_text", {"text": "", "sources": []}, "text"),
    ],
)
def test_a_mistake_is_an_error_that_names_it(server: Any, tool: str, arguments: dict[str, Any], part: str) -> None:
    message = call(server, tool, **arguments)
    assert isinstance(message, str)
    assert part in message
    assert all(detail not in message for detail in ("Traceback", "pydantic", "Error executing"))


def test_a_bug_is_called_a_bug_and_nothing_of_it_leaves_the_server(
    server: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("/home/ada/secret")

    monkeypatch.setattr("pathfinder.operations.paper.papers_as_of", broken)
    message = call(server, "get_paper", paper_id="hubble-1929")
    assert message == "this is a bug: RuntimeError; report it with the call that you sent"
    assert "secret" in caplog.text


def test_a_resource_that_does_not_exist_is_refused_by_name(server: Any) -> None:
    message = ask(server, lambda client: refusal_of(client.read_resource("pathfinder://papers/astro-ph/1")))
    assert "no paper in this corpus has the id 'astro-ph/1'" in message


def test_a_text_is_checked_and_similar_papers_are_found(server: Any) -> None:
    sources = [{"id": "1", "text": "The rate is 67 km/s/Mpc."}]
    checked = call(server, "check_text", text="The rate is 73 km/s/Mpc [1].", sources=sources)
    assert checked["sentences"][0]["verdict"] == "contradicted"
    similar = call(server, "similar_papers", papers=["hubble-1929"], top_k=2)
    assert len(similar["hits"]) == 2
    assert "told" in call(server, "consensus", query=QUESTION)


def refusal(address: str, **headers: str) -> int:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    return httpx2.post(address, json=body, headers=headers).status_code


def test_a_web_page_cannot_call_it(address: str) -> None:
    assert refusal(address, Origin="https://evil.example") == HTTPStatus.FORBIDDEN
    assert refusal(address, Host="evil.example") == HTTPStatus.MISDIRECTED_REQUEST


def test_no_client_can_hold_a_place_in_the_queue_by_waiting_for_events(address: str) -> None:
    reply = httpx2.get(address, headers={"Accept": "text/event-stream"})
    assert reply.status_code == HTTPStatus.METHOD_NOT_ALLOWED
    assert ask(address, lambda client: refusal_of(listen(client))) == "Method not found"


async def listen(client: Client) -> None:
    async with client.listen(tools_list_changed=True):
        pass


def test_a_chat_model_answers_a_question_with_the_tools_alone(server: Any) -> None:
    def script(prompt: str) -> Reply:
        """Search, read the best paper, and cite it."""
        if '"abstract"' not in prompt:
            return Reply("I search.", calls=(ToolCall("1", "search_papers", {"query": QUESTION, "top_k": 2}),))
        first = re.search(r'"paper_id": "(.+?)"', prompt)[1]
        if '"authors"' not in prompt:
            return Reply("I read.", calls=(ToolCall("2", "get_paper", {"paper_id": first}),))
        link = re.findall(r'"link": "(.+?)"', prompt)[-1]
        return Reply(f"They are old [{first}]({link}).")

    answer, n_turns = ask(server, lambda client: converse(client, ScriptedChat(script)))
    best = call(server, "search_papers", query=QUESTION, top_k=2)["hits"][0]
    assert answer == f"They are old [{best['paper_id']}]({best['link']})."
    assert n_turns == 6  # the question, two calls with their replies, the answer


async def converse(client: Client, chat: ScriptedChat) -> tuple[str, int]:
    """Let a chat model call tools until it answers; return the answer and the number of turns."""
    tools = [Tool(tool.name, tool.description, tool.input_schema) for tool in (await client.list_tools()).tools]
    prompt = await client.get_prompt("literature_question", {"question": QUESTION})
    turns = [Turn("human", prompt.messages[0].content.text)]
    while True:
        reply = RecordedStream(chat.converse(turns, tools))
        list(reply)
        turns.append(Turn("assistant", reply.result.text, reply.result.calls))
        if not reply.result.calls:
            return reply.result.text, len(turns)
        for call in reply.result.calls:
            result = await client.call_tool(call.name, dict(call.arguments))
            turns.append(Turn("tool", result.content[0].text, call_id=call.call_id))


def test_an_answer_quotes_papers_that_are_listed(server: Any) -> None:
    answer = call(server, "answer_question", query=QUESTION, top_k=3)
    assert answer["text"]
    assert [source["n"] for source in answer["sources"]] == list(range(1, len(answer["sources"]) + 1))
    assert all(source["link"] for source in answer["sources"])


def test_a_region_of_the_map_is_small_unless_everything_is_asked_for(server: Any) -> None:
    everywhere = "-99,-99;99,-99;99,99;-99,99"
    small, full = (call(server, "map_region", region=everywhere, full=full) for full in (False, True))
    assert "years" not in small
    assert full["years"]
    assert [paper["paper_id"] for paper in small["top"]] == [paper["paper_id"] for paper in full["top"]][:5]
    assert all(paper["link"] for paper in small["top"])
    early = call(server, "map_region", region=everywhere, as_of=1999)
    assert 0 < early["n_papers"] < small["n_papers"]
    assert all(paper["year"] <= 1999 for paper in early["top"])


def test_papers_are_compared_and_each_has_its_link(server: Any) -> None:
    small, full = (
        call(server, "compare_papers", papers=["hubble-1929", "riess-2022"], columns=["result"], full=full)
        for full in (False, True)
    )
    assert [row["paper_id"] for row in small["rows"]] == ["hubble-1929", "riess-2022"]
    assert all(row["link"] for row in small["rows"])
    cells = [row["cells"][0] for row in full["rows"]]
    assert [row["cells"].get("result") for row in small["rows"]] == [cell and {"text": cell["text"]} for cell in cells]
    assert "the ids in papers" in call(server, "compare_papers", papers=[])


def test_tensions_a_network_and_a_timeline_are_small_and_every_paper_has_its_link(server: Any) -> None:
    record = call(server, "tensions", query=H0)
    assert record["n_tensions"] >= len(record["tensions"]) >= 1
    assert all(side["link"] and side["quotation"] for tension in record["tensions"] for side in tension["sides"])
    network = call(server, "paper_network", query=H0, papers=20, by="likeness")
    assert sum(cluster["n_papers"] for cluster in network["clusters"]) == network["n_papers"] <= 20
    assert all(paper["link"] for cluster in network["clusters"] for paper in cluster["papers"])
    timeline = call(server, "timeline", query=H0, papers=20, settings={"year_from": 1990})
    assert min(year["year"] for year in timeline["years"]) >= 1990
    assert all(value["title"] and value["link"] for value in timeline["values"])
    assert "by: " in call(server, "paper_network", query=H0, by="friendship")


def test_the_beginning_of_an_abstract_without_a_licence_is_half_of_it_at_most() -> None:
    origin = Provenance("ads", "1")
    text = "One two three four five six."
    assert beginning_of(Paper("a", "A", text)) == text
    assert beginning_of(Paper("a", "A", "", provenance=(origin,))) == ""
    assert beginning_of(Paper("a", "A", text, provenance=(origin,))) == "One two …"


def test_a_consensus_lists_the_stance_of_each_paper_with_its_link(pf: Pathfinder) -> None:
    def all_support(prompt: str) -> str:
        sources = [(key, " ".join(text.split()[:4])) for key, _, _, text in SOURCE.findall(prompt)]
        return json.dumps({"stances": [{"key": key, "stance": "supports", "quote": quote} for key, quote in sources]})

    server = mcp_server(pf.with_chat(model(stances=all_support)))
    record = call(server, "consensus", query=QUESTION, top_k=2)
    assert record["statement"]
    assert [stance["stance"] for stance in record["stances"]] == ["supports", "supports"]
    assert all(stance["title"] and stance["link"] for stance in record["stances"])
    assert "sensitivity" not in record
    years = call(server, "consensus", query=QUESTION, top_k=2, over_time=True)["years"]
    assert years
    assert all(year["level"] != last["level"] for last, year in pairwise(years))


@pytest.mark.parametrize("way", ["in one process", "over HTTP"])
def test_an_answer_stops_when_its_caller_leaves(way: str, pf: Pathfinder, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, closed = threading.Event(), threading.Event()

    def endless(*_: object) -> Iterator[TextDelta]:
        try:
            while True:
                begun.set()
                yield TextDelta("word")
        finally:
            closed.set()

    async def leave(client: Client) -> None:
        async with anyio.create_task_group() as calls:
            calls.start_soon(client.call_tool, "answer_question", {"query": QUESTION})
            await anyio.to_thread.run_sync(begun.wait, 10)
            calls.cancel_scope.cancel()

    monkeypatch.setattr(Pathfinder, "stream_events", endless)
    if way == "over HTTP":
        with listening(pf) as address:
            ask(address, leave)
            assert closed.wait(300)
    else:
        ask(mcp_server(pf), leave)
        assert closed.wait(300)
