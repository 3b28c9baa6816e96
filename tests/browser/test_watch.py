"""Standing questions in a real browser: nothing is marked as seen before it was on the screen."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pathfinder.addons.standing.log import StandingStore
from pathfinder.corpus.manifest import corpus_name
from tests.addons.standing.made_runs import H0, run_on
from tests.browser.conftest import come_from_elsewhere, until
from tests.browser.test_ask import nothing_sticks_out, still, wait_for_answer

MANY = "abcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def store(golden_corpus: Path, data: Path) -> StandingStore:
    """The owner's standing questions: one, of whose list no paper is in the corpus any more."""
    store = StandingStore(data, corpus_name(golden_corpus))
    store.change(lambda log: log.add(H0).add_run(H0, run_on(0, MANY, MANY)))
    return store


def test_changes_are_marked_when_their_end_is_on_the_screen(page: Page, data_app: str, store: StandingStore) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(f"{data_app}/watch")
    expect(page.get_by_text("Gone: 26")).to_be_visible()
    still(page)
    nothing_sticks_out(page, 390)
    assert store.log().seen_at(H0) is None
    page.mouse.move(200, 400)
    until(page.get_by_text("Marked as seen"), lambda: page.mouse.wheel(0, 20_000))
    assert store.log().seen_at(H0) == store.log().runs(H0)[-1].at
    page.reload()
    expect(page.get_by_text("Nothing has changed.")).to_be_visible()


def test_a_visitor_from_elsewhere_has_their_own_questions_after_a_reload(
    page: Page, data_app: str, store: StandingStore
) -> None:
    come_from_elsewhere(page.context)
    page.goto(f"{data_app}/?q=How old are galaxies?")
    wait_for_answer(page)  # a menu that opens while the page is drawn may be closed by what comes after it
    page.locator(".st-key-answer-more button").click()
    page.get_by_text("Watch this question").click()
    for press in ("Watch it", "Open what is new"):
        expect(page.get_by_role("button", name=press)).to_be_visible()
        still(page)
        page.get_by_role("button", name=press).click()
    expect(page.get_by_role("button", name="How old are galaxies?")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="How old are galaxies?")).to_be_visible()
    expect(page.get_by_role("button", name="H0")).to_have_count(0)
    assert len(store.log().entries) == 2
