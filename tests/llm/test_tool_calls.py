"""A conversation with tools, over the wire."""

import json
from types import SimpleNamespace

import pytest

from pathfinder.errors import BrokenStream, ProviderError
from pathfinder.llm.langchain_chat import ReplyReader, langchain_chat
from pathfinder.llm.stopping import drain
from pathfinder.models.ports import ChatReply, Tool, ToolCall, Turn
from pathfinder.types import Usage
from pathfinder.types.texts import MAX_QUOTE
from tests.wire import Fails, Says, Wire

NAME = "openai:gpt-4o-mini"
SEARCH = Tool("search", "Find papers.", {"type": "object", "properties": {"query": {"type": "string"}}})
TURNS = (Turn("system", "You are an agent."), Turn("human", "Why are discs warm?"))


def piece(arguments, *, index=0, call_id=None, name=None):
    """A piece of a tool call as OpenAI streams it."""
    function = {"arguments": arguments} | ({"name": name} if name else {})
    return {"index": index, "type": "function", "function": function} | ({"id": call_id} if call_id else {})


def converse(act, turns=TURNS, tools=(SEARCH,), **settings):
    """The words as they came, what was said or raised, and what the server was asked."""
    with Wire(act) as wire:
        stream = langchain_chat(NAME, api_key="sk", base_url=wire.url).converse(turns, tools, **settings)
        words = []
        try:
            while True:
                words.append(next(stream))
        except StopIteration as end:
            return words, end.value, wire.received
        except ProviderError as error:
            return words, error, wire.received


# What cannot be used --------------------------------------------------------------------------------


NO_OBJECTS = ('{"query": "warm', '{"query": ', "warm discs", "[1]", '"warm"', "null", "NaN", '{"a": 1, "a": 2}')


@pytest.mark.parametrize("arguments", [*NO_OBJECTS, '{"a":' * 100_000])
def test_arguments_that_are_no_json_object_are_refused_and_not_guessed(arguments):
    _, error, _ = converse(Says(calls=[piece(arguments, call_id="a", name="search")], finish_reason="tool_calls"))
    assert type(error) is ProviderError
    assert "called a tool in a form that cannot be read" in str(error)
    assert "search(" in str(error)
    assert len(str(error)) < MAX_QUOTE + 120


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (Says(calls=[piece("{}", call_id="a")]), "in a form that cannot be read"),  # without a name
        (Says(), "empty reply"),
        (Fails(400, "llama does not support tools"), "does not support tools"),
    ],
)
def test_what_is_neither_words_nor_a_call_is_an_error(act, words):
    _, error, _ = converse(act)
    assert type(error) is ProviderError
    assert words in str(error)


def test_a_model_whose_package_knows_no_tools_says_so(monkeypatch):
    chat = langchain_chat(NAME, api_key="sk")

    def bind_tools(_):
        raise NotImplementedError

    model = SimpleNamespace(bind_tools=bind_tools)
    monkeypatch.setattr("pathfinder.llm.langchain_chat.load_model", lambda *_: model)
    with pytest.raises(ProviderError, match=r"gpt-4o-mini.*tools"):
        next(chat.converse(TURNS, (SEARCH,)))


@pytest.mark.parametrize("then", ["close", "reset", "garbage", "stop"])
def test_a_call_that_breaks_off_is_never_carried_out(then):
    words, error, _ = converse(Says("I look.", calls=[piece("{}", call_id="a", name="search")], then=then))
    assert (words, type(error)) == (["I look."], BrokenStream)


# What is said ---------------------------------------------------------------------------------------


def test_a_call_comes_in_pieces_and_is_put_together():
    calls = [piece("", call_id="a", name="search"), piece('{"query": "wa'), piece('rm discs"}')]
    words, reply, _ = converse(Says("I ", "look.", calls=calls, finish_reason="tool_calls", usage=(70, 9)))
    assert words == ["I ", "look."]
    assert reply == ChatReply("I look.", (ToolCall("a", "search", {"query": "warm discs"}),), Usage(70, 9))


ONE, TWO = ({"query": query} for query in ("one", "two"))
BEGINS = piece('{"query": ', call_id="a", name="search")
SIDE_BY_SIDE = [
    BEGINS,
    piece('{"query": ', index=1, call_id="b", name="read"),
    piece('"one"}'),
    piece('"two"}', index=1),
]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ([piece("", call_id="a", name="search")], [ToolCall("a", "search", {})]),
        # Side by side, told apart by their index, or by their id.
        (SIDE_BY_SIDE, [ToolCall("a", "search", ONE), ToolCall("b", "read", TWO)]),
        (
            [piece(json.dumps(ONE), call_id="a", name="search"), piece(json.dumps(TWO), call_id="b", name="read")],
            [ToolCall("a", "search", ONE), ToolCall("b", "read", TWO)],
        ),
        ([piece("{}", name="search")], [ToolCall("call-1", "search", {})]),  # without an id
        ([piece('{"path": "/"}', call_id="a", name="delete")], [ToolCall("a", "delete", {"path": "/"})]),  # unknown
    ],
)
def test_calls_without_words_are_a_reply_and_thinking_aloud_is_no_part_of_it(calls, expected):
    words, reply, _ = converse(Says("<think>hm</think>", calls=calls))
    assert (words, reply) == ([], ChatReply("", tuple(expected)))


def test_a_whole_message_of_a_provider_that_does_not_stream_is_read_too():
    message = SimpleNamespace(
        response_metadata={"stop_reason": "tool_use"},
        usage_metadata=None,
        text="I look.",
        tool_calls=[{"name": "search", "args": {"query": "x"}, "id": "a", "type": "tool_call"}],
        invalid_tool_calls=[],
    )
    reply = ReplyReader(NAME, is_counted_once=False)
    assert reply.read(message) == "I look."
    assert (reply.end, reply.calls) == ("tool_use", (ToolCall("a", "search", {"query": "x"}),))


# What is asked --------------------------------------------------------------------------------------


def test_turns_and_tools_are_sent_as_openai_knows_them():
    call = ToolCall("a", "search", {"query": "warm discs"})
    turns = (*TURNS, Turn("assistant", "I look.", (call,)), Turn("tool", "[k3q7z] Discs", call_id="a"))
    _, reply, (request,) = converse(Says("Warm."), turns, temperature=0.5, max_tokens=99)
    assert reply == ChatReply("Warm.")
    system, human, assistant, tool = request.body["messages"]
    assert (system["role"], system["content"]) == ("system", "You are an agent.")
    assert (human["role"], human["content"]) == ("user", "Why are discs warm?")
    assert (assistant["role"], assistant["content"]) == ("assistant", "I look.")
    (sent,) = assistant["tool_calls"]
    assert (sent["id"], sent["function"]["name"]) == ("a", "search")
    assert json.loads(sent["function"]["arguments"]) == {"query": "warm discs"}
    assert (tool["role"], tool["tool_call_id"], tool["content"]) == ("tool", "a", "[k3q7z] Discs")
    function = {"name": "search", "description": "Find papers.", "parameters": dict(SEARCH.parameters)}
    assert request.body["tools"] == [{"type": "function", "function": function}]
    assert (request.body["temperature"], request.body["max_completion_tokens"]) == (0.5, 99)
    _, reply, (request,) = converse(Says("Warm."), tools=())
    assert (reply.text, "tools" in request.body) == ("Warm.", False)


# What it takes --------------------------------------------------------------------------------------


def chunk(usage=None, **metadata):
    counted = usage and {"input_tokens": usage[0], "output_tokens": usage[1], "total_tokens": sum(usage)}
    return SimpleNamespace(response_metadata=metadata, usage_metadata=counted, text="", tool_call_chunks=[])


@pytest.mark.parametrize(
    ("is_counted_once", "usage"),
    [
        (True, Usage(70, 9)),  # each count is of the whole reply so far
        (False, Usage(70 + 70, 4 + 9)),  # each count is of what is new
    ],
)
def test_counts_on_the_way_are_put_together_as_the_provider_means_them(is_counted_once, usage):
    reply = ReplyReader(NAME, is_counted_once=is_counted_once)
    for chunk_ in (chunk((70, 4)), chunk(), chunk((70, 9))):
        reply.read(chunk_)
    assert reply.usage == usage


@pytest.mark.parametrize(
    ("metadata", "dollars"),
    [
        *(({"cost": 0.25}, 0.25), ({"token_usage": {"cost": 0.25}}, 0.25)),
        *(({"cost": cost}, None) for cost in (True, "0.25", None, -1.0)),
    ],
)
def test_a_price_that_the_provider_says_is_kept_if_it_is_one(metadata, dollars):
    reply = ReplyReader(NAME, is_counted_once=True)
    reply.read(chunk((70, 9)))
    reply.read(chunk(None, **metadata))
    assert reply.usage == Usage(70, 9, dollars=dollars)


@pytest.mark.parametrize("counts_tokens", [True, False])
@pytest.mark.parametrize("usage", [(70, 3), None])
def test_a_server_is_asked_to_count_its_tokens_unless_it_refuses_that_and_may_count_nothing(counts_tokens, usage):
    with Wire(Says("Warm.", usage=usage)) as wire:
        chat = langchain_chat(NAME, api_key="sk", base_url=wire.url, counts_tokens=counts_tokens)
        assert drain(chat.stream("", "why?")) == (usage and Usage(*usage))
        assert wire.received[0].body.get("stream_options") == ({"include_usage": True} if counts_tokens else None)
