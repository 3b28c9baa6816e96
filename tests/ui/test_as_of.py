"""The year as of which every page is read: chosen once, kept in the address, and left with one click."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.facade import Pathfinder
from tests.building.conftest import GALAXIES, PLANETS
from tests.places import open_library, page_at
from tests.ui.test_pages import corpus_of, page_text, ran


@pytest.fixture
def app(golden_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., AppTest]:
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))

    def opened(**address: str) -> AppTest:
        page = page_at("app")
        for name, value in address.items():
            page.query_params[name.replace("_", "-")] = value
        return ran(page.run())

    return opened


def test_a_link_as_of_a_year_shows_only_the_papers_of_that_year_on_every_page(app, pf: Pathfinder):
    n = len(pf.as_of(1990).corpus.papers)
    page = app(as_of="1990", q="Hubble constant")
    assert f"As of 1990: {n} of {len(pf.corpus.papers)} papers" in page_text(page)
    assert "Still as of today: places on the map; limits for outliers and for answering" in page_text(page)
    assert dict(page.query_params.items()) == {"q": "Hubble constant", "as-of": "1990"}
    for other in ("similar", "map", "review"):
        ran(page.switch_page(f"{other}.py").run())
        assert f"As of 1990: {n} of" in page_text(page), other
        assert dict(page.query_params.items())["as-of"] == "1990"
    ran(page.switch_page("about.py").run())
    assert "This page is about the whole library, whatever the year." in page_text(page)


@pytest.mark.build
def test_another_library_keeps_the_question_and_nothing_that_names_the_papers_of_this_one(
    app, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATHFINDER_CORPORA", str(corpus_of(tmp_path, GALAXIES, PLANETS)))
    page = app(q="galaxies", within="riess-2022", region="0,0;1,1")
    (switch,) = [box for box in page.radio if box.label == "Open library"]
    ran(switch.set_value("corpus-2").run())
    assert {"within", "region"}.isdisjoint(dict(page.query_params.items()))
    assert dict(page.query_params.items())["q"] == "galaxies"
    assert "2 papers" in open_library(page)


def test_one_click_leads_back_to_today(app, pf: Pathfinder):
    page = ran(app(as_of="1990").button("as-of-back").click().run())
    assert f"corpus · {len(pf.corpus.papers)} papers" in open_library(page)
    assert "as-of" not in dict(page.query_params.items())


def test_a_year_is_chosen_on_the_page(app, pf: Pathfinder):
    page = ran(app().number_input("as-of-year-None").set_value(1990).run())
    assert f"As of 1990: {len(pf.as_of(1990).corpus.papers)} of" in page_text(page)
    assert dict(page.query_params.items()) == {"as-of": "1990"}


@pytest.mark.parametrize(
    ("year", "message"),
    [
        ("1500", "as of 1500 there is nothing to search: the first paper in corpus is from"),
        ("now", "The link's as-of='now' is not a year such as 2015"),
        ("9" * 5_000, "is not a year such as 2015"),
    ],
)
def test_a_year_that_cannot_be_used_is_named_with_a_way_out(app, year, message):
    page = app(as_of=year)
    assert message in page_text(page)
    assert "As of 1500:" not in page_text(page)
