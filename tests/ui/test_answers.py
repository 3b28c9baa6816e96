import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.facade import Pathfinder
from pathfinder.ui.answer.panel import link_citations
from tests.ui.test_pages import ran


def test_a_mark_leads_to_its_paper():
    assert link_citations("It is 70 [2].", 3) == "It is 70 \\[[2](#paper-2)\\]\\."


def test_an_invented_mark_is_shown_and_leads_nowhere():
    assert "paper-9" not in link_citations("It is 70 [9?].", 3)
    assert "9?" in link_citations("It is 70 [9?].", 3).replace("\\", "")


def test_of_two_marks_only_the_one_that_was_given_leads_anywhere():
    written = link_citations("It is 70 [1, 12?].", 20)
    assert written.count("](#paper-") == 1
    assert "[1](#paper-1)" in written


@pytest.mark.parametrize("text", ["In [0, 1].", "In [-1, 1].", "By [S3?].", "By [1a?]."])
def test_brackets_that_cite_nothing_lead_nowhere(text):
    assert "paper-" not in link_citations(text, 20)


def answered() -> None:
    """Answer without a chat model; then again, as after a chat model's key was removed, and as after a weight moved."""
    from dataclasses import replace

    import streamlit as st

    from pathfinder.facade import Pathfinder
    from pathfinder.ui.answer import panel
    from pathfinder.ui.shared.address import Form
    from pathfinder.ui.shared.state import ResultView
    from tests.answering.results import result

    pf = st.session_state["facade"]
    assert isinstance(pf, Pathfinder)
    view, job = panel.begin(pf, ResultView(Form("How old are galaxies?"), result(), {}))
    assert view.answer_inputs is not None
    written = replace(view, answer_inputs=replace(view.answer_inputs, model="openai:gpt"))
    st.session_state["written"] = panel.begin(pf, written)[1] is job
    quoted = replace(view, answer_inputs=replace(view.answer_inputs, order=()))
    st.session_state["quoted"] = panel.begin(pf, quoted)[1] is job


def test_an_answer_that_a_chat_model_wrote_outlives_its_key_and_quotations_are_made_anew(pf: Pathfinder) -> None:
    page = AppTest.from_function(answered)
    page.session_state["facade"] = pf
    ran(page.run())
    assert page.session_state["written"]
    assert not page.session_state["quoted"]
