"""Review as Streamlit runs it, without a browser: what its steps get, and what they hand on."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.ui import road
from tests.places import page_at
from tests.ui.test_pages import page_text, ran


@pytest.fixture
def review(golden_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))

    def visit(step: str, **session: object) -> AppTest:
        page = page_at("review", step=step)
        for name, value in session.items():
            page.session_state[name.replace("_", "-")] = value
        return ran(page.run())

    return visit


def test_a_review_begins_with_the_papers_of_an_example(review) -> None:
    page = review("gather")
    assert page.radio(key="gather-from").value.startswith("an example, “")
    (papers,) = page.dataframe
    assert len(papers.value) > 2
    assert f"Screen these {len(papers.value)}" in [button.label for button in page.button]


@pytest.mark.parametrize("step", ["table", "tensions", "write"])
def test_a_step_that_is_the_first_says_what_it_got(step: str, review) -> None:
    assert "papers** from an example, “" in page_text(review(step))


def test_papers_that_are_handed_on_are_screened_at_once(review) -> None:
    papers = road.Gathered("How far are galaxies?", "the shelf", ("riess-2022", "planck-2018-vi"))
    page = review("screen", review_papers=papers, review_handed_to="screen")
    assert "0 of 2 read" in page.get("progress")[0].proto.text
    assert "31 papers of the library were not in the pool" in page_text(page)
    assert "review-handed-to" not in page.session_state


def test_papers_become_a_shelf_with_an_outline_in_one_click(review) -> None:
    page = ran(review("write").button(key="draft-of-road").click().run())
    assert page.selectbox[0].value == "What is the value of the Hubble constant?"
    assert "Question that it answers" in [field.label for field in page.text_input]
