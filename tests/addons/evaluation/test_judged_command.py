"""The commands that have a chat model judge search results."""

import json

import pytest

from tests.cli.conftest import only_line
from tests.wire import Fails, Says, Wire


@pytest.fixture
def questions(tmp_path):
    path = tmp_path / "questions.txt"
    path.write_text("How do pulsars slow down?\nWhich planets are hot?\n")
    return path


@pytest.fixture
def chat(monkeypatch):
    """Use a scripted server as the chat model."""

    def use(wire):
        monkeypatch.setenv("PATHFINDER_CHAT_MODEL", "openai:judge")
        monkeypatch.setenv("OPENAI_BASE_URL", wire.url)

    return use


@pytest.mark.parametrize("command", ["judged", "providers"])
def test_without_a_chat_model_nothing_is_judged(run, command, questions, corpus):
    line = only_line(run("evaluate", command, "--questions", questions, "--corpus", corpus), 2)
    assert "judging needs a chat model, and none is set: set PATHFINDER_CHAT_MODEL" in line


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["judged", "--methods", "magic"], "there is no method 'magic'"),
        (["judged", "--methods", "tfidf"], "tfidf is not one of Pathfinder's searches"),
        (["judged", "--top", "0"], "greater than or equal to 1"),
        (["providers", "--provider", "google"], "unknown provider 'google'"),
        (["providers", "--provider", "exa"], "set EXA_API_KEY"),
        (["providers", "--rounds", "deep"], "--rounds takes whole numbers"),
        (["providers", "--depth", "7"], "depth must be a whole number in 0..3"),
        (["providers", "--depth", "1", "--page-size", "0"], "page_size must be a whole number in 1..30"),
    ],
)
def test_what_cannot_be_judged_is_told_before_anything_is_asked(run, chat, questions, corpus, arguments, message):
    with Wire(Says("no")) as wire:
        chat(wire)
        outcome = run("evaluate", *arguments, "--questions", questions, "--corpus", corpus)
        assert wire.received == []
    assert message in outcome.err.splitlines()[-1]
    assert (outcome.status, outcome.out) == (1 if "KEY" in message else 2, "")


@pytest.mark.parametrize("command", ["judged", "providers"])
def test_a_judge_that_refuses_the_key_is_told(run, chat, questions, corpus, command):
    with Wire(Fails(401)) as wire:
        chat(wire)
        outcome = run("evaluate", command, "--questions", questions, "--corpus", corpus)
    assert (outcome.status, outcome.out) == (1, "")
    assert "does not accept the key" in outcome.err.splitlines()[-1]


def test_methods_are_judged_and_what_failed_counts_in_no_mean(run, chat, questions, corpus):
    # The judge always says the same: this is a valid reply to one of the three prompts, but not to the others.
    with Wire(Says("<highly_relevant>")) as wire:
        chat(wire)
        arguments = ("--questions", questions, "--corpus", corpus, "--methods", "bm25,dense", "--top", 1, "--json")
        outcome = run("evaluate", "judged", *arguments)
    record = json.loads(outcome.out)
    assert (record["judge"], record["n_questions"]) == ("openai:judge", 2)
    assert record["methods"]["dense"] == {
        "context_relevancy": 1,
        "context_precision": None,
        "judged_recall": None,
        "ndcg_self_normalised": None,
    }
    assert record["counted"]["dense"]["context_relevancy"] == 2
    assert record["cost"]["failures"] > 0
    assert "judgements failed and are left out of every mean" in outcome.err


def test_judgements_are_kept_for_the_next_run(run, chat, questions, corpus, tmp_path):
    arguments = ("judged", "--questions", questions, "--corpus", corpus, "--methods", "dense", "--top", 1, "--json")
    replies = [Says(text) for text in ("<highly_relevant>", "1. <critical>", "<grade>2</grade>")]
    with Wire(*replies) as wire:
        chat(wire)
        run("evaluate", *arguments, "--limit", 1, "--cache", tmp_path / "kept")
        first = len(wire.received)
        outcome = run("evaluate", *arguments, "--limit", 1, "--cache", tmp_path / "kept")
    record = json.loads(outcome.out)
    assert first == 3
    assert record["cost"]["kept_from_before"] >= 2
    assert record["methods"]["dense"]["ndcg_self_normalised"] == 1


def test_our_own_search_is_a_line_for_each_depth_and_page_size(run, chat, questions, corpus):
    with Wire(Says("<not_relevant>")) as wire:
        chat(wire)
        arguments = ("--questions", questions, "--corpus", corpus, "--depth", "0", "--top", 1, "--limit", 1)
        outcome = run("evaluate", "providers", *arguments)
    title, heads, line, cost = outcome.out.splitlines()
    assert title == "1 questions, top 1, judged by openai:judge"
    assert heads.split()[:2] == ["context", "relevancy"]
    assert line.startswith("pathfinder depth 0  ")
    assert "0.000 (n 1)" in line
    assert cost.startswith("the judge: 2 calls, 0 kept from before, 0 by rule, 1 failed; about ")


def test_the_rounds_of_our_own_search_are_run_and_their_calls_told_apart_from_the_judge_s(run, chat, questions, corpus):
    with Wire(Says("<query>How do pulsars spin down?</query>"), Says("<not_relevant>")) as wire:
        chat(wire)
        arguments = ("--questions", questions, "--corpus", corpus, "--depth", "1", "--page-size", "1", "--limit", 1)
        outcome = run("evaluate", "providers", *arguments, "--top", 1, "--json")
        n_asked = len(wire.received)
    record = json.loads(outcome.out)
    assert list(record["providers"]) == ["pathfinder depth 1 page 1"]
    assert (n_asked, record["cost"]["calls"]) == (3, 2)
    assert "our own search made 1 calls to openai:judge: about " in outcome.err
