"""The routing panel, and the year chip, each on a page of its own."""

from streamlit.testing.v1 import AppTest

from pathfinder.retrieval.routing.route import route
from pathfinder.types import Round
from pathfinder.ui.ask.conversation import describe_kind
from pathfinder.ui.ask.result_page import describe_rounds
from tests.places import bare, page_text, ran

# Pages --------------------------------------------------------------------------------------------------


def page_of_the_panel(question: str) -> None:
    import streamlit as st

    from pathfinder.profile import astronomy
    from pathfinder.retrieval.routing.route import overloaded_terms, route
    from pathfinder.types import Keyword
    from pathfinder.ui.ask import conversation

    keywords = (Keyword("<b>JWST</b>", is_entity=True), Keyword("magnetar winds"))

    terms = overloaded_terms(question, astronomy().overloaded_terms)

    def use(suggestion: object) -> None:
        st.session_state["used"] = str(suggestion.row.kind)  # type: ignore[attr-defined]

    conversation.routing_panel(route(question, keywords, None), keywords, terms, use)


def page_of_the_chip(is_on: bool) -> None:
    import streamlit as st

    from pathfinder.ui.ask.conversation import QuestionReading
    from pathfinder.ui.shared.address import Form

    st.session_state["form"] = Form()
    QuestionReading("reads_years", is_on, "years 2011 on", "after 2010").draw()


# What they say and do -----------------------------------------------------------------------------------


def test_the_panel_says_the_kind_and_the_reason() -> None:
    page = ran(AppTest.from_function(page_of_the_panel, args=("What if metallicity were zero?",)).run())
    text = page_text(page)
    assert "What-if question, named entity, jargon: " in text
    assert 'it asks about a hypothetical case ("What if").' in text
    assert "Names: <b>JWST</b>" in text
    assert "Terms: magnetar winds" in text
    assert "“metallicity” has two meanings here. Stars: " in text
    assert "<b>" not in "".join(part.value for part in page.markdown)


def test_settings_are_used_on_a_click_and_not_before() -> None:
    page = ran(AppTest.from_function(page_of_the_panel, args=("What if metallicity were zero?",)).run())
    assert "used" not in page.session_state
    button = page.button(key="use-settings-0")
    assert "10 to 15 papers; keywords on, recency on, citations off" in bare(button.help)
    assert ran(button.click().run()).session_state["used"] == "what-if"


def test_a_topic_is_not_classified_and_has_no_settings_of_its_own() -> None:
    assert describe_kind(route("dark matter", (), None)) == "not classified"
    assert route("dark matter", (), None).suggestions == ()


def test_what_was_read_from_the_question_is_taken_off_and_put_back() -> None:
    page = ran(AppTest.from_function(page_of_the_chip, args=(True,)).run())
    assert bare(page.button[0].label) == "Years 2011 on, from “after 2010” in your question"
    page = ran(AppTest.from_function(page_of_the_chip, args=(False,)).run())
    assert bare(page.button[0].label).startswith("Not: Years 2011 on")


def test_the_first_search_is_no_round_of_refined_questions():
    first, second, third = Round(("q",), 10, 10), Round(("a", "b"), 4, 12), Round(("c",), 1, 12)
    assert describe_rounds((first, second)) == "1 round of refined questions: 10 → 12 papers close to your question"
    assert (
        describe_rounds((first, second, third))
        == "2 rounds of refined questions: 10 → 12 → 12 papers close to your question"
    )
