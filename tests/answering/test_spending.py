import pytest

from pathfinder.answering.spending import Spending, Spent
from pathfinder.errors import BrokenStream, BudgetSpent, ProviderError
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.types import Budget, Ended, Usage


def spending(clock=lambda: 0.0, **budget):
    return Spending(Budget(**budget), clock)


def test_where_the_provider_says_nothing_four_characters_are_a_token():
    spent = spending()
    # 6 characters in, 8 out: 2 tokens begun, and 2.
    assert spent.ask(ScriptedChat(["one, two"]), "sys", "ask") == "one, two"
    assert spent.tokens == 4


def test_what_the_provider_counted_replaces_what_was_estimated():
    spent = spending()
    spent.ask(ScriptedChat([Reply("one", usage=Usage(70, 7))]), "sys", "ask")
    assert spent.tokens == 77


def test_a_call_whose_prompt_has_no_room_is_not_made():
    chat = ScriptedChat(["never"])
    with pytest.raises(Spent) as spent:
        spending(tokens=9).ask(chat, "", "a" * 40)
    assert spent.value.ended is Ended.TOKENS
    assert chat.asked == []


def test_a_share_of_the_budget_ends_before_the_whole():
    chat = ScriptedChat(["one", "two"])
    limited = spending(tokens=20)
    limited.ask(chat, "", "a" * 40)
    with pytest.raises(Spent):
        limited.ask(chat, "", "a" * 24, share=0.75)
    assert limited.ask(chat, "", "a" * 24) == "two"


def test_time_that_runs_out_ends_a_reply_midway_and_what_was_written_counts():
    times = iter([0.0, 0.0, 0.0, 9.0])
    limited = spending(clock=lambda: next(times), seconds=5.0)
    stream = limited.stream(ScriptedChat(["one two three"]), "", "abcd")
    assert next(stream) == "one "
    with pytest.raises(Spent) as spent:
        next(stream)
    assert spent.value.ended is Ended.SECONDS
    assert limited.tokens == 2


def test_a_reply_that_ends_with_its_budget_is_whole():
    # 1 token in, and 2 out of which the second comes with the last word.
    limited = spending(tokens=2)
    assert limited.ask(ScriptedChat(["one seven"]), "", "abcd") == "one seven"
    assert limited.tokens == 3


def test_a_stream_that_breaks_off_has_cost_what_came():
    limited = spending()
    with pytest.raises(BrokenStream):
        limited.ask(ScriptedChat([Reply("one two", BrokenStream("it broke off"))]), "", "abcd")
    assert limited.tokens == 2


@pytest.mark.parametrize("reply", ["", "  \n"])
def test_an_empty_reply_is_the_models_failure(reply):
    with pytest.raises(ProviderError, match="empty reply"):
        spending().ask(ScriptedChat([reply]), "", "abcd")


def test_tokens_that_others_have_spent_are_spent():
    with pytest.raises(Spent) as spent:
        spending().ask(ScriptedChat([Reply("", BudgetSpent("100 tokens are spent"))]), "", "abcd")
    assert spent.value.ended is Ended.TOKENS


def test_once_the_reader_has_stopped_no_call_is_made():
    chat, stopped = ScriptedChat(["never"]), spending()
    stopped.stop()
    with pytest.raises(Spent) as spent:
        stopped.ask(chat, "", "abcd")
    assert spent.value.ended is Ended.STOPPED
    assert chat.asked == []
