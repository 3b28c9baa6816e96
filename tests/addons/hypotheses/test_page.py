"""The Hypotheses page as Streamlit runs it, without a browser."""

import json
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.addons.hypotheses import page as hypotheses
from pathfinder.addons.hypotheses.hypothesis import ClauseKind, HypothesisClause
from pathfinder.facade import Pathfinder
from pathfinder.models.fake import ScriptedChat
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared import resources
from pathfinder.ui.shared.address import Form
from tests.cli.conftest import only_line
from tests.ui.test_pages import page_text, ran

Open = Callable[..., AppTest]


@pytest.fixture
def visit(landmarks_corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, at: Open) -> Open:
    """Opens a link to the page, on the corpus that ships or another."""
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    return partial(at, "review", corpus=landmarks_corpus, step="hypotheses")


def at_the_end(page: AppTest) -> AppTest:
    """The page when its job has ended."""
    job = page.session_state["jobs"][hypotheses.TASK]
    assert job.wait(60)
    return ran(page.run())


def test_nothing_is_computed_until_the_reader_asks_and_then_both_sides_are_shown(visit: Open) -> None:
    page = visit()
    assert "In a backtest on" in page_text(page)
    assert "concepts of" not in page_text(page)
    page.selectbox(key="hypotheses-n").set_value(10)
    page = at_the_end(ran(page.button[0].click().run()))
    text = page_text(page)
    assert "are never keywords of the same paper although both occur with a third concept" in text
    assert text.count("violet-badge[conjecture]") == 10
    assert "such as [" in text
    assert dict(page.query_params) == {"step": "hypotheses", "n": "10"}


def test_both_concepts_are_asked_about_even_if_ask_has_shown_another_question(visit: Open) -> None:
    page = visit(n="10")
    page.session_state["form"] = Form(question="Something else?")
    page = at_the_end(page)
    page.button(key="hypothesis-ask-1").click().run()
    assert page.session_state["form"].question.startswith("How are ")


def test_a_reload_asks_again_for_what_the_address_names(visit: Open) -> None:
    page = at_the_end(visit(q="What is the value of the Hubble constant?", n="10"))
    assert "never keywords of the same paper" in page_text(page)
    assert page.text_input(key="hypotheses-question").value == "What is the value of the Hubble constant?"


def test_a_paper_that_the_corpus_lacks_has_no_link(pf: Pathfinder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resources, "paper_url", lambda paper: f"https://x.org/{paper.paper_id}")
    clause = HypothesisClause("Both occur.", ClauseKind.CITED, ("riess-2022", "gone"))
    text = hypotheses._clause(pf, clause)
    assert "(https://x.org/riess-2022)" in text
    assert text.count("https://") == 1
    assert text.endswith(for_markdown("[2: gone, no longer in the library]"))


def test_the_chat_model_writes_a_statement_whose_guesses_are_marked(
    visit: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = ScriptedChat(lambda _: json.dumps({"clauses": [{"text": "Perhaps ice is involved.", "keys": []}]}))
    own = resources.pathfinder
    monkeypatch.setattr(resources, "pathfinder", lambda: own().with_chat(chat))
    page = at_the_end(visit(n="10"))
    page = ran(page.button(key="hypothesis-write-1").click().run())
    if (job := page.session_state["jobs"].get(hypotheses.WRITING)) is not None:
        assert job.wait(60)
        page = ran(page.run())
    assert re.search(r"Perhaps ice is involved\. :violet-badge\[conjecture\]", page_text(page))
    assert "Written by fake:scripted" in page_text(page)


# `pathfinder hypotheses`: concepts that are never keywords of the same paper.


def test_hypotheses_of_the_corpus_that_ships_are_listed_with_both_sides(run, landmarks_corpus):
    record = json.loads(run("hypotheses", landmarks_corpus, "--n", "3", "--json").out)
    assert len(record["hypotheses"]) == 3
    first = record["hypotheses"][0]
    assert all(len(linking["papers"]) == 2 for linking in first["linking"])
    assert all(concept["place"] is not None for concept in first["concepts"])
    names = [concept["name"] for concept in first["concepts"]]
    lines = run("hypotheses", landmarks_corpus, "--n", "1").out.splitlines()
    assert "In a backtest on" in lines[1]
    assert lines[2] == f"1. {names[0]} - {names[1]}"
    assert lines[3].endswith("[conjecture]")


def test_a_question_is_about_its_concepts(run, landmarks_corpus):
    question = "What is the value of the Hubble constant?"
    record = json.loads(run("hypotheses", landmarks_corpus, "--about", question, "--json").out)
    assert record["about"] == question
    assert record["hypotheses"]
    assert run("hypotheses", landmarks_corpus, "--about", question, "--format", "csv").out.startswith("rank,first,")


def test_a_statement_in_words_needs_a_chat_model(run, landmarks_corpus):
    outcome = run("hypotheses", landmarks_corpus, "--written", "1")
    assert "set PATHFINDER_CHAT_MODEL" in only_line(outcome, 1)


def test_a_question_and_a_shelf_exclude_each_other(run, landmarks_corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    run("shelf", "add", landmarks_corpus, "h0", "riess-2022")
    outcome = run("hypotheses", landmarks_corpus, "--about", "dust", "--shelf", "h0")
    assert "give one or the other" in only_line(outcome, 2)
