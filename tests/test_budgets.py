"""A session without a budget gives each public call its own: what the budget ends says so, and loses nothing."""

import datetime
import json
import re
from collections.abc import Callable

import pytest

from pathfinder import Pathfinder
from pathfinder.addons.hypotheses.hypothesis import ClauseKind, Hypothesis, HypothesisClause
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import BudgetSpent
from pathfinder.llm.usage import ReplyCache, UsagePolicy
from pathfinder.models.fake import ScriptedChat
from pathfinder.operations import OPERATIONS, body_of, call, run
from pathfinder.types import (
    Audience,
    Budget,
    Ended,
    ModeName,
    QueryExpansion,
    StageOutcome,
    StageStatus,
)
from tests.answering.assessment.consensus.test_consensus import supporting

QUESTION = "What is the value of the Hubble constant?"
TODAY = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
HYDE = {"imagine": QueryExpansion.HYDE}
NAME = "fake:scripted"
SPENT = f"budget spent before calling {NAME}"
CLAUSE = HypothesisClause("Nobody has linked them.", ClauseKind.COUNT)
HYPOTHESIS = Hypothesis(("dark energy", "cold discs"), (4, 4), 2, 0.01, 3.0, (), (CLAUSE,))
KEY = re.compile(r'<source key="(\w+)">')


def within(pf: Pathfinder, chat: ScriptedChat, budget: Budget) -> Pathfinder:
    """Open the corpus with a chat model whose operations each have this budget by default."""
    return Pathfinder(
        pf.corpus, pf.embedder, KeywordExtractor.load(), chat, terms=UsagePolicy(None, ReplyCache(), budget)
    )


def penniless(pf: Pathfinder) -> tuple[Pathfinder, ScriptedChat]:
    """Open the corpus with a budget of a single token, in which no prompt has room."""
    chat = ScriptedChat([])
    return within(pf, chat, Budget(tokens=1)), chat


def test_a_search_expands_the_question_by_rules(pf: Pathfinder) -> None:
    own, chat = penniless(pf)
    result = own.search(QUESTION, **HYDE)
    assert StageStatus("imagine", None, StageOutcome.SUBSTITUTED, SPENT) in result.stage_status
    expected = pf.search(QUESTION, imagine=QueryExpansion.FEEDBACK)
    assert [hit.paper for hit in result.hits] == [hit.paper for hit in expected.hits]
    assert (chat.received, result.calls) == ([], ())


def test_a_question_is_classified_and_a_follow_up_rewritten_by_rules(pf: Pathfinder) -> None:
    own, chat = penniless(pf)
    result = own.search(QUESTION)
    route, standing = own.route(result), own.follow_up([QUESTION], "and from lensed quasars?")
    assert route.status == StageStatus("route", None, StageOutcome.SUBSTITUTED, SPENT)
    assert (route.category, route.flags) == (pf.route(result).category, pf.route(result).flags)
    assert standing.status == StageStatus("follow-up", None, StageOutcome.SUBSTITUTED, SPENT)
    assert standing.text == f"{QUESTION} And from lensed quasars?"
    assert chat.received == []


@pytest.mark.parametrize("mode", [ModeName.RAG, ModeName.DEEP_RESEARCH, ModeName.SELF_FEEDBACK])
def test_an_answer_quotes_the_papers(pf: Pathfinder, mode: ModeName) -> None:
    own, chat = penniless(pf)
    answer = own.answer(own.search(QUESTION), mode=mode, budget=Budget(tokens=1))
    (status,) = answer.stage_status
    assert status.status is StageOutcome.SUBSTITUTED
    assert answer.claims
    assert chat.received == []


def test_an_agent_says_its_last_words_and_its_trace_what_was_spent(pf: Pathfinder) -> None:
    own = within(pf, ScriptedChat(["It is 73."]), Budget(tokens=1))
    answer = own.answer(own.search(QUESTION), mode=ModeName.AGENT, budget=Budget(tokens=1))
    assert answer.trace is not None
    assert (answer.trace.ended, len(answer.calls)) == (Ended.TOKENS, 1)


@pytest.mark.parametrize("read", [Pathfinder.consensus, Pathfinder.consensus_over_time])
def test_a_consensus_ends_with_an_error_that_names_what_is_spent(
    pf: Pathfinder, read: Callable[[Pathfinder, object], object]
) -> None:
    own, chat = penniless(pf)
    with pytest.raises(BudgetSpent, match="tokens of a budget of 1 are spent") as error:
        read(own, own.search(QUESTION))
    assert (error.value.used_up, chat.received) == ("tokens", [])


def test_a_rewrite_ends_with_an_error_and_the_answer_stays(pf: Pathfinder) -> None:
    own, _ = penniless(pf)
    answer = own.answer(own.search(QUESTION), mode=ModeName.EXTRACTIVE)
    with pytest.raises(BudgetSpent, match="0 tokens of a budget of 1 are spent"):
        own.rewrite(answer, Audience.STUDENT)


def test_a_table_holds_sentences_and_a_hypothesis_its_template(pf: Pathfinder) -> None:
    own, chat = penniless(pf)
    table = own.comparison_table(own.search(QUESTION, top_k=3), ["result"])
    assert table.status == StageStatus("table", None, StageOutcome.SUBSTITUTED, SPENT)
    assert any(row.cells[0] for row in table.rows)
    hypothesis = own.write_hypothesis(HYPOTHESIS)
    assert hypothesis.status == StageStatus("hypothesis", None, StageOutcome.SUBSTITUTED, SPENT)
    assert (hypothesis.clauses, chat.received) == ((CLAUSE,), [])


def test_calls_of_the_api_are_limited_as_well(pf: Pathfinder) -> None:
    own, chat = penniless(pf)
    body = body_of(OPERATIONS.get("search")).model_validate({"query": QUESTION, "imagine": "hyde"})
    status = {"name": "imagine", "model": None, "status": "substituted", "reason": SPENT}
    assert status in call(OPERATIONS.get("search"), own, body)["stage_status"]
    run(own, "tensions", QUESTION, imagine="hyde")
    assert chat.received == []


def test_each_call_of_a_session_without_a_budget_has_its_own(pf: Pathfinder) -> None:
    own = within(pf, ScriptedChat(["no JSON", "no JSON", "It is 73.", "It is about 73."]), Budget(calls=1))
    result = own.search(QUESTION)
    n_calls = [len(own.route(result).calls), len(own.follow_up([QUESTION], "and from quasars?").calls)]
    answer = own.answer(result, budget=Budget(calls=1))
    assert [*n_calls, len(answer.calls), len(own.rewrite(answer, Audience.STUDENT).calls)] == [1, 1, 1, 1]


def test_stances_that_were_read_within_the_budget_are_not_paid_for_again(pf: Pathfinder) -> None:
    chat = ScriptedChat(supporting)
    own = within(pf, chat, Budget(calls=2))
    result = own.search(QUESTION, top_k=10)
    with pytest.raises(BudgetSpent, match="2 calls of a budget of 2 are spent"):
        own.consensus(result)
    # The statement and the batches of 8 and of 2 papers are three calls, of which one is left.
    assert len(own.consensus(result).stances) == 10
    assert len(chat.received) == 3


def test_cells_that_were_written_within_the_budget_stay(pf: Pathfinder) -> None:
    def row(prompt: str) -> str:
        cells = [{"text": "It is 73.", "quote": ""}]
        return json.dumps({"rows": [{"key": key, "cells": cells} for key in KEY.findall(prompt)]})

    own = within(pf, ScriptedChat(row), Budget(calls=1))
    table = own.comparison_table(own.search(QUESTION, top_k=8), ["result"])
    # One of two batches of four papers had room, whichever was first.
    assert sum(row.cells[0] is not None and row.cells[0].text == "It is 73." for row in table.rows) == 4
    assert table.status == StageStatus("table", NAME, StageOutcome.SUBSTITUTED, SPENT)
    assert table.notes[0].startswith("the chat model wrote the cells of 4 of 8 papers")
