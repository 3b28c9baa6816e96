"""What operations of the facade ask of a chat model: counted, bounded, remembered, and apart for each reader."""

from dataclasses import replace

import pytest

from pathfinder import Pathfinder, Settings
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import UsageError
from pathfinder.llm.usage import CallLog, Prices, ReplyCache, UsagePolicy
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.models.loading import load_usage_policy
from pathfinder.types import (
    Budget,
    Done,
    Note,
    QueryExpansion,
    Specialisation,
    StageOutcome,
    TextDelta,
    Usage,
)

QUESTION = "What is the value of the Hubble constant?"
NAME = "fake:scripted"


def with_chat(pf: Pathfinder, *replies: str | Reply, terms: UsagePolicy | None = None) -> Pathfinder:
    return Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), ScriptedChat(replies), terms=terms)


def test_an_answer_says_what_it_took(pf: Pathfinder) -> None:
    own = with_chat(pf, Reply("It is 73.", usage=Usage(900, 12)), terms=UsagePolicy(Prices(1.0, 10.0)))
    answer = own.answer(own.search(QUESTION))
    (call,) = answer.calls
    assert (call.purpose, call.model, call.usage) == ("answer", NAME, Usage(900, 12))
    assert call.dollars == pytest.approx((900 * 1 + 12 * 10) / 1e6)


def test_without_a_chat_model_there_are_no_calls(pf: Pathfinder) -> None:
    result = pf.search(QUESTION)
    assert (result.calls, pf.answer(result).calls, pf.route(result).calls) == ((), (), ())


def test_a_search_that_imagines_says_what_it_took_and_asks_once(pf: Pathfinder) -> None:
    own = with_chat(pf, "An abstract.", "Another abstract.")
    settings = {"imagine": QueryExpansion.HYDE, "n_hypothetical": 2}
    first, again = own.search(QUESTION, **settings), own.search(QUESTION, **settings)
    assert [(call.purpose, call.is_cached) for call in first.calls] == [("search", False)] * 2
    assert [(call.purpose, call.is_cached) for call in again.calls] == [("search", True)] * 2
    assert sorted(again.hypothetical) == sorted(first.hypothetical) == ["An abstract.", "Another abstract."]


def test_a_kind_that_could_not_be_read_is_asked_for_again(pf: Pathfinder) -> None:
    own = with_chat(pf, "no JSON", '{"category": "single-paper", "flags": [], "reason": "one fact"}')
    result = own.search(QUESTION)
    assert own.route(result).decided_by.startswith("rules (")
    route = own.route(result)
    assert [(call.purpose, call.is_cached) for call in route.calls] == [("route", False)]
    assert own.route(result).calls[0].is_cached


def test_a_follow_up_says_what_it_took_and_asks_once(pf: Pathfinder) -> None:
    own = with_chat(pf, '{"question": "What is the value of the Hubble constant from lensed quasars?"}')
    first, again = (own.follow_up([QUESTION], "and from lensed quasars?") for _ in range(2))
    assert first.text == again.text == "What is the value of the Hubble constant from lensed quasars?"
    assert [(call.purpose, call.is_cached) for route in (first, again) for call in route.calls] == [
        ("follow-up", False),
        ("follow-up", True),
    ]


def test_another_chat_model_starts_without_a_memory_and_without_prices(pf: Pathfinder) -> None:
    own = with_chat(pf, "It is 73.", terms=UsagePolicy(Prices(1, 1), ReplyCache()))
    result = own.search(QUESTION)
    own.answer(result)
    other = own.with_chat(ScriptedChat(["It is 67."]))
    (call,) = other.answer(result).calls
    assert (call.is_cached, call.dollars) == (False, None)
    assert own.with_chat(ScriptedChat([]), Prices(2, 2)).policy.prices == Prices(2, 2)


def test_the_budget_of_an_answer_is_its_own(pf: Pathfinder) -> None:
    own = with_chat(pf, Reply("It is 73.", usage=Usage(900, 12)), terms=UsagePolicy(budget=Budget(tokens=1)))
    answer = own.answer(own.search(QUESTION), budget=Budget(tokens=5000))
    assert len(answer.calls) == 1


@pytest.mark.parametrize("prices", [{"chat_price_in": 1.0}, {"chat_price_out": 1.0}])
def test_one_price_without_the_other_is_refused(prices) -> None:
    with pytest.raises(UsageError, match="set both, or neither"):
        load_usage_policy(Settings(_env_file=None, **prices))


def test_settings_give_prices_and_budget() -> None:
    settings = Settings(_env_file=None, chat_price_in=0.15, chat_price_out=0.6, chat_budget_tokens=500)
    assert replace(load_usage_policy(settings), cache=None) == UsagePolicy(Prices(0.15, 0.6), None, Budget(tokens=500))
    assert load_usage_policy(Settings(_env_file=None)).prices is None


def test_the_calls_of_a_search_count_against_the_budget_of_its_answer(pf: Pathfinder) -> None:
    own = with_chat(pf, Reply("An abstract.", usage=Usage(4990, 10)), "never said")
    result = own.search(QUESTION, imagine=QueryExpansion.HYDE)
    answer = own.answer(result, budget=Budget(tokens=5000))
    assert answer.calls == ()
    assert answer.stages[0].ran == "extractive (budget spent)"
    assert answer.stage_status[0].status is StageOutcome.SUBSTITUTED


def test_the_operations_of_one_question_share_a_budget_and_a_log(pf: Pathfinder) -> None:
    log = CallLog()
    own = with_chat(pf, Reply("no JSON", usage=Usage(10, 1)), "It is 73.").for_question(Budget(calls=2), log)
    result = own.search(QUESTION)
    own.route(result)
    own.answer(result)
    assert [call.purpose for call in log.calls] == ["route", "answer"]
    assert own.answer(result).stages[0].ran.startswith("RAG")  # its reply is cached, and a cached reply costs nothing


def test_a_stopped_answer_has_spent_the_budget_of_its_question(pf: Pathfinder) -> None:
    own = with_chat(pf, "It is 73 or so.", "never said").for_question(Budget(calls=1))
    result = own.search(QUESTION)
    stream = own.stream_answer(result)
    next(stream)
    stream.close()
    again = own.answer(result)
    assert again.calls == ()
    assert again.stages[0].ran == "extractive (budget spent)"


@pytest.mark.parametrize("fields", [{"mode": "broad"}, {"mode": "three-part"}, {"style": Specialisation.BROAD}])
def test_the_badge_names_the_style_in_which_the_answer_is_written(pf: Pathfinder, fields) -> None:
    own = with_chat(pf, "<first>It is 73.</first><check>Fine.</check><refined>It is 73.</refined>")
    assert own.answer(own.search(QUESTION), **fields).stages[0].ran == "RAG, broad, scripted, fake"


def test_an_answer_streams_as_typed_events_that_end_with_the_whole(pf: Pathfinder) -> None:
    own = with_chat(pf, "It is 73.")
    *events, last = own.stream_events(own.search(QUESTION))
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == "It is 73."
    assert [event.text for event in events if isinstance(event, Note)] == list(last.answer.notes)
    assert isinstance(last, Done)
    assert [call.purpose for call in last.answer.calls] == ["answer"]
