"""The Hypotheses page as Streamlit runs it, without a browser."""

import json
import re
from collections.abc import Callable
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
from tests.places import page_at
from tests.ui.test_pages import page_text, ran

Open = Callable[..., AppTest]


@pytest.fixture
def visit(landmarks_corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Open:
    """Opens a link to the page, on the corpus that ships or another."""
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))

    def visit(corpus: Path = landmarks_corpus, **parameters: str) -> AppTest:
        monkeypatch.setenv("PATHFINDER_CORPUS", str(corpus))
        return ran(page_at("review", step="hypotheses", **parameters).run())

    return visit


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
