"""Standing questions run on an open corpus."""

from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.addons.standing.question import (
    AgreementBasis,
    FailedRun,
    RankedPaper,
    describe_settings,
    storable_record,
)
from pathfinder.addons.standing.runs import RunOutcome, new_question, run_question
from pathfinder.corpus.keywords import KeywordExtractor
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.llm.usage import ReplyCache, UsagePolicy
from pathfinder.models.fake import ScriptedChat
from pathfinder.types import Budget, Likeness, QueryExpansion, SearchRequest, Weighting
from tests.addons.standing.made_runs import day, run_on

QUESTION = "What is the value of the Hubble constant?"


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))


def test_a_watched_question_is_stored_with_its_settings_and_its_first_run(pf: Pathfinder) -> None:
    weighting = Weighting(recency=0.5)
    question = pf.watch(QUESTION, "H0", top_k=3, year_from=1990, weighting=weighting)
    expected = {"query": QUESTION, "top_k": 3, "year_from": 1990, "weights": {"recency": 0.5}}
    assert question.record == expected
    assert describe_settings(question) == "Papers: 3; From year: 1990; weight of recency: 0.5"
    result = pf.search(QUESTION, top_k=3, year_from=1990, weighting=weighting)
    (run,) = pf.standing_store.log().runs(question)
    assert [(paper.paper_id, paper.score) for paper in run.papers] == [
        (hit.paper.paper_id, hit.score.final) for hit in result.hits
    ]
    assert (run.version, run.n_papers) == (pf.corpus.name.version, len(pf.corpus.papers))
    assert run.agreement.basis is AgreementBasis.TENSIONS
    assert pf.run_standing() == ()  # its run is of this version
    assert pf.standing_feed()["items"] == []


def test_tensions_are_stored_with_both_sentences(pf: Pathfinder) -> None:
    question = new_question(SearchRequest(QUESTION), None)
    run = run_question(pf, question, (), day(0))
    tensions = pf.tensions(pf.search(QUESTION)).tensions
    assert tensions
    assert [[side.quotation for side in contest.sides] for contest in run.agreement.contests] == [
        [side.quotation for side in tension.sides] for tension in tensions
    ]


def test_stances_are_guessed_on_a_statement_and_called_guesses(pf: Pathfinder) -> None:
    question = new_question(SearchRequest(QUESTION), None, "The universe expands.")
    agreement = run_question(pf, question, (), day(0)).agreement
    guesses = pf.guess_stances(pf.search(QUESTION), "The universe expands.")
    assert agreement.basis is AgreementBasis.GUESSED
    assert [(each.label, each.paper.quotation) for each in agreement.stances] == [
        (guess.label, guess.sentence) for guess in guesses
    ]


@pytest.mark.parametrize("with_model", [False, True])
def test_without_a_consensus_the_run_says_why_and_has_its_tensions(pf: Pathfinder, *, with_model: bool) -> None:
    judging = pf.with_chat(ScriptedChat(["no JSON at all"] * 9) if with_model else None)
    run = run_question(judging, new_question(SearchRequest(QUESTION), None, uses_chat=True), (), day(0))
    assert run.agreement.basis is AgreementBasis.TENSIONS
    assert "the chat model could not measure the consensus" in run.notes[-1]


def test_what_became_of_earlier_papers_is_looked_up(pf: Pathfinder) -> None:
    paper_id = pf.corpus.papers[0].paper_id
    before = run_on(0, "ab", "ab")
    earlier = replace(before, papers=(*before.papers, RankedPaper(paper_id, "Title", 2000, 0.1, 2)))
    run = run_question(pf, new_question(SearchRequest(QUESTION), None), (earlier,), day(1))
    assert run.absent == ("a", "b")
    assert run.extends == ()
    again = run_question(pf, new_question(SearchRequest(QUESTION), None), (run,), day(2))
    assert (again.absent, again.extends) == ((), (day(1),))


def test_a_run_that_fails_is_an_outcome_and_changes_nothing_else(pf: Pathfinder) -> None:
    question = pf.watch(QUESTION, "H0")
    broken = replace(question, id="broken", name="broken", record={"query": QUESTION, "top_k": 99})
    before = pf.standing_store.change(lambda log: log.add(broken)).runs(question)
    (outcome,) = pf.run_standing()
    assert outcome.question == broken
    assert isinstance(outcome.run, FailedRun)
    assert pf.standing_store.log().runs(question) == before
    with pytest.raises(UsageError, match="has not been run yet"):
        pf.standing_changes("broken")


def test_an_outcome_is_stored_once_and_not_for_a_question_that_was_removed(pf: Pathfinder) -> None:
    question = pf.watch(QUESTION, "H0")
    outcome = RunOutcome(question, run_question(pf, question, (), day(0)))
    once = outcome.added_to(pf.standing_store.log())
    assert outcome.added_to(once) == once
    removed = once.remove("H0")
    assert outcome.added_to(removed) == removed


def test_seen_in_a_notebook_is_what_the_notebook_says(pf: Pathfinder) -> None:
    pf.watch(QUESTION, "H0")
    changes = pf.standing_changes("H0")
    assert changes.is_first
    pf.mark_seen("H0", changes)
    assert pf.standing_changes("H0").is_seen


def test_a_search_for_similar_papers_cannot_be_watched_and_a_taken_name_stores_nothing(pf: Pathfinder) -> None:
    with pytest.raises(UsageError, match="watch a question in words"):
        pf.watch(SearchRequest("like this", likeness=Likeness(("riess-2022",))))
    pf.watch(QUESTION)
    before = pf.standing_store.log()
    with pytest.raises(UsageError, match="already"):
        pf.watch(QUESTION)
    assert pf.standing_store.log() == before


def test_the_search_and_the_consensus_of_a_standing_question_share_a_budget(pf: Pathfinder) -> None:
    terms, chat = UsagePolicy(None, ReplyCache(), Budget(calls=1)), ScriptedChat(["An abstract."])
    own = Pathfinder(pf.corpus, pf.embedder, KeywordExtractor.load(), chat, terms=terms)
    question = new_question(
        SearchRequest(QUESTION, imagine=QueryExpansion.HYDE, n_hypothetical=1), None, uses_chat=True
    )
    assert "1 calls of a budget of 1 are spent" in run_question(own, question, (), day(0)).notes[-1]


def test_a_question_as_of_a_year_is_not_watched():
    with pytest.raises(UsageError, match="a search as of 2000 never finds anything new, so there is nothing to watch"):
        storable_record(SearchRequest("dust", as_of=2000))
