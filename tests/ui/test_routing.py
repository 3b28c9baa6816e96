"""The routing panel, the year chip and the follow-up box, each on a page of its own."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.retrieval.routing.route import route
from pathfinder.ui.ask.conversation import describe_kind


def ran(page: AppTest) -> AppTest:
    assert not page.exception, [failure.message for failure in page.exception]
    return page


def page_text(page: AppTest) -> str:
    return unescape("\n".join(part.value for part in [*page.markdown, *page.caption, *page.warning]))


def unescape(markdown: str) -> str:
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)


# Pages --------------------------------------------------------------------------------------------------


def page_of_the_panel(question: str) -> None:
    import streamlit as st

    from pathfinder.profile import astronomy
    from pathfinder.retrieval.routing.route import overloaded_terms, route
    from pathfinder.types import Keyword
    from pathfinder.ui.ask import conversation

    keywords = (Keyword("<b>JWST</b>", is_entity=True), Keyword("magnetar winds"))

    def use(suggestion: object) -> None:
        st.session_state["used"] = str(suggestion.row.kind)  # type: ignore[attr-defined]

    conversation.routing_panel(
        route(question, keywords, None), keywords, overloaded_terms(question, astronomy().overloaded_terms), use
    )


def page_of_the_chip() -> None:
    import datetime

    import streamlit as st

    from pathfinder.retrieval.years.in_questions import years_named
    from pathfinder.ui.ask import conversation

    def change(is_on: bool) -> None:
        st.session_state["is_on"] = is_on

    named = years_named("bars after 2010", datetime.date(2024, 1, 1))
    assert named is not None
    conversation.year_chip(named, st.session_state.get("is_on", True), change)


def page_of_the_follow_up() -> None:
    import streamlit as st

    from pathfinder.retrieval.routing.follow_up import standalone_question
    from pathfinder.ui.ask import conversation

    st.session_state.setdefault("proposed", [])
    st.session_state.setdefault("searched", [])

    def propose(text: str) -> object:
        st.session_state["proposed"].append(text)
        return standalone_question(["What sets the gas content of galaxies?"], text, None)

    conversation.follow_up_form(propose, st.session_state["searched"].append)  # type: ignore[arg-type]


# What they say and do -----------------------------------------------------------------------------------


def test_the_panel_says_the_kind_the_reason_and_who_decided() -> None:
    page = ran(AppTest.from_function(page_of_the_panel, args=("What if metallicity were zero?",)).run())
    text = page_text(page)
    assert page.expander[0].label == "About your question: what-if question, named entity, jargon"
    assert 'it asks about a hypothetical case ("What if").' in text
    assert "Classified by rules." in text
    assert "Names: <b>JWST</b>" in text
    assert "Terms: magnetar winds" in text
    assert "“metallicity” has two meanings here. Stars: " in text
    assert "<b>" not in "".join(part.value for part in page.markdown)


def test_settings_are_used_on_a_click_and_not_before() -> None:
    page = ran(AppTest.from_function(page_of_the_panel, args=("What if metallicity were zero?",)).run())
    assert "used" not in page.session_state
    assert "Advised for what-if questions: 10 to 15 papers; keywords on, recency on, citations off" in page_text(page)
    page.button(key="use-settings-0").click()
    assert ran(page.run()).session_state["used"] == "what-if"


def test_a_topic_is_not_classified_and_has_no_settings_of_its_own() -> None:
    assert describe_kind(route("dark matter", (), None)) == "not classified"
    assert route("dark matter", (), None).suggestions == ()


def test_the_year_chip_is_taken_off_and_put_back() -> None:
    page = ran(AppTest.from_function(page_of_the_chip).run())
    assert "Years 2011 on, from “after 2010” in your question" in unescape(page.button[0].label)
    ran(page.button[0].click().run())
    assert page.session_state["is_on"] is False
    assert "All years; your question says “after 2010”" in unescape(page.button[0].label)
    ran(page.button[0].click().run())
    assert page.session_state["is_on"] is True


def page_of_the_chips() -> None:
    import numpy as np
    import streamlit as st

    from pathfinder.retrieval.authors.persons import Person
    from pathfinder.retrieval.exclusions import Exclusions
    from pathfinder.ui.ask import conversation

    def change(is_on: bool) -> None:
        st.session_state["is_on"] = is_on

    is_on = st.session_state.get("is_on", True)
    conversation.exclusion_chip(Exclusions(("theory",), "without theory", ((4, 19),)), is_on, change)
    conversation.person_chip(Person(("Vera Rubin",), np.array([3])), is_on, change)
    conversation.earliest_chip(is_on, change)


@pytest.mark.parametrize(
    ("place", "read", "unread"),
    [
        (0, "Without “theory”, from “without theory” in your question", "With all words"),
        (1, "Papers by Vera Rubin first", "“Vera Rubin” may be a person"),
        (2, "Earliest papers that claim it first", "Best matches first"),
    ],
)
def test_what_was_read_from_the_question_is_taken_off_and_put_back(place: int, read: str, unread: str) -> None:
    page = ran(AppTest.from_function(page_of_the_chips).run())
    assert read in unescape(page.button[place].label)
    ran(page.button[place].click().run())
    assert page.session_state["is_on"] is False
    assert unread in unescape(page.button[place].label)
    ran(page.button[place].click().run())
    assert page.session_state["is_on"] is True


def test_a_follow_up_is_shown_before_it_is_searched() -> None:
    page = ran(AppTest.from_function(page_of_the_follow_up).run())
    page.text_input(key="follow-up").input("and at higher redshift?")
    ran(page.button[0].click().run())
    field = page.text_input(key="follow-up-standing")
    assert field.value == "What sets the gas content of galaxies? And at higher redshift?"
    assert "follow-up: rules: prefixed with the previous question" in page_text(page)
    assert page.session_state["searched"] == []
    field.input("What sets the gas content of galaxies at z = 2?")
    ran(page.run())
    ran(page.button(key="follow-up-search").click().run())
    assert page.session_state["searched"] == ["What sets the gas content of galaxies at z = 2?"]
    assert page.session_state["proposed"] == ["and at higher redshift?"]
    assert len(page.text_input) == 1


def test_an_empty_follow_up_proposes_nothing() -> None:
    page = ran(AppTest.from_function(page_of_the_follow_up).run())
    page.text_input(key="follow-up").input("  ")
    ran(page.button[0].click().run())
    assert page.session_state["proposed"] == []
    assert len(page.text_input) == 1
