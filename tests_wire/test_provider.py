"""LangChain's client against LiteLLM's proxy: chat, streaming, tools, and the failures of a real server.

What the proxy does otherwise than a provider is left to tests/wire.py: without a database it answers a wrong key with
HTTP 400, and its mock leaves tool calls out of a stream.
"""

import pytest

from pathfinder.errors import PathfinderError, ProviderError, RateLimited
from pathfinder.llm.chat import Chat, finalise_calls
from pathfinder.llm.langchain_chat import ReplyReader, as_functions, as_messages, langchain_chat, load_model
from pathfinder.llm.usage import BudgetTracker, Prices, ReplyCache, UsagePolicy
from pathfinder.models.ports import ChatReply, Tool, ToolCall, Turn
from pathfinder.types import Usage
from tests_wire.conftest import KEY

SEARCH = Tool("search", "Find papers.", {"type": "object", "properties": {"query": {"type": "string"}}})
TURNS = (Turn("system", "You are an agent."), Turn("human", '<source key="k3q7z">\nTitle: Discs\n'))
SOURCE = '<source key="k3q7z">\nTitle: Warm discs\nYear: 2021\nAbstract: Discs are warm. So it is.\n</source>'
READER = "You are an expert astronomer who answers from a small library of papers."


def chat(proxy: str, model: str, key: str = KEY) -> Chat:
    return langchain_chat(f"openai:{model}", api_key=key, base_url=proxy, timeout_seconds=30)


def pieces_of(stream) -> tuple[list[str], object]:
    """The pieces of a stream, and what it returned or raised."""
    pieces: list[str] = []
    try:
        while True:
            pieces.append(next(stream))
    except StopIteration as end:
        return pieces, end.value
    except PathfinderError as error:
        return pieces, error


def test_words_come_piece_by_piece_with_a_count_of_their_tokens(proxy: str) -> None:
    pieces, usage = pieces_of(chat(proxy, "mock").stream("Be brief.", "Why are discs warm?"))
    assert "".join(pieces) == "Discs are warm, as the mock says."
    assert len(pieces) > 5
    assert isinstance(usage, Usage)
    assert (usage.tokens_in > 5, usage.tokens_out > 5, usage.is_estimated) == (True, True, False)


def test_a_limit_of_the_rate_is_told_as_such(proxy: str) -> None:
    pieces, error = pieces_of(chat(proxy, "limited").stream("", "why?"))
    assert (pieces, type(error)) == ([], RateLimited)
    assert "HTTP 429" in str(error)


def test_a_failure_of_the_server_is_told_as_such(proxy: str) -> None:
    pieces, error = pieces_of(chat(proxy, "broken").stream("", "why?"))
    assert (pieces, type(error)) == ([], ProviderError)
    assert "HTTP 500: try again later" in str(error)


def test_a_prompt_that_is_too_long_is_told_with_a_way_out(proxy: str) -> None:
    _, error = pieces_of(chat(proxy, "too-long").stream("", "why?"))
    assert type(error) is ProviderError
    assert str(error).startswith(
        "openai:too-long cannot read that much at once: ask for fewer papers, or choose a model with a longer context"
    )


def test_a_model_that_the_proxy_does_not_have_is_refused_with_its_own_words(proxy: str) -> None:
    _, error = pieces_of(chat(proxy, "nobody").stream("", "why?"))
    assert type(error) is ProviderError
    assert "check the model's name" in str(error)
    assert "nobody" in str(error)


def test_a_key_that_the_proxy_refuses_is_not_shown(proxy: str) -> None:
    _, error = pieces_of(chat(proxy, "mock", key="sk-not-this-one").stream("", "why?"))
    assert isinstance(error, ProviderError)
    assert "sk-not-this-one" not in str(error)


def test_a_model_asks_for_a_tool_and_is_told_what_came_of_it(proxy: str) -> None:
    scripted = chat(proxy, "scripted")
    turns = (Turn("system", "You are an agent."), Turn("human", SOURCE))
    pieces, reply = pieces_of(scripted.converse(turns, (SEARCH,)))
    assert isinstance(reply, ChatReply)
    assert reply.calls == (ToolCall("call_1", "search", {"query": "What follows from Warm discs?"}),)
    assert "".join(pieces) == reply.text == "I have seen 1 papers; I look for what Warm discs leads to."
    seen = Turn("tool", SOURCE.replace("k3q7z", "m2x9a").replace("Warm", "Cold"), call_id="call_1")
    _, then = pieces_of(scripted.converse((*turns, Turn("assistant", reply.text, reply.calls), seen), (SEARCH,)))
    assert isinstance(then, ChatReply)
    assert then.calls == (ToolCall("call_2", "search", {"query": "What follows from Cold discs?"}),)
    assert then.usage is not None
    assert reply.usage is not None
    assert then.usage.tokens_in > reply.usage.tokens_in > 0


def test_a_call_that_comes_whole_is_read_as_one_that_is_streamed(proxy: str) -> None:
    model = load_model("openai", "tools", "openai:tools", {"base_url": proxy, "api_key": KEY})
    message = model.bind_tools(as_functions([SEARCH])).invoke(as_messages(TURNS))
    reply = ReplyReader("openai:tools", is_counted_once=True)
    assert reply.read(message) == "I look."
    assert reply.calls == (ToolCall("call_1", "search", {"query": "warm discs"}),)


def test_a_scripted_answer_cites_what_it_was_shown(proxy: str) -> None:
    pieces, _ = pieces_of(chat(proxy, "scripted").stream(READER, f"{SOURCE}\n\nQuestion: why?"))
    assert "".join(pieces) == "Discs are warm [k3q7z]."


def test_what_was_asked_once_is_not_paid_for_again(proxy: str) -> None:
    cache = ReplyCache()
    policy = UsagePolicy(Prices(1, 2), cache)
    operations = [Chat.of(chat(proxy, "mock")).metered("answer", BudgetTracker(policy)) for _ in range(2)]
    for operation in operations:
        pieces_of(operation.stream("Be brief.", "Why are discs warm?"))
        finalise_calls(operation)
    (paid,), (cached,) = (operation.calls for operation in operations)
    assert paid.usage == cached.usage
    assert paid.usage is not None
    assert paid.dollars == pytest.approx((paid.usage.tokens_in + 2 * paid.usage.tokens_out) / 1e6)
    assert (paid.is_cached, cached.is_cached, cached.dollars) == (False, True, 0.0)
