import pytest

from pathfinder.answering.answer import stream_answer
from pathfinder.answering.patience import overrun, patient
from pathfinder.answering.reply import finished
from pathfinder.answering.spending import Spending, Spent
from pathfinder.errors import TimeSpent
from pathfinder.models.fake import HashEmbedder, Reply, ScriptedChat
from pathfinder.models.langchain_chat import LangChainChat
from pathfinder.models.metered import MeteredChat
from pathfinder.types import AnswerRequest, Budget, Ended, Generation, Specialisation, StepKind
from tests.answering.results import means, result
from tests.wire import Hangs, Says, Wire

NO_TIME = Budget(seconds=0.2)
"""Shorter by far than the time-out of a call, so that a test that waits for it does not end in time."""
FOREVER = 600.0


class Patient(ScriptedChat):
    """Notes for how long it is waited for."""

    def __init__(self, script):
        super().__init__(script)
        self.told = []

    def patient(self, seconds, overrun=0.0):
        self.told.append((seconds, overrun))
        return self


def silent(wire):
    return LangChainChat("openai:m", api_key="k", base_url=wire.url, timeout_seconds=FOREVER)


def answered(chat, **fields):
    request = AnswerRequest(**fields)
    return finished(stream_answer(result(), request, means(HashEmbedder(64), chat, lambda _: result())))


@pytest.mark.parametrize(
    ("generation", "ran"),
    [
        (Generation.RAG, "extractive (budget spent)"),
        (Generation.AGENT, "extractive, behind an agent, 0 searches, m, openai"),
        (Generation.DEEP_RESEARCH, "extractive"),
        (Generation.SELF_FEEDBACK, "extractive"),
    ],
)
def test_a_model_that_says_nothing_is_waited_for_no_longer_than_the_budget_lasts(generation, ran):
    with Wire(Hangs()) as wire:
        told = answered(MeteredChat(silent(wire), "answer"), generation=generation, budget=NO_TIME)
    assert told.stages[0].ran.startswith(ran)
    assert told.claims
    said = [*told.notes, *(step.text for step in (told.trace.steps if told.trace else ()))]
    assert any("time budget" in line.lower() or Ended.SECONDS.value in line for line in said)


def test_a_model_that_falls_silent_midway_is_cut_off_there():
    with Wire(Says("Stars form. ", then="hang")) as wire:
        told = answered(MeteredChat(silent(wire), "answer"), budget=Budget(seconds=2.0))
    assert told.text.startswith("Stars form.")
    assert any(Ended.SECONDS.value in note for note in told.notes)


def test_a_silent_model_writes_no_ads_query_and_the_rules_do():
    with Wire(Hangs()) as wire:
        chat = MeteredChat(silent(wire), "answer")
        told = answered(chat, specialisation=Specialisation.BIBLIOMETRIC, budget=NO_TIME)
    assert told.stages[0].ran.startswith("ADS query, rules (time spent, waiting for openai:m")
    assert chat.calls[0].failure.startswith("openai:m did not finish in the 0.2 s that were left for it")


def test_each_call_is_waited_for_as_long_as_the_budget_lasts():
    times = iter([0.0, 0.0, 1.0, 1.0, 1.0, 4.0, 4.0, 4.0])
    spending, chat = Spending(Budget(seconds=5.0), lambda: next(times)), Patient(["one", "two"])
    assert spending.ask(chat, "", "a") == "one"
    assert spending.ask(chat, "", "b") == "two"
    assert chat.told == [(4.0, 0.0), (1.0, 0.0)]


def test_time_that_is_over_while_the_model_is_silent_ends_the_budget():
    with pytest.raises(Spent) as spent:
        Spending(Budget(), lambda: 0.0).ask(ScriptedChat([Reply("", TimeSpent("it said nothing"))]), "", "a")
    assert spent.value.ended is Ended.SECONDS


def test_an_agent_whose_model_says_nothing_ends_as_at_the_end_of_any_budget():
    with Wire(Hangs()) as wire:
        told = answered(MeteredChat(silent(wire), "answer"), generation=Generation.AGENT, budget=NO_TIME)
    assert told.trace.ended is Ended.SECONDS
    assert told.trace.steps[-1].kind is StepKind.FINAL


def test_a_model_that_cannot_be_told_is_left_as_it_is():
    chat = ScriptedChat([])
    assert patient(chat, lambda: 1.0) is chat
    assert patient(MeteredChat(chat, "answer"), lambda: 1.0).name == chat.name


def test_a_reply_may_run_over_by_half_a_minute_and_by_no_more_than_the_budget():
    assert [overrun(Budget(seconds=seconds)) for seconds in (1.0, 180.0)] == [1.0, 30.0]
