from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.answering.digest.digest import NOTHING_TO_QUOTE
from pathfinder.facade import Pathfinder
from pathfinder.types import Answer, Change, FactKind, Paper, Version
from pathfinder.ui.answer.panel import link_citations, with_list_numbers
from pathfinder.ui.answer.rewrite import highlight
from pathfinder.ui.ask.result_page import COVERED, coverage
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


def test_titles_alone_do_not_cover_a_question_well(pf: Pathfinder) -> None:
    result = pf.search("What is the value of the Hubble constant?")
    answer = pf.answer(result)
    bare = replace(answer, text=NOTHING_TO_QUOTE, claims=(), digest=None)
    words = [[*coverage(result, each)] for each in (answer, bare)]
    assert words == [[f"**{COVERED[False]}**"], [f"**{COVERED[True]}**"]]


def test_an_answer_that_a_chat_model_wrote_outlives_its_key_and_quotations_are_made_anew(pf: Pathfinder) -> None:
    page = AppTest.from_function(answered)
    page.session_state["facade"] = pf
    ran(page.run())
    assert page.session_state["written"]
    assert not page.session_state["quoted"]


A, B, C, D = (Paper(name, f"Title {name}", "Abstract.") for name in "abcd")


def answer(text: str, *sources: Paper) -> Answer:
    return Answer("Why?", text, (), False, (), sources=sources, versions=(Version("draft", text),))


def test_an_answer_given_from_the_papers_as_they_are_listed_stays_as_it_is() -> None:
    answer_ = answer("Warm [1]. Cold [2].", A, B)
    assert with_list_numbers(answer_, [A, B]) == answer_


def test_what_the_answer_found_further_comes_behind_the_listed_papers() -> None:
    moved = with_list_numbers(answer("Warm [1]. Cold [3].", A, B, C), [A, B, D])
    assert moved.sources == (A, B, D, C)
    assert moved.text == "Warm [1]. Cold [4]."


def test_numbers_follow_the_papers_in_the_text_and_in_every_version() -> None:
    moved = with_list_numbers(answer("Warm [1, 2]. Cold [2].", A, B), [B, A])
    assert moved.text == moved.versions[0].text == "Warm [2, 1]. Cold [1]."


def test_invented_marks_and_other_brackets_are_left_alone() -> None:
    text = "Lines of [O III] and [13C II] [7?, k3q7z?] in [2023], within [0, 1], by [S1?]."
    assert with_list_numbers(answer(text, A, B), [B, A]).text == text


SCRIPT = """
from pathfinder.types import Answer, CheckedSentence, FoldedReply, Ledger, Paper, Verdict
from pathfinder.ui.answer.panel import _folded_reply

sentence = CheckedSentence("Bananas <b>grow</b>.", ("a",), Verdict.NOT_FOUND, ())
ledger = Ledger((sentence,), 0.0, 0.0, 0.0)
text = "Bananas <b>grow</b> [1]. ![x](http://example.org/p.png)"
folded = FoldedReply(text, "its only sentence is not found", "gguf:small", ("it cited [9]",), ledger)
answer = Answer("why?", "Dust is cold. [1]", (), False, (), sources=(Paper("a", "Dust", "Dust is cold."),))
_folded_reply(folded, answer)
"""


def test_what_the_model_wrote_is_closed_and_says_why() -> None:
    app = AppTest.from_string(SCRIPT).run()
    assert not app.exception
    (expander,) = app.expander
    assert expander.label == "What the model wrote"
    assert not expander.proto.expanded
    captions = " ".join(caption.value for caption in app.caption).replace("\\", "")
    assert "small: not shown as the answer, because its only sentence is not found" in captions
    assert "it cited [9]" in captions
    written = " ".join(markdown.value for markdown in app.markdown)
    assert "[1](#paper-1)" in written
    assert "<b>" not in written
    assert "![x](http" not in written


def page():
    import datetime
    from dataclasses import replace

    from pathfinder.answering.ads_query.check import check_ads_query
    from pathfinder.answering.ads_query.query_from_question import read_for_ads
    from pathfinder.ui.answer.panel import _ads_query

    reading = read_for_ads("refereed papers citing Spitzer observations", datetime.date(2024, 7, 1))
    checked = check_ads_query(reading.query or "")
    _ads_query(replace(checked, parts=reading.parts, operator=reading.operator, unread=reading.unread))


def test_a_part_of_an_ads_query_is_taken_away_by_a_click_and_the_query_can_be_changed():
    app = AppTest.from_function(page).run()
    assert not app.exception
    assert app.text_input[0].value == "citations(bibgroup:Spitzer) property:refereed"
    (parts,) = app.button_group
    parts.set_value([place for place in parts.value if place != 1]).run()
    assert not app.exception
    assert app.text_input[0].value == "citations(bibgroup:Spitzer)"
    app.text_input[0].set_value("year:twenty").run()
    assert [warning.value for warning in app.warning] != []


def test_a_query_that_a_chat_model_wrote_can_be_changed_too():
    def written():
        from pathfinder.answering.ads_query.check import check_ads_query
        from pathfinder.ui.answer.panel import _ads_query

        _ads_query(check_ads_query("year:twenty"))

    app = AppTest.from_function(written).run()
    assert app.warning
    app.text_input[0].set_value("year:2020").run()
    assert not app.warning


def change(text, part):
    start = text.index(part)
    return Change(FactKind.NUMBER, part, start, start + len(part), "")


def marked_text(text, *parts):
    return highlight(text, [change(text, part) for part in parts], "red", lambda piece: piece.strip())


def test_what_changed_has_a_background_and_the_rest_is_as_it_was():
    assert marked_text("It is 73 or 67 .", "67", "73") == "It is :red-background[73] or :red-background[67] ."


def test_white_space_and_lines_stay():
    assert marked_text("One.\n\nIt is 73.\n", "73") == "One.\n\nIt is :red-background[73].\n"


def test_a_formula_and_a_citation_are_marked_whole():
    assert (
        marked_text("It is $7 \\pm 3$ [1, 9?].", "7", "9")
        == "It is :red-background[$7 \\pm 3$] :red-background[[1, 9?]]."
    )


def test_places_that_overlap_are_one():
    assert marked_text("It is 73 km/s.", "73 km", "km/s") == "It is :red-background[73 km/s]."


def test_nothing_changed_is_nothing_marked():
    assert marked_text("It is so.") == "It is so."
