"""Agreement between papers, on the command line."""

import json

import pytest

from pathfinder.assessment.consensus.local import MISSING
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.types import Budget, Usage
from tests.assessment.consensus.literature import SOURCE, opinion_reply
from tests.cli.conftest import only_line

QUESTION = "galaxies and planets"


def all_support(prompt):
    if "<statement>" not in prompt:
        return opinion_reply()
    entries = [
        {"key": key, "stance": "supports", "quote": " ".join(text.split()[:4])}
        for key, _, _, text in SOURCE.findall(prompt)
    ]
    return json.dumps({"stances": entries})


@pytest.fixture
def chat(monkeypatch):
    """Set a chat model that says that every paper supports the statement."""
    scripted_chat = ScriptedChat(all_support)
    monkeypatch.setattr("pathfinder.facade.open_corpus.load_chat", lambda settings: scripted_chat)
    return scripted_chat


def test_a_year_before_the_search_begins_is_refused_with_a_way_out(run, corpus, chat):
    outcome = run("consensus", QUESTION, "--corpus", corpus, "--year-from", 2000, "--as-of", 1990)
    assert "the search begins in 2000" in only_line(outcome, 2)


def test_a_reply_that_cannot_be_read_is_an_error_and_no_result(run, corpus, monkeypatch):
    monkeypatch.setattr(
        "pathfinder.facade.open_corpus.load_chat", lambda settings: ScriptedChat(lambda prompt: "They agree.")
    )
    outcome = run("consensus", QUESTION, "--corpus", corpus)
    assert "did not reply in the requested form" in only_line(outcome, 1)


def test_all_calls_of_a_consensus_share_the_budget_of_a_question(run, corpus, monkeypatch):
    def long(prompt):
        return Reply(all_support(prompt), usage=Usage(Budget().tokens, 1))

    scripted_chat = ScriptedChat(long)
    monkeypatch.setattr("pathfinder.facade.open_corpus.load_chat", lambda settings: scripted_chat)
    outcome = run("consensus", QUESTION, "--corpus", corpus)
    assert "100,001 tokens of a budget of 100,000 are spent" in only_line(outcome, 1)


def test_without_a_chat_model_it_says_what_can_be_told_and_what_is_missing(run, corpus):
    outcome = run("consensus", QUESTION, "--corpus", corpus)
    assert outcome.status == 0
    assert outcome.out.splitlines()[-1] == MISSING
    record = json.loads(run("consensus", QUESTION, "--corpus", corpus, "--json").out)
    assert record["told"][-1] == MISSING


def test_the_level_stands_first_and_every_paper_with_its_sentence(run, corpus, chat):
    outcome = run("consensus", QUESTION, "--corpus", corpus)
    lines = outcome.out.splitlines()
    assert lines[:2] == ["Statement: Cold disks are stable.", "Level: not enough evidence"]
    assert "supports (3):" in lines
    assert "Not enough evidence: 3 of the papers bear on the statement, but 5 are needed." in outcome.err


def test_programs_read_the_same(run, corpus, chat):
    record = json.loads(run("consensus", QUESTION, "--corpus", corpus, "--json").out)
    assert [stance["stance"] for stance in record["stances"]] == ["supports"] * 3
    history = json.loads(run("consensus", QUESTION, "--corpus", corpus, "--over-time", "--json").out)
    assert history["changed_in"] is None
    assert len(history["stances"]) == 3


def test_over_time_every_year_has_its_line(run, corpus, chat):
    outcome = run("consensus", QUESTION, "--corpus", corpus, "--over-time")
    assert outcome.status == 0
    assert "Cannot tell whether the field changed its mind" in outcome.out
    assert "for, 0 against, 0 mixed: not enough evidence" in outcome.out


def test_what_a_model_says_does_not_act_on_the_terminal(run, corpus, monkeypatch):
    def colour(prompt):
        return all_support(prompt) if "<statement>" in prompt else opinion_reply(explanation="Red \x1b[31m it is.")

    monkeypatch.setattr("pathfinder.facade.open_corpus.load_chat", lambda settings: ScriptedChat(colour))
    outcome = run("consensus", QUESTION, "--corpus", corpus)
    assert (outcome.status, "\x1b" in outcome.out) == (0, False)
    assert "it is." in outcome.out
