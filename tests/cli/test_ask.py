"""Options of `pathfinder ask`, and what it prints."""

import json
import re

import pytest

from pathfinder.answering.assessment.consensus.local import MISSING
from pathfinder.answering.grounding.sources import CitationRegistry
from pathfinder.models.fake import Reply, ScriptedChat
from pathfinder.types import Budget, Paper, Usage
from tests.answering.assessment.consensus.literature import SOURCE, opinion_reply
from tests.cli.conftest import only_line
from tests.wire import Says, Wire

QUESTION = "timing of pulsars"
KEY = CitationRegistry(QUESTION).with_papers([Paper("pulsars", "", "")]).key("pulsars")


@pytest.fixture
def chat(monkeypatch):
    """Use a scripted server as the chat model."""

    def set_to(wire):
        monkeypatch.setenv("PATHFINDER_CHAT_MODEL", "openai:some-model")
        monkeypatch.setenv("PATHFINDER_CHAT_BASE_URL", wire.url)
        monkeypatch.setenv("OPENAI_API_KEY", "k")

    return set_to


def orders(request):
    """Return the instructions that the model got in a call."""
    return next(message["content"] for message in request.body["messages"] if message["role"] == "system")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--steps", 0], "the budget's steps must be a whole number in 1..50, got 0"),
        (["--steps", 51], "the budget's steps must be a whole number in 1..50, got 51"),
        (["--seconds", 0], "the budget's seconds must be a number above 0, got 0.0"),
        (["--tokens", 0], "the budget's tokens must be a whole number in 1..10000000, got 0"),
        (["--mode", "magic"], "Invalid value for '--mode' / '--generation'"),
        (["--style", "terse"], "Invalid value for '--style' / '--specialisation'"),
    ],
)
def test_what_an_answer_cannot_be_is_a_usage_error(run, corpus, arguments, message):
    assert message in only_line(run("ask", QUESTION, "--corpus", corpus, *arguments), 2)


def test_an_answer_is_made_in_the_way_that_is_asked_for(run, corpus, chat):
    with Wire(Says(f"Timing is noisy [{KEY}", ", k9z9k].")) as wire:
        chat(wire)
        outcome = run("ask", QUESTION, "--corpus", corpus, "--style", "single-paper", "--json")
        assert "asks for one fact" in orders(wire.received[0])
    record = json.loads(outcome.out)
    n = next(hit["rank"] for hit in record["hits"] if hit["paper_id"] == "pulsars")
    assert record["answer"]["text"] == f"Timing is noisy [{n}, k9z9k?]."
    assert record["answer"]["claims"] == [{"text": "Timing is noisy.", "citations": ["pulsars"]}]
    assert record["answer"]["sources"][n - 1]["paper_id"] == "pulsars"
    assert record["stages"]["answer"] == "RAG, single-paper, some-model, openai"
    assert "the model cited [k9z9k], which it was not given" in outcome.err


def test_the_steps_of_an_answer_are_told_as_they_come(run, corpus, chat):
    with Wire(
        Says("<first>So [x9x9x].</first><check>1. No.</check><refined>The timing of pulsars is noisy.</refined>")
    ) as wire:
        chat(wire)
        outcome = run("ask", QUESTION, "--corpus", corpus, "--style", "broad")
    assert outcome.err.splitlines()[:2] == ["step: draft: So [x9x9x?].", "step: critique: 1. No."]
    assert outcome.out.startswith("The timing of pulsars is noisy.\n\n[1] ")


def test_auto_takes_what_the_kind_of_the_question_advises_and_says_so(run, corpus):
    arguments = ("ask", "How many papers on pulsars were published in 2020?", "--corpus", corpus)
    outcome = run(*arguments, "--style", "auto", "--mode", "extractive")
    assert "note: kind of question: bibliometric; mode requested: extractive, style: multi-paper" in outcome.err


@pytest.mark.parametrize(
    ("style", "mode"), [("--style", "--mode"), ("--specialisation", "--generation"), ("--style", "--generation")]
)
def test_a_style_that_the_mode_does_not_honour_is_refused_before_anything_is_searched(run, corpus, style, mode):
    outcome = run("ask", QUESTION, "--corpus", corpus, style, "broad", mode, "agent")
    assert outcome.status == 2
    assert "the answer mode agent does not support the style broad: it supports multi-paper" in outcome.err


def test_what_a_model_remembers_is_told_only_where_it_is_asked_for(run, corpus, chat):
    refusal = Says("I don't know.")
    with Wire(refusal, refusal, Says("It spins.")) as wire:
        chat(wire)
        assert "[from memory]" not in run("ask", QUESTION, "--corpus", corpus).out
        assert "\n[from memory] It spins.\n" in run("ask", QUESTION, "--corpus", corpus, "--from-memory").out


def test_what_a_model_thinks_aloud_is_never_shown(run, corpus, chat):
    thinking = Says("<thi", "nk>First [", f"{KEY}] the secret", "</think>", "It spins [", f"{KEY}].")
    with Wire(thinking) as wire:
        chat(wire)
        for flags in ([], ["--json"], ["--style", "broad"], ["--from-memory"]):
            outcome = run("ask", QUESTION, "--corpus", corpus, *flags)
            assert "It spins [" in outcome.out
            assert not re.search("secret|think", outcome.out + outcome.err)


def test_nothing_that_a_model_says_acts_on_the_terminal(run, corpus, chat):
    hostile = "\x1b]8;;http://evil.example\x07click\x1b]8;;\x07 \x1b[2J\x9b31m It is so."
    with Wire(Says(hostile), Says(f"<first>{hostile}</first><refined>{hostile}</refined>")) as wire:
        chat(wire)
        for style in ("multi-paper", "broad"):
            outcome = run("ask", QUESTION, "--corpus", corpus, "--style", style)
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", outcome.out + outcome.err)


def test_an_answer_that_used_up_the_budget_is_shown_without_its_rewrite(run, corpus, chat):
    with Wire(Says(f"It is noisy [{KEY}]. " * 200)) as wire:
        chat(wire)
        outcome = run("ask", QUESTION, "--corpus", corpus, "--tokens", 1500, "--audience", "student")
    assert outcome.status == 0
    assert "It is noisy" in outcome.out
    assert "note: the answer was not rewritten:" in outcome.err


def test_a_style_that_nobody_writes_is_named_in_a_note(run, corpus):
    note = "note: the style single-paper was not used: no chat model is set, so the answer quotes the papers instead"
    outcome = run("ask", QUESTION, "--corpus", corpus, "--style", "single-paper", "--json")
    assert outcome.status == 0
    assert note in outcome.err
    (status,) = [entry for entry in json.loads(outcome.out)["stage_status"] if entry["name"] == "answer"]
    assert (status["status"], status["reason"]) == ("substituted", "no chat model is set")
    assert "style" not in run("ask", QUESTION, "--corpus", corpus).err


def test_a_form_that_the_chat_model_does_not_write_in_is_named_in_a_note(run, corpus, chat):
    note = "note: the form list was not used: forms apply only to answers quoted from papers"
    with Wire(Says(f"Timing is noisy [{KEY}].")) as wire:
        chat(wire)
        assert note in run("ask", QUESTION, "--corpus", corpus, "--form", "list").err
        assert "form" not in run("ask", QUESTION, "--corpus", corpus).err
        assert "form" not in run("ask", QUESTION, "--corpus", corpus, "--form", "list", "--mode", "extractive").err


def test_a_second_judge_is_asked_once_the_answer_is_there(run, corpus, chat):
    with Wire(Says(f"It is noisy [{KEY}]."), Says("All is well.")) as wire:
        chat(wire)
        outcome = run("ask", QUESTION, "--corpus", corpus, "--second-judge", "--json")
        assert "You check whether sentences" in orders(wire.received[1])
    (sentence,) = json.loads(outcome.out)["answer"]["ledger"]["sentences"]
    assert sentence["second_verdict"] is None
    assert "the evidence was not judged a second time: " in outcome.err


def test_a_plot_of_values_has_to_be_of_a_kind_that_can_be_written_and_to_have_values(run, corpus, tmp_path):
    arguments = ("ask", QUESTION, "--corpus", corpus, "--values-plot")
    message = "a plot of values is saved as a .svg, .png, .html file, but 'plot.pdf' has none of these suffixes"
    assert message in only_line(run(*arguments, tmp_path / "plot.pdf"), 2)
    outcome = run(*arguments, tmp_path / "plot.svg")
    assert outcome.status == 1
    assert "[1] " in outcome.out
    assert outcome.err.splitlines()[-1].startswith("pathfinder: the answer has no plot, because it lists no values")
    assert not (tmp_path / "plot.svg").exists()


STATEMENT = "galaxies and planets"


def all_support(prompt):
    if "<statement>" not in prompt:
        return opinion_reply()
    entries = [
        {"key": key, "stance": "supports", "quote": " ".join(text.split()[:4])}
        for key, _, _, text in SOURCE.findall(prompt)
    ]
    return json.dumps({"stances": entries})


@pytest.fixture
def reader(monkeypatch):
    """Set a chat model that says that every paper supports the statement."""
    scripted_chat = ScriptedChat(all_support)
    monkeypatch.setattr("pathfinder.facade.open_corpus.load_chat", lambda settings: scripted_chat)
    return scripted_chat


def test_a_year_before_the_search_begins_is_refused_with_a_way_out(run, corpus, reader):
    outcome = run("consensus", STATEMENT, "--corpus", corpus, "--year-from", 2000, "--as-of", 1990)
    assert "the search begins in 2000" in only_line(outcome, 2)


def test_a_reply_that_cannot_be_read_is_an_error_and_no_result(run, corpus, monkeypatch):
    monkeypatch.setattr(
        "pathfinder.facade.open_corpus.load_chat", lambda settings: ScriptedChat(lambda prompt: "They agree.")
    )
    outcome = run("consensus", STATEMENT, "--corpus", corpus)
    assert "did not reply in the requested form" in only_line(outcome, 1)


def test_all_calls_of_a_consensus_share_the_budget_of_a_question(run, corpus, monkeypatch):
    def long(prompt):
        return Reply(all_support(prompt), usage=Usage(Budget().tokens, 1))

    scripted_chat = ScriptedChat(long)
    monkeypatch.setattr("pathfinder.facade.open_corpus.load_chat", lambda settings: scripted_chat)
    outcome = run("consensus", STATEMENT, "--corpus", corpus)
    assert "100,001 tokens of a budget of 100,000 are spent" in only_line(outcome, 1)


def test_without_a_chat_model_it_says_what_can_be_told_and_what_is_missing(run, corpus):
    outcome = run("consensus", STATEMENT, "--corpus", corpus)
    assert outcome.status == 0
    assert outcome.out.splitlines()[-1] == MISSING
    record = json.loads(run("consensus", STATEMENT, "--corpus", corpus, "--json").out)
    assert record["told"][-1] == MISSING


def test_the_level_stands_first_and_every_paper_with_its_sentence(run, corpus, reader):
    outcome = run("consensus", STATEMENT, "--corpus", corpus)
    lines = outcome.out.splitlines()
    assert lines[:2] == ["Statement: Cold disks are stable.", "Level: not enough evidence"]
    assert "supports (3):" in lines
    assert "Not enough evidence: 3 of the papers bear on the statement, but 5 are needed." in outcome.err


def test_programs_read_the_same(run, corpus, reader):
    record = json.loads(run("consensus", STATEMENT, "--corpus", corpus, "--json").out)
    assert [stance["stance"] for stance in record["stances"]] == ["supports"] * 3
    history = json.loads(run("consensus", STATEMENT, "--corpus", corpus, "--over-time", "--json").out)
    assert history["changed_in"] is None
    assert len(history["stances"]) == 3


def test_over_time_every_year_has_its_line(run, corpus, reader):
    outcome = run("consensus", STATEMENT, "--corpus", corpus, "--over-time")
    assert outcome.status == 0
    assert "Cannot tell whether the field changed its mind" in outcome.out
    assert "for, 0 against, 0 mixed: not enough evidence" in outcome.out


def test_what_a_model_says_does_not_act_on_the_terminal(run, corpus, monkeypatch):
    def colour(prompt):
        return all_support(prompt) if "<statement>" in prompt else opinion_reply(explanation="Red \x1b[31m it is.")

    monkeypatch.setattr("pathfinder.facade.open_corpus.load_chat", lambda settings: ScriptedChat(colour))
    outcome = run("consensus", STATEMENT, "--corpus", corpus)
    assert (outcome.status, "\x1b" in outcome.out) == (0, False)
    assert "it is." in outcome.out
