from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from pathfinder.errors import ProviderError
from pathfinder.llm.chat import STOPPED_EARLY, Chat, finalise_calls, unreadable
from pathfinder.llm.stopping import drain
from pathfinder.llm.usage import BudgetTracker, Prices, ReplyCache, StoredReply, UsagePolicy, content_key
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.models.ports import ChatReply, Tool, ToolCall, Turn
from pathfinder.types import Budget, Call, Usage

NAME = "fake:scripted"
SEARCH = Tool("search", "Find papers.", {"type": "object", "properties": {"query": {"type": "string"}}})


def text_of(chat, prompt="why?", system="", **settings):
    return "".join(chat.stream(system, prompt, **settings))


def metered_chat(inner, purpose, **policy):
    return Chat.of(inner).metered(purpose, BudgetTracker(UsagePolicy(**policy)))


class Clock:
    """Goes on by a second whenever it is read."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        self.now += 1.0
        return self.now


# What is counted ------------------------------------------------------------------------------------


def test_what_the_provider_counted_is_what_the_call_took():
    chat = Chat.of(ScriptedChat([Reply("Warm discs.", usage=Usage(70, 3))])).metered("answer")
    assert text_of(chat) == "Warm discs."
    (call,) = chat.calls
    assert (call.purpose, call.model, call.usage) == ("answer", NAME, Usage(70, 3))
    assert (call.dollars, call.failure) == (None, None)
    assert chat.tracker.tokens == 70 + 3


def test_where_the_provider_counts_nothing_four_characters_are_a_token_and_it_says_so():
    chat = Chat.of(ScriptedChat(["four"])).metered("answer")
    assert drain(chat.stream("12345678", "1234")) == Usage(3, 1, is_estimated=True)
    assert chat.calls[0].usage == Usage(3, 1, is_estimated=True)


def test_the_seconds_are_those_from_the_question_to_the_last_word():
    chat = Chat.of(ScriptedChat(["a b c"])).metered("answer", BudgetTracker(clock=Clock()))
    text_of(chat)
    # The clock is read at the beginning, at each of three chunks, and at the end: four seconds lie between.
    assert chat.calls[0].seconds == 4.0


@pytest.mark.parametrize(("words", "usage"), [("", None), ("some words", Usage(2, 3, is_estimated=True))])
def test_a_call_that_fails_took_about_what_had_come(words, usage):
    chat = Chat.of(ScriptedChat([Reply(words, ProviderError("HTTP 500"))])).metered("answer")
    with pytest.raises(ProviderError):
        text_of(chat, "12345")
    assert [(call.usage, call.dollars, call.failure) for call in chat.calls] == [(usage, None, "HTTP 500")]


def test_a_reader_who_stops_leaves_a_call_that_says_so_and_lets_the_provider_go():
    gone = []

    class Slow:
        name = NAME

        def stream(self, system, prompt, *, temperature=None, max_tokens=None):
            try:
                yield "one "
                yield "two "
            finally:
                gone.append(True)

    chat = Chat.of(Slow()).metered("answer")
    stream = chat.stream("", "12345678")
    next(stream)
    stream.close()
    assert [(call.usage, call.failure) for call in chat.calls] == [(Usage(2, 1, is_estimated=True), STOPPED_EARLY)]
    assert gone == [True]


def test_another_purpose_is_counted_on_the_same_account():
    chat = Chat.of(ScriptedChat(["a", "b"])).metered("answer")
    text_of(chat.for_purpose("search"))
    text_of(chat)
    assert [call.purpose for call in chat.calls] == ["search", "answer"]


def test_threads_lose_no_call():
    chat = Chat.of(ScriptedChat(lambda prompt: prompt)).metered("search")
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda n: text_of(chat, f"{n}"), range(200)))
    assert (replies, len(chat.calls)) == ([str(n) for n in range(200)], 200)


# What it costs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("usage", "dollars"), [(Usage(1_000_000, 500_000), 0.15 + 0.3), (Usage(10, 10, dollars=0.5), 0.5)]
)
def test_a_price_is_for_a_million_tokens_read_and_written_unless_the_provider_says_one(usage, dollars):
    chat = metered_chat(ScriptedChat([Reply("x", usage=usage)]), "answer", prices=Prices(0.15, 0.6))
    text_of(chat)
    assert chat.calls[0].dollars == pytest.approx(dollars)


# What is remembered ---------------------------------------------------------------------------------


def asked_twice(script, first, second=None, **terms):
    """Two operations over the same model and cache; what each said, and the calls of the second."""
    inner, cache = ScriptedChat(script), ReplyCache()
    first_chat, two = (metered_chat(inner, "answer", cache=cache, **terms) for _ in range(2))
    before = first(first_chat)
    finalise_calls(first_chat)
    return before, (second or first)(two), two.calls, inner


def test_the_same_question_is_not_paid_for_twice():
    before, after, calls, inner = asked_twice([Reply("Warm discs.", usage=Usage(70, 3))], text_of, prices=Prices(1, 1))
    assert before == after == "Warm discs."
    assert calls == (Call("answer", NAME, 0.0, Usage(70, 3), 0.0, is_cached=True),)
    assert len(inner.received) == 1


def test_a_remembered_reply_comes_piece_by_piece_and_takes_nothing_of_the_budget():
    inner, cache = ScriptedChat([Reply("a b", usage=Usage(60, 60)), "c"]), ReplyCache()
    first_chat, two = (metered_chat(inner, "answer", cache=cache, budget=Budget(tokens=100)) for _ in range(2))
    text_of(first_chat)
    finalise_calls(first_chat)
    assert list(two.stream("", "why?")) == ["a ", "b"]
    assert two.tracker.tokens == 0
    assert text_of(two, "more?") == "c"


def test_several_drafts_of_one_question_stay_different_and_are_each_remembered():
    def drafts(chat):
        return [text_of(chat, temperature=0.5) for _ in range(3)]

    before, after, _, inner = asked_twice(["one", "two", "three"], drafts)
    assert before == after == ["one", "two", "three"]
    assert len(inner.received) == 3


@pytest.mark.parametrize(
    ("first", "other"),
    [
        *(({}, other) for other in ({"prompt": "how?"}, {"system": "Be brief."}, {"max_tokens": 9})),
        *(({}, {"temperature": temperature}) for temperature in (0.5, 0.0)),
        ({"prompt": "bc", "system": "a"}, {"prompt": "c", "system": "ab"}),
    ],
)
def test_another_question_or_setting_is_asked(first, other):
    asked = asked_twice(["one", "two"], lambda chat: text_of(chat, **first), lambda chat: text_of(chat, **other))
    assert asked[:2] == ("one", "two")


def test_a_reply_that_failed_or_could_not_be_read_is_asked_for_again_and_the_others_are_remembered():
    script = [Reply("so", ProviderError("HTTP 500")), "Warm.", "no JSON", "Cold.", "Dark."]
    inner, cache = ScriptedChat(script), ReplyCache()
    chat = metered_chat(inner, "search", cache=cache)
    with pytest.raises(ProviderError):
        text_of(chat, "first?")
    text_of(chat)
    assert NAME in str(unreadable(text_of(chat, "last?"), "no JSON", chat))
    assert finalise_calls(chat) == chat.calls
    later = metered_chat(inner, "search", cache=cache)
    assert [text_of(later, prompt) for prompt in ("first?", "why?", "last?")] == ["Cold.", "Warm.", "Dark."]


def test_without_a_model_there_are_no_calls():
    assert finalise_calls(None) == ()


def test_the_cache_lets_go_what_was_not_used_for_longest():
    cache = ReplyCache(max_replies=2)
    replies = {key: StoredReply((key,), ChatReply(key)) for key in "abc"}
    cache.store({key: replies[key] for key in "ab"})
    assert cache.get("a") == replies["a"]
    cache.store({"c": replies["c"]})
    assert [cache.get(key) for key in "abc"] == [replies["a"], None, replies["c"]]
    assert len(cache) == 2


def test_threads_may_share_a_cache():
    cache, gate = ReplyCache(max_replies=50), Barrier(8)

    def work(n):
        gate.wait()
        for place in range(200):
            key = content_key(n, place)
            cache.store({key: StoredReply((key,), ChatReply(key))})
            entry = cache.get(key)  # another thread may push it out at any time
            assert entry is None or entry.reply.text == key

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert len(cache) == 50


def test_a_key_can_be_made_of_half_a_character():
    assert content_key("\ud800") != content_key("\ud801")


# With tools -----------------------------------------------------------------------------------------

TURNS = (Turn("system", "You are an agent."), Turn("human", "Why are discs warm?"))
CALL = ToolCall("1", "search", {"query": "warm discs"})


def test_a_conversation_is_counted_and_remembered_with_the_tools_it_asks_for():
    script = [Reply("I look.", calls=(CALL,), usage=Usage(50, 5))]
    before, after, calls, inner = asked_twice(script, lambda chat: drain(chat.converse(TURNS, [SEARCH])))
    assert before == after == ChatReply("I look.", (CALL,), Usage(50, 5))
    assert [call.is_cached for call in calls] == [True]
    assert len(inner.received) == 1


def test_other_turns_are_another_question():
    more = (*TURNS, Turn("assistant", "I look.", (CALL,)), Turn("tool", "Nothing.", call_id="1"))
    before, after, _, _ = asked_twice(
        ["one", "two"],
        lambda chat: drain(chat.converse(TURNS, [SEARCH])).text,
        lambda chat: drain(chat.converse(more, [SEARCH])).text,
    )
    assert (before, after) == ("one", "two")


def test_a_tool_call_is_counted_where_the_provider_counts_nothing():
    chat = Chat.of(ScriptedChat([Reply("", calls=(CALL,))])).metered("answer")
    usage = drain(chat.converse(TURNS, [SEARCH])).usage
    assert usage.is_estimated
    assert usage.tokens_out == 8  # search{'query': 'warm discs'} is 6 + 23 = 29 characters


def test_a_model_without_tools_says_so():
    class Plain:
        name = "plain:model"

        def stream(self, system, prompt, *, temperature=None, max_tokens=None):
            yield "words"

    with pytest.raises(ProviderError, match="plain:model does not support tools"):
        drain(Chat.of(Plain()).metered("answer").converse(TURNS, [SEARCH]))
