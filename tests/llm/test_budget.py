"""One budget bounds the calls, tokens and seconds of a question, whatever asks the chat model."""

import pytest

from pathfinder.errors import BrokenStream, BudgetExhausted, BudgetSpent, TimeSpent
from pathfinder.llm.chat import Chat, complete
from pathfinder.llm.usage import BudgetTracker, CallLog, UsagePolicy, ended_by
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.models.ports import ChatReply
from pathfinder.types import Budget, Call, Ended, Usage


def bounded_chat(script, clock=lambda: 0.0, log=None, **budget):
    return Chat.of(ScriptedChat(script)).metered("answer", BudgetTracker(None, Budget(**budget), clock, log))


def ask(chat, system="", prompt="abcd"):
    return complete(chat, system, prompt)


def end_of(chat, prompt="abcd"):
    with pytest.raises(BudgetExhausted) as error:
        ask(chat, prompt=prompt)
    return ended_by(error.value)


def test_a_call_whose_prompt_has_no_room_is_not_made():
    chat = bounded_chat(["never"], tokens=9)
    assert end_of(chat, "a" * 40) is Ended.TOKENS
    assert chat.calls == ()


def test_a_share_of_the_budget_ends_before_the_whole():
    chat = bounded_chat(["one", "two"], tokens=20)
    ask(chat, prompt="a" * 40)
    assert end_of(chat.within(0.75), "a" * 24) is Ended.TOKENS
    assert ask(chat, prompt="a" * 24) == "two"


def test_the_calls_of_a_question_are_bounded():
    chat = bounded_chat(["one", "two", "never"], calls=2)
    ask(chat)
    ask(chat.for_purpose("search"))
    assert end_of(chat) is Ended.CALLS


def test_a_reply_is_cut_off_where_the_time_ends_and_what_was_written_counts():
    now = [0.0]
    chat = bounded_chat(["one two three"], clock=lambda: now[0], seconds=5.0)
    stream = chat.stream("", "abcd")
    assert next(stream) == "one "
    now[0] = 9.0
    with pytest.raises(TimeSpent):
        next(stream)
    assert chat.tracker.tokens == 2
    assert chat.calls[0].failure.startswith("fake:scripted was cut off: 9 seconds of a budget of 5 are spent")


def test_a_reply_that_may_overrun_is_finished_after_the_budget_ends():
    now = [0.0]
    chat = bounded_chat(["one two three"], clock=lambda: now[0], seconds=5.0, tokens=1).with_overrun(30.0)
    stream = chat.stream("", "abcd")
    next(stream)
    now[0] = 34.0
    assert next(stream) == "two "
    now[0] = 35.0
    with pytest.raises(TimeSpent):
        next(stream)


def test_last_words_may_begin_after_the_budget_ends():
    chat = bounded_chat(["one"], clock=iter([0.0, *[100.0] * 20]).__next__, seconds=5.0)
    assert end_of(chat) is Ended.SECONDS
    assert ask(chat.for_last_words(5.0)) == "one"


def test_a_reply_that_ends_with_its_budget_is_whole():
    # 1 token in, and 2 out of which the second comes with the last word.
    chat = bounded_chat(["one seven"], tokens=2)
    assert ask(chat) == "one seven"
    assert chat.tracker.tokens == 1 + 3


def test_once_the_reader_has_stopped_a_reply_under_way_ends_and_no_call_is_made():
    chat = bounded_chat(["one two", "never"])
    stream = chat.stream("", "abcd")
    next(stream)
    chat.tracker.stop()
    with pytest.raises(BudgetExhausted):
        next(stream)
    assert end_of(chat) is Ended.STOPPED


def test_calls_made_earlier_for_the_question_count():
    earlier = Call("search", "fake:scripted", 4.0, Usage(50, 10))
    cached = Call("route", "fake:scripted", 0.0, Usage(500, 10), is_cached=True)
    chat = bounded_chat(["never"], tokens=60, log=CallLog([earlier, cached]))
    assert (chat.tracker.tokens, chat.tracker.n_calls, chat.tracker.seconds) == (60, 1, 4.0)
    assert end_of(chat) is Ended.TOKENS


def test_the_log_of_a_question_takes_up_failed_and_stopped_calls():
    log = CallLog()
    chat = bounded_chat(["one two", Reply("", BrokenStream("it broke off"))], log=log)
    stream = chat.stream("", "abcd")
    next(stream)
    stream.close()
    with pytest.raises(BrokenStream):
        ask(chat)
    assert [call.failure for call in log.calls] == ["stopped before it finished", "it broke off"]


def shared_chat(script, log, clock=lambda: 0.0, **budget):
    tracker = BudgetTracker(None, Budget(**budget), clock, log, is_shared=True)
    return Chat.of(ScriptedChat(script)).metered("answer", tracker)


def test_operations_that_share_a_budget_see_each_others_calls_while_they_are_in_progress():
    log = CallLog()
    writing, reading = shared_chat(["one two"], log, calls=1), shared_chat(["never"], log, calls=1)
    stream = writing.stream("", "abcd")
    assert next(stream) == "one "
    # 1 token in, and 4 characters out: 1 token.
    assert (reading.tracker.n_calls, reading.tracker.tokens) == (1, 2)
    assert end_of(reading) is Ended.CALLS
    stream.close()
    assert (reading.tracker.n_calls, reading.tracker.tokens) == (1, 2)


def test_seconds_of_calls_made_side_by_side_count_once():
    now, log = [0.0], CallLog()
    first_chat, other = (shared_chat(["one two"], log, lambda: now[0], seconds=20.0) for _ in range(2))
    first = first_chat.stream("", "abcd")
    next(first)
    now[0] = 4.0
    second = other.stream("", "abcd")
    next(second)
    now[0] = 6.0
    first.close()
    now[0] = 9.0
    assert log.seconds(9.0) == 9.0
    second.close()
    now[0] = 100.0  # the reader thinks: 0 to 6 and 4 to 9 are 9 seconds
    later = shared_chat(["never"], log, lambda: now[0], seconds=9.0)
    assert later.tracker.seconds == 9.0
    assert end_of(later) is Ended.SECONDS


def test_without_a_budget_of_its_own_an_operation_has_that_of_the_policy():
    tracker = BudgetTracker(UsagePolicy(budget=Budget(tokens=3)))
    chat = Chat.of(ScriptedChat(["a long", "never"])).metered("search", tracker)
    ask(chat)
    with pytest.raises(
        BudgetSpent, match=r"was not called again: 3 tokens of a budget of 3 are spent; raise the budget"
    ):
        ask(chat)
    assert len(chat.calls) == 1


def test_each_call_is_waited_for_as_long_as_the_budget_lasts():
    now, limits = [0.0], []

    def send(request):
        limits.append((request.begins, request.ends))
        yield "one"
        return ChatReply("one")

    chat = Chat("fake:waiting", send).metered("answer", BudgetTracker(None, Budget(seconds=5.0), lambda: now[0]))
    now[0] = 1.0
    ask(chat)
    now[0] = 4.0
    ask(chat.with_overrun(30.0))
    now[0] = 9.0
    ask(chat.for_last_words(2.0))
    assert limits == [(4.0, 4.0), (1.0, 31.0), (2.0, 2.0)]
    assert [ended_by(error) for error in (BudgetSpent("x"), TimeSpent("x"))] == [Ended.TOKENS, Ended.SECONDS]
