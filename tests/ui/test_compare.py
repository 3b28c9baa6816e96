"""The Compare page as Streamlit runs it, without a browser."""

import re
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.facade import Pathfinder
from pathfinder.retrieval.explanation.comparison import compare
from pathfinder.types import Weighting
from pathfinder.ui.papers.paper_lines import move
from pathfinder.ui.stars import own_shelves
from tests.places import Open, page_text, ran

QUESTION = "What is the value of the Hubble constant?"


@pytest.fixture
def compared(at: Open) -> Open:
    return partial(at, "lab")


def lists(page: AppTest) -> list[str]:
    return [part.value for part in page.markdown if part.value.startswith("**1.**")]


def test_two_settings_are_set_side_by_side_with_their_shifts(compared: Open, pf: Pathfinder) -> None:
    page = compared(q=QUESTION, k="5", wr="0")
    left = pf.search(QUESTION, top_k=5, weighting=Weighting(rerank=0))
    comparison = compare(left, pf.reweigh(left, Weighting(recency=1, rerank=0)))
    assert comparison.new  # so that the page has something to show
    assert comparison.description.split(" · ")[0] in page_text(page)
    before, after = lists(page)
    assert before.count("gone: now") == after.count("new: was") == len(comparison.new)
    moved = [
        move(shift.right, shift.left)
        for shift in comparison.shifts
        if shift.left and shift.right and shift.left != shift.right
    ]
    assert re.findall(r"[▲▼] was \d+", after) == moved
    assert "**Papers: 5, no reranker**" in page_text(page)
    assert re.search(r"\*\*.*newer.*\*\*", page_text(page))


def test_papers_of_both_sides_can_be_starred(compared: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    monkeypatch.setattr(own_shelves, "is_visited_here", lambda: True)
    page = compared(q=QUESTION, k="5")
    assert {page.button(key=f"star-{side}").label for side in ("left", "right")} == {"Star these 5 papers"}
    page = ran(page.button(key="star-left").click().run())
    assert "star-left" not in {button.key for button in page.button}


def test_the_same_settings_on_both_sides_are_the_same_list(compared: Open) -> None:
    page = compared(q=QUESTION, k="5")
    page.slider(key="right-recency").set_value(0.0)
    ran(page.run())
    assert "5 of 5 papers shared, 0 new, 0 dropped" in page_text(page)


def test_two_questions_are_set_side_by_side(compared: Open) -> None:
    page = compared(q=QUESTION, k="3")
    page.radio(key="compare-mode").set_value("Two questions")
    assert lists(ran(page.run())) == []
    page.text_input(key="right-question").set_value("How do black holes form?")
    assert len(lists(ran(page.run()))) == 2
    assert "How do black holes form?" in page_text(page)


def test_without_a_question_an_example_is_compared(compared: Open) -> None:
    page = compared()
    assert page.text_input(key="left-question").value == QUESTION
    assert len(lists(page)) == 2


def test_titles_are_text_on_this_page_too(compared: Open) -> None:
    page = compared(q="Masers of hydroxyl <img src=x>", k="4")
    assert "Masers" in page_text(page)
    assert not re.search(r"(?<!\\)<(script|img)", "".join(lists(page)))


def test_other_weights_ask_no_model(compared: Open) -> None:
    page = compared(q=QUESTION)
    searched = dict(page.session_state["searched"])
    page.slider(key="right-citations").set_value(0.5)
    ran(page.run())
    again = page.session_state["searched"]
    assert [id(result) for result in again.values()] == [id(result) for result in searched.values()]
