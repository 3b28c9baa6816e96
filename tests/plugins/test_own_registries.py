"""What each of Pathfinder's registries does with a plug-in that clashes or fails."""

import pytest

from pathfinder.answering import answer as answering
from pathfinder.answering.modes import registry as modes
from pathfinder.corpus.readers import registry as readers
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from pathfinder.retrieval.factors import registry as factors
from pathfinder.types import AnswerRequest, StageOutcome
from tests.answering.results import answer, context, result
from tests.plugins.conftest import Install

FAILING_MODE = """
from pathfinder.answering.modes.base import AnswerMode
from pathfinder.types import TextDelta
PATHFINDER_API = 1

def stream(session):
    yield TextDelta("The stars say ")
    raise LookupError("no horoscope today")

def at_once(session):
    raise LookupError("no horoscope today")

def no_stream(session):
    return "The stars say nothing."

def no_draft(session):
    yield TextDelta("The stars say nothing.")

mode = AnswerMode("oracle", "Oracle", "Asks the stars.", "star", {function}, needs=())
"""


def answer_of_the_oracle(
    install: Install, monkeypatch: pytest.MonkeyPatch, function: str, search_result, chat=None, **request
):
    install("toyshop", FAILING_MODE.format(function=function), group=modes.GROUP, oracle="toyshop:mode")
    with_oracle = modes.mode_registry()
    monkeypatch.setattr(modes, "MODES", with_oracle)
    monkeypatch.setattr(answering, "MODES", with_oracle)
    return answer(search_result, AnswerRequest("oracle", **request), context(HashEmbedder(16), chat))


@pytest.mark.parametrize(
    ("function", "fault"),
    [
        ("stream", "LookupError: no horoscope today"),
        ("at_once", "LookupError: no horoscope today"),
        ("no_stream", "TypeError: its stream returned a str instead of a generator"),
        ("no_draft", "TypeError: its stream returned a NoneType instead of a DraftAnswer"),
    ],
)
def test_an_answer_mode_that_fails_is_named_and_the_hits_answer(install, monkeypatch, function, fault):
    answer = answer_of_the_oracle(install, monkeypatch, function, result())
    (status,) = answer.stage_status
    assert answer.stages[0].ran == "extractive (the answer mode failed)"
    assert status.status is StageOutcome.SUBSTITUTED
    assert f"plug-in 'oracle' of toyshop (pathfinder.answer_modes) was left out: {fault};" in status.reason
    assert answer.notes == (status.reason,)
    assert answer.claims


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("auto", "auto means that Pathfinder chooses the mode"),
        ("broad", "broad is an earlier name of three-part"),
        ("bibliometric", "bibliometric is an earlier name of ads-query"),
    ],
)
def test_an_answer_mode_with_a_name_that_means_something_else_is_left_out(install, name, reason):
    source = FAILING_MODE.format(function="stream").replace('"oracle"', f'"{name}"')
    install("toyshop", source, group=modes.GROUP, **{name: "toyshop:mode"})
    registry = modes.mode_registry()
    assert name not in registry.names()
    assert [reason in problem.reason for problem in registry.problems()] == [True]


def test_where_an_answer_mode_fails_without_hits_nothing_is_quoted(install, monkeypatch):
    answer = answer_of_the_oracle(install, monkeypatch, "stream", result(()))
    assert answer.abstained
    assert answer.stage_status[0].status is StageOutcome.SKIPPED
    assert answer.stage_status[0].reason == "no papers were found"
    assert "no horoscope today" in answer.notes[0]


def test_a_chat_model_judges_the_evidence_also_when_the_answer_mode_failed(install, monkeypatch):
    judge = ScriptedChat(["no verdicts"])
    answer = answer_of_the_oracle(install, monkeypatch, "stream", result(), judge, second_judge=True)
    assert len(judge.received) == 1
    assert [stage.name for stage in answer.stages] == ["answer", "second judge"]


READER = """
from pathfinder.corpus.readers.reader import Reader
PATHFINDER_API = 1
reader = Reader("stone tablets", (".stone", ".jsonl"), lambda path: iter(()){sniff})
"""


def test_a_reader_for_files_that_another_reads_already_is_named_and_left_out(install):
    install("quarry", READER.format(sniff=""), group=readers.GROUP, tablets="quarry:reader")
    registry = readers.reader_registry()
    assert registry.all() == readers.READERS.all()
    (problem,) = registry.problems()
    assert (problem.name, problem.package) == ("tablets", "quarry")
    assert problem.reason == (
        "the reader JSON lines already reads files that end in .jsonl: a second reader needs `sniff`, to recognise "
        "its files by their first bytes"
    )


def test_of_two_plug_ins_that_read_the_same_files_the_first_is_used(install):
    install("quarry", READER.format(sniff="").replace(', ".jsonl"', ","), group=readers.GROUP, a="quarry:reader")
    install("clay", READER.format(sniff="").replace(', ".jsonl"', ","), group=readers.GROUP, b="clay:reader")
    registry = readers.reader_registry()
    assert len(registry.all()) == len(readers.READERS.all()) + 1
    assert [problem.name for problem in registry.problems()] == ["b"]


def test_a_reader_that_recognises_its_files_may_share_their_ending(install):
    install("quarry", READER.format(sniff=", sniff=bool"), group=readers.GROUP, tablets="quarry:reader")
    registry = readers.reader_registry()
    assert registry.get("tablets") in registry.all()
    assert registry.problems() == ()


FACTOR = """
import numpy as np
from pathfinder.retrieval.factors import RankingFactor
PATHFINDER_API = 1
factor = RankingFactor("{name}", "a toy", "Favours toys.", "1", measure=lambda pool: np.ones(len(pool.candidates)))
"""


@pytest.mark.parametrize("name", ["keywords", "title", "top_k", "fused", "time", "my-factor", "Brightness"])
def test_a_factor_whose_name_an_option_or_a_score_already_has_is_left_out_by_name(install, name):
    install("toyshop", FACTOR.format(name=name), group=factors.GROUP, **{name: "toyshop:factor"})
    registry = factors.factor_registry()
    assert registry.all() == factors.FACTORS.all()
    assert [problem.name for problem in registry.problems()] == [name]


def test_a_factor_with_a_name_of_its_own_is_added(install):
    install("toyshop", FACTOR.format(name="brightness"), group=factors.GROUP, brightness="toyshop:factor")
    registry = factors.factor_registry()
    assert registry.names() == (*factors.FACTORS.names(), "brightness")
    assert registry.get("brightness").label == "a toy"
