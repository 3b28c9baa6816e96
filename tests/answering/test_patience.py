import re

import pytest

from pathfinder.answering.session.answer_session import AnswerSession
from pathfinder.llm.chat import Chat
from pathfinder.llm.langchain_chat import langchain_chat
from pathfinder.llm.stopping import drain
from pathfinder.llm.usage import BudgetTracker
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import AnswerRequest, Budget, Ended, ModeName, Specialisation
from tests.answering.results import context, result, stream_answer
from tests.wire import Hangs, Says, Wire

NO_TIME = Budget(seconds=0.2)
"""Far shorter than the timeout of a call, so that a test that waits for the call does not end in time."""
FOREVER = 600.0


def silent(wire):
    return langchain_chat("openai:m", api_key="k", base_url=wire.url, timeout_seconds=FOREVER)


def answer_with(chat, **fields):
    request = AnswerRequest(**fields)
    return drain(stream_answer(result(), request, context(HashEmbedder(64), chat, lambda _: result())))


@pytest.mark.parametrize(
    ("generation", "ran"),
    [
        (ModeName.RAG, "extractive (budget spent)"),
        (ModeName.AGENT, "extractive, after an agent, 0 searches, m, openai"),
        (ModeName.DEEP_RESEARCH, "extractive"),
        (ModeName.SELF_FEEDBACK, "extractive"),
    ],
)
def test_a_model_that_says_nothing_is_waited_for_no_longer_than_the_budget_lasts(generation, ran):
    with Wire(Hangs()) as wire:
        answer = answer_with(silent(wire), generation=generation, budget=NO_TIME)
    assert answer.stages[0].ran.startswith(ran)
    assert answer.claims
    texts = [*answer.notes, *(step.text for step in (answer.trace.steps if answer.trace else ()))]
    assert any("time budget" in line.lower() or Ended.SECONDS.value in line for line in texts)


def test_a_model_that_falls_silent_midway_is_cut_off_there():
    with Wire(Says("Dust is cold and clumpy. ", then="hang")) as wire:
        answer = answer_with(silent(wire), budget=Budget(seconds=2.0))
    assert answer.text.startswith("Dust is cold and clumpy.")
    assert any(Ended.SECONDS.value in note for note in answer.notes)


def test_a_silent_model_writes_no_ads_query_and_the_rules_do():
    with Wire(Hangs()) as wire:
        budget = Budget(seconds=2.0)  # the rules have written their query before the model is asked
        chat = Chat.of(silent(wire)).metered("answer", BudgetTracker(None, budget))
        answer = answer_with(chat, specialisation=Specialisation.BIBLIOMETRIC, budget=budget)
    assert answer.stages[0].ran.startswith("ADS query, rules (out of time waiting for openai:m")
    assert re.match(r"openai:m did not finish in the [012](?:\.\d+)? s left for it", chat.calls[0].failure)


def test_a_reply_may_overrun_by_half_a_minute_and_by_no_more_than_the_budget():
    def overrun(seconds):
        request = AnswerRequest(budget=Budget(seconds=seconds))
        return AnswerSession.begin(result(), request, context(HashEmbedder(64))).overrun

    assert [overrun(seconds) for seconds in (1.0, 180.0)] == [1.0, 30.0]
