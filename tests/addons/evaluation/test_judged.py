import json
from math import log2
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.addons.evaluation import command
from pathfinder.addons.evaluation.judged import (
    N_CALLS_PER_PAPER,
    Mean,
    context_precision,
    context_relevancy,
    corpus_wide_ndcg,
    evaluate_judged,
    has_relevant,
    mean_over,
    self_normalised_ndcg,
)
from pathfinder.addons.evaluation.judges import open_judge
from pathfinder.types import Paper, SearchRequest
from tests.addons.evaluation.readers import WordJudge
from tests.cli.conftest import only_line
from tests.wire import Fails, Says, Wire

PAPERS = {
    "old": Paper("old", "Ages", "They are old. We say so."),
    "aged": Paper("aged", "More ages", "They are aged."),
    "red": Paper("red", "Colours", "They are red."),
    "odd": Paper("odd", "Odd", "Are they old?"),
    "q1": Paper("q1", "The question itself", "It is old."),
}
LISTS = {"good": ["old", "aged", "red"], "poor": ["red", "aged"], "odd": ["odd"], "same": ["q1", "old"], "none": []}


def search(request):
    """Return the list that the last word of the question names."""
    ids = LISTS[request.query.split()[-1]][: request.top_k]
    return SimpleNamespace(hits=[SimpleNamespace(paper=PAPERS[name]) for name in ids], notes=("a note",))


def evaluate(*methods, top_k=3, judgements=None, n=1):
    requests = {name: (lambda question, name=name: SearchRequest(f"{question} {name}")) for name in methods}
    questions = {f"q{number}": f"How old {number}" for number in range(1, n + 1)}
    with open_judge(WordJudge(), None) as judge:
        return evaluate_judged(questions, requests, search, judge, top_k=top_k, judgements=judgements)


def values(report, method):
    return {measure: mean.value for measure, mean in report.methods[method].items()}


def test_where_every_judgement_failed_there_is_no_figure():
    report = evaluate("odd")
    assert set(values(report, "odd").values()) == {None}
    assert report.methods["odd"]["context_relevancy"].n == 0
    assert "3 judgements failed" in report.notes[-1]


def test_the_figures_of_a_method():
    own = values(evaluate("good"), "good")
    assert own == {
        "context_relevancy": 1 / 3,
        "context_precision": (1 / 2 + 0 + 0) / 3,
        "judged_recall": 1,
        "ndcg_self_normalised": 1,
    }


def test_the_ideal_of_ndcg_is_corpus_wide_where_there_are_judgements():
    report = evaluate("poor", "good", judgements={"q1": {"lost": 1}})
    dcg = 0 / log2(2) + 1 / log2(3)
    # The other method's "old" is of grade 2, "aged" of 1, and "lost" by the collection's own judgements.
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    assert values(report, "poor")["ndcg"] == pytest.approx(dcg / ideal)
    assert values(report, "poor")["ndcg_self_normalised"] == pytest.approx(dcg / 1)


def test_a_question_that_the_collection_does_not_judge_has_no_corpus_wide_ndcg():
    report = evaluate("good", judgements={"q2": {"old": 1}}, n=2)
    assert (report.methods["good"]["ndcg"].n, report.methods["good"]["context_relevancy"].n) == (1, 2)


def test_the_paper_that_a_question_comes_from_is_left_out():
    report = evaluate("same", top_k=1)
    assert values(report, "same")["context_precision"] == 1 / 2  # of "old", the second sentence


def test_what_two_methods_find_is_judged_once_a_question_and_at_most_three_times():
    report = evaluate("good", "good", "none")
    assert report.cost.n_calls == 3 * N_CALLS_PER_PAPER
    assert command.judged.write(report)["cost"]["calls"] == report.cost.n_calls
    assert report.notes == ("a note",)


GRADES = st.lists(st.none() | st.integers(0, 2), max_size=12)


def test_a_question_that_nothing_was_found_for_has_zero_and_one_that_nothing_was_judged_of_has_none():
    assert (context_relevancy([]), context_precision([])) == (0, 0)
    assert (context_relevancy([None, None]), context_precision([None])) == (None, None)
    assert (self_normalised_ndcg([], 10), corpus_wide_ndcg([], {}, {"a": 1}, 10)) == (0, 0)
    assert (self_normalised_ndcg([None], 10), corpus_wide_ndcg(["a"], {"a": None}, {"a": 1}, 10)) == (None, None)
    assert (has_relevant([], 10), has_relevant([None], 10)) == (0, None)


def test_a_judgement_that_failed_is_left_out_and_not_scored_zero():
    # Two of the three that were judged, not two of four.
    assert context_relevancy([True, None, False, True]) == 2 / 3
    # (1/2 + 0/1) / 2, not / 3.
    assert context_precision([(True, False), None, (False,)]) == 1 / 4
    # The list closes the gap: 2 and 1 are in their best order.
    assert self_normalised_ndcg([2, None, 1], 10) == 1


def test_a_context_without_a_sentence_has_precision_zero():
    assert context_precision([(), (True,)]) == 1 / 2


def test_the_outer_mean_runs_over_questions():
    # (1/2) * ((1/1) * 1 + (1/4) * 1): a mean over the five contexts would be 2/5.
    assert mean_over([context_relevancy([True]), context_relevancy([True, False, False, False])]) == Mean(5 / 8, 2)
    assert mean_over([0.5, None]) == Mean(0.5, 1)
    assert mean_over([None]) == mean_over([]) == Mean(None, 0)


def test_judged_recall_is_a_hit_rate_over_the_first_k():
    assert has_relevant([0, 0, 1], 3) == 1
    assert has_relevant([0, 0, 1], 2) == 0
    assert has_relevant([0, None, 1], 2) is None
    assert has_relevant([2, None, None], 3) == 1


def test_the_self_normalised_ideal_knows_only_what_was_found():
    dcg = 0 / log2(2) + 1 / log2(3) + 2 / log2(4)
    assert self_normalised_ndcg([0, 1, 2], 10) == pytest.approx(dcg / (2 / log2(2) + 1 / log2(3)))
    assert self_normalised_ndcg([1], 10) == 1
    assert self_normalised_ndcg([0, 0], 10) == 0


def test_the_ideal_of_a_cut_list_may_hold_what_lies_behind_the_cut():
    assert self_normalised_ndcg([1, 2], 1) == 1 / 2


def test_the_corpus_wide_ideal_knows_what_was_missed():
    # "a" was found, "b" from another method is better, and the collection itself says that "c" is useful.
    dcg = 1 / log2(2)
    ideal = 2 / log2(2) + 1 / log2(3) + 1 / log2(4)
    grades = {"a": 1, "b": 2, "x": None}
    assert corpus_wide_ndcg(["a"], grades, {"c": 1, "a": 2, "d": -1}, 10) == pytest.approx(dcg / ideal)
    assert corpus_wide_ndcg(["a"], {"a": 0}, {}, 10) == 0


@given(GRADES, st.integers(1, 12))
def test_every_measure_lies_in_0_to_1(grades, k):
    ids = [f"d{place}" for place in range(len(grades))]
    values = [
        has_relevant(grades, k),
        self_normalised_ndcg(grades, k),
        corpus_wide_ndcg(ids, dict(zip(ids, grades, strict=True)), {"d0": 1, "missed": 2}, k),
        context_relevancy([None if grade is None else grade > 0 for grade in grades]),
    ]
    assert all(value is None or 0 <= value <= 1 + 1e-12 for value in values)


# The commands that have a chat model judge search results.


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
