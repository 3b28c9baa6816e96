"""Live sources on the Ask page, as Streamlit runs it."""

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.types import Hit, LiveSource, Paper, Score
from pathfinder.ui.corpus import permissions, works
from pathfinder.ui.corpus.permissions import Permissions
from pathfinder.ui.shared import resources
from tests.places import page_at

QUESTION = "masers"
LIVE = Hit(Paper("s2:1", "t", "a", arxiv_id="2601.00001"), 99, Score(0.0), live="arXiv")
OF_ADS = replace(LIVE, paper=Paper("2026ApJ...900....1B", "t", "a", bibcode="2026ApJ...900....1B"), live="NASA ADS")


def visit(golden_corpus, monkeypatch, *, live=None, here=False, allowed="", **query):
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    monkeypatch.setenv("PATHFINDER_LIVE", allowed)
    monkeypatch.setattr(resources, "is_visited_here", lambda: here)
    page = page_at("ask")
    for name, value in ({"q": QUESTION, "live": live} if live else query).items():
        page.query_params[name] = value
    return page.run()


def switches(page):
    return {toggle.label: toggle.value for toggle in page.toggle if toggle.key and toggle.key.startswith("live-")}


def test_visitors_see_the_switches_that_the_owner_allows_and_the_owner_all(golden_corpus, monkeypatch):
    assert switches(visit(golden_corpus, monkeypatch)) == {}
    assert switches(visit(golden_corpus, monkeypatch, allowed="arxiv")) == {"arXiv": False}
    assert len(switches(visit(golden_corpus, monkeypatch, here=True))) == len(LiveSource)


def test_a_link_asks_no_source_that_is_not_allowed_and_the_badge_says_so(golden_corpus, monkeypatch):
    page = visit(golden_corpus, monkeypatch, live="arxiv")
    assert not page.exception
    words = " ".join(element.value for element in page.markdown)
    assert "is not allowed by whoever runs this server" in words


def button_page():
    from pathfinder.ui.corpus.works import add_buttons
    from tests.ui.test_live_sources import LIVE, OF_ADS

    add_buttons([LIVE, OF_ADS])


@pytest.fixture
def begun(golden_corpus, monkeypatch):
    """The orders that were begun."""
    monkeypatch.setenv("PATHFINDER_CORPUS", str(golden_corpus))
    orders = []
    monkeypatch.setattr(works, "begin", lambda order, *_, **__: orders.append(order))
    return orders


@pytest.mark.parametrize(("allowed", "n"), [(frozenset(), 0), (frozenset({"update"}), 1)])
def test_only_who_may_update_the_corpus_may_add_to_it(begun, monkeypatch, allowed, n):
    monkeypatch.setattr(permissions, "of_visitor", lambda: Permissions(False, allowed))
    page = AppTest.from_function(button_page).run()
    assert len(page.button) == n


def test_a_button_orders_a_build_from_its_paper_and_what_only_ads_knows_has_none(begun, golden_corpus, monkeypatch):
    monkeypatch.setattr(permissions, "of_visitor", lambda: Permissions(True, frozenset()))
    page = AppTest.from_function(button_page).run()
    assert len(page.button) == 1
    page.button[0].click().run()
    ((order),) = begun
    assert (order.folder, order.options["sources"]) == (golden_corpus, ("arxiv:id:2601.00001",))
    assert "is being added" in page.caption[0].value
