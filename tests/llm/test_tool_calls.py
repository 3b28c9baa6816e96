"""A conversation with tools, over the wire."""

import json
from types import SimpleNamespace

import pytest

from pathfinder.errors import BrokenStream, ProviderError
from pathfinder.llm.langchain_chat import ReplyReader, langchain_chat
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


@pytest.mark.parametrize(
    "arguments",
    ['{"query": "warm', '{"query": ', "warm discs", "[1]", '"warm"', "null", "NaN", '{"query": "a", "query": "b"}'],
)
def test_arguments_that_are_no_json_object_are_refused_and_not_guessed(arguments):
    _, error, _ = converse(Says(calls=[piece(arguments, call_id="a", name="search")], finish_reason="tool_calls"))
    assert type(error) is ProviderError
    assert "called a tool in a form that cannot be read" in str(error)
    assert "search(" in str(error)


def test_arguments_too_deep_to_be_read_are_refused():
    deep = '{"a":' * 100_000
    _, error, _ = converse(Says(calls=[piece(deep, call_id="a", name="search")]))
    assert type(error) is ProviderError
    assert len(str(error)) < MAX_QUOTE + 120


def test_a_call_without_a_name_is_refused():
    _, error, _ = converse(Says(calls=[piece("{}", call_id="a")]))
    assert type(error) is ProviderError


def test_neither_a_word_nor_a_call_is_an_empty_reply():
    _, error, _ = converse(Says())
    assert "empty reply" in str(error)


def test_a_server_whose_model_knows_no_tools_is_heard():
    _, error, _ = converse(Fails(400, "llama does not support tools"))
    assert "does not support tools" in str(error)


def test_a_model_whose_package_knows_no_tools_says_so(monkeypatch):
    chat = langchain_chat(NAME, api_key="sk")

    def bind_tools(_):
        raise NotImplementedError

    model = SimpleNamespace(bind_tools=bind_tools)
    monkeypatch.setattr("pathfinder.llm.langchain_chat.load_model", lambda *_: model)
    with pytest.raises(ProviderError, match="gpt-4o-mini does not support tools: choose another chat model"):
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


def test_a_call_without_words_is_a_reply():
    words, reply, _ = converse(Says(calls=[piece("", call_id="a", name="search")], finish_reason="stop"))
    assert (words, reply) == ([], ChatReply("", (ToolCall("a", "search", {}),)))


def test_calls_side_by_side_are_told_apart_by_their_index():
    calls = [
        piece('{"query": ', call_id="a", name="search"),
        piece('{"query": ', index=1, call_id="b", name="search"),
        piece('"one"}'),
        piece('"two"}', index=1),
    ]
    _, reply, _ = converse(Says(calls=calls))
    assert [(call.call_id, call.arguments["query"]) for call in reply.calls] == [("a", "one"), ("b", "two")]


def test_calls_under_one_index_are_told_apart_by_their_id():
    calls = [piece('{"query": "one"}', call_id="a", name="search"), piece('{"query": "two"}', call_id="b", name="read")]
    _, reply, _ = converse(Says(calls=calls))
    assert [(call.call_id, call.name) for call in reply.calls] == [("a", "search"), ("b", "read")]


def test_a_call_without_an_id_gets_one():
    _, reply, _ = converse(Says(calls=[piece("{}", name="search")]))
    assert reply.calls[0].call_id == "call-1"


def test_thinking_aloud_is_no_part_of_a_turn():
    _, reply, _ = converse(Says("<think>hm</think>", "I look.", calls=[piece("{}", call_id="a", name="search")]))
    assert reply.text == "I look."


def test_an_unknown_tool_is_passed_on_for_the_caller_to_refuse():
    _, reply, _ = converse(Says(calls=[piece('{"path": "/"}', call_id="a", name="delete")]))
    assert reply.calls == (ToolCall("a", "delete", {"path": "/"}),)


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
    assert [
        (call["id"], call["function"]["name"], json.loads(call["function"]["arguments"]))
        for call in assistant["tool_calls"]
    ] == [("a", "search", {"query": "warm discs"})]
    assert (tool["role"], tool["tool_call_id"], tool["content"]) == ("tool", "a", "[k3q7z] Discs")
    assert request.body["tools"] == [
        {
            "type": "function",
            "function": {"name": "search", "description": "Find papers.", "parameters": dict(SEARCH.parameters)},
        }
    ]
    assert (request.body["temperature"], request.body["max_completion_tokens"]) == (0.5, 99)


def test_without_tools_none_are_sent():
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


@pytest.mark.parametrize("metadata", [{"cost": 0.25}, {"token_usage": {"cost": 0.25}}])
def test_a_price_that_the_provider_says_is_kept(metadata):
    reply = ReplyReader(NAME, is_counted_once=True)
    reply.read(chunk((70, 9)))
    reply.read(chunk(None, **metadata))
    assert reply.usage == Usage(70, 9, dollars=0.25)


@pytest.mark.parametrize("cost", [True, "0.25", None, -1.0])
def test_what_is_no_price_is_none(cost):
    reply = ReplyReader(NAME, is_counted_once=True)
    reply.read(chunk((70, 9), cost=cost))
    assert reply.usage == Usage(70, 9)


def stream_reply(act, **options):
    with Wire(act) as wire:
        stream = langchain_chat(NAME, api_key="sk", base_url=wire.url, **options).stream("", "why?")
        try:
            while True:
                next(stream)
        except StopIteration as end:
            return end.value, wire.received[0].body.get("stream_options")


def test_a_server_is_asked_to_count_its_tokens():
    assert stream_reply(Says("Warm.", usage=(70, 3))) == (Usage(70, 3), {"include_usage": True})


def test_a_server_that_refuses_to_be_asked_is_not():
    assert stream_reply(Says("Warm."), counts_tokens=False) == (None, None)


def test_a_server_that_counts_nothing_says_nothing():
    assert stream_reply(Says("Warm."))[0] is None
