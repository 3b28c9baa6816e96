"""The papers of a result, compared column by column on the page."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.ui.test_pages import Open, page_text, ran


@pytest.fixture
def comparison(ask: Open) -> AppTest:
    page = ask(q="What is the value of the Hubble constant?", k="3")
    page.button_group(key="papers-as").set_value("Comparison")
    return ran(page.run())


def test_the_papers_found_are_compared_with_their_own_sentences(comparison: AppTest) -> None:
    (table,) = [part.value for part in comparison.markdown if part.value.startswith("| Paper |")]
    head, _, *rows = table.splitlines()
    assert head == "| Paper | sample | result | limitation |"
    assert "Nothing was found for: method." in page_text(comparison)
    assert len(rows) == 3
    assert "sentence from the abstract or summary that suits the column best" in page_text(comparison)


def test_a_column_that_a_reader_adds_is_filled_in(comparison: AppTest) -> None:
    comparison.multiselect(key="comparison-columns").set_value(["value of the Hubble constant"])
    ran(comparison.run())
    (table,) = [part.value for part in comparison.markdown if part.value.startswith("| Paper |")]
    assert table.splitlines()[0] == "| Paper | value of the Hubble constant |"
    assert "km" in table


def test_only_the_selected_papers_are_compared(comparison: AppTest) -> None:
    hits = comparison.session_state["view"].result.hits
    for n_selected in (2, 1):
        comparison.session_state["selected-papers"] = tuple(hit.paper.paper_id for hit in hits[1 : 1 + n_selected])
        ran(comparison.run())
        (table,) = [part.value for part in comparison.markdown if part.value.startswith("| Paper |")]
        assert len(table.splitlines()) == 2 + n_selected
        assert ("Only the selected papers are shown." in page_text(comparison)) == (n_selected == 2)


def test_the_conditions_of_a_question_are_chips_and_papers_can_be_filtered_by_them(ask: Open) -> None:
    page = ask(q="measurements of the Hubble constant from supernovae, not simulations", k="3")
    page.button_group(key="papers-as").set_value("Comparison")
    ran(page.run())
    (chips,) = [box for box in page.multiselect if box.label == "Criteria"]
    assert chips.value == ["Hubble constant", "supernovae", "not simulations"]
    (table,) = [part.value for part in page.markdown if part.value.startswith("| Paper |")]
    head, _, *rows = table.splitlines()
    assert head == "| Paper | Hubble constant | supernovae | not simulations |"
    assert all("-badge[" in row for row in rows)
    page.button_group(key="comparison-met").set_value(["Hubble constant"])
    ran(page.run())
    (table,) = [part.value for part in page.markdown if part.value.startswith("| Paper |")]
    assert all(row.split(" | ")[1].startswith(":green-badge[yes]") for row in table.splitlines()[2:])
