"""The page of similar papers as Streamlit runs it, without a browser."""

from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.building.conftest import GALAXIES, PLANETS, PULSARS
from tests.places import Open, ran
from tests.ui.test_pages import corpus_of, marks, page_text, titles


@pytest.fixture
def similar(at: Open) -> Open:
    return partial(at, "similar")


def press(page: AppTest, key: str) -> AppTest:
    return ran(page.button(key=key).click().run())


def papers_in_address(page: AppTest, name: str) -> list[str]:
    """The papers in the address; Streamlit's test gives a single one without its list."""
    values = page.query_params.get(name, [])
    return [values] if isinstance(values, str) else list(values)


def test_before_anything_is_chosen_the_page_says_how_and_finds_nothing(similar: Open) -> None:
    page = similar()
    assert "Choose a paper, or paste an abstract." in page_text(page)
    assert titles(page) == []


def test_a_link_with_unknown_papers_opens_and_says_so(similar: Open) -> None:
    page = similar(like=["gone", "riess-2022"], unlike=["lost"])
    assert "the link's paper 'gone' is not in this library and was ignored" in page_text(page)
    assert "'lost'" in page_text(page)
    assert len(titles(page)) == 10


def test_a_first_year_after_the_last_is_reported(similar: Open) -> None:
    page = similar(like=["riess-2022"])
    page.number_input(key="year_from").set_value(2020)
    page.number_input(key="year_to").set_value(2010)
    assert "from 2020 to 2010" in ran(page.run()).error[0].value


def test_papers_are_chosen_by_part_of_their_title_and_taken_out_again(similar: Open) -> None:
    page = similar()
    ran(page.text_input(key="similar-title").set_value("hubble con").run())
    press(page, "more-riess-2022")
    assert "Local Value of the Hubble Constant" not in "".join(titles(page))
    assert papers_in_address(page, "like") == ["riess-2022"]
    first = titles(page)
    press(page, "less-freedman-2001")
    assert papers_in_address(page, "unlike") == ["freedman-2001"]
    assert titles(page) != first
    press(page, "more-freedman-2001")
    assert (papers_in_address(page, "like"), papers_in_address(page, "unlike")) == (["riess-2022", "freedman-2001"], [])
    ran(page.multiselect[0].set_value(["riess-2022"]).run())
    assert papers_in_address(page, "like") == ["riess-2022"]
    assert titles(page) == first


def test_a_text_alone_is_enough_and_its_markup_is_text(similar: Open) -> None:
    page = similar()
    ran(page.text_area(key="similar-text").set_value("<img src=x> masers of $hydroxyl$").run())
    assert "masers" in "".join(titles(page)).lower()


def test_a_weight_moves_the_same_candidates_and_shows_where_from(similar: Open) -> None:
    page = similar(like=["riess-2022"])
    ran(page.toggle(key="recency-on").set_value(True).run())
    assert marks(page)


def test_a_small_corpus_has_similar_papers_and_no_map(similar: Open, tmp_path: Path) -> None:
    page = similar(corpus_of(tmp_path, GALAXIES, PLANETS, PULSARS), like=["galaxies"])
    assert len(titles(page)) == 2
    assert "A library of 3 papers is too small for a map." in page_text(page)
