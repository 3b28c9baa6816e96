"""A shelf, from the first star to a file, in a real browser: at this machine, and as a visitor from elsewhere."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from pathfinder.corpus.manifest import corpus_name
from tests.browser.conftest import come_from_elsewhere, download, visitor
from tests.browser.test_ask import nothing_sticks_out, still, wait_for_answer

QUESTION = "What is the value of the Hubble constant?"


def star(page: Page, rank: int) -> None:
    card = page.locator(".paper").nth(rank - 1)
    card.get_by_role("button", name=f"Star paper {rank}").click()
    expect(card.get_by_role("button", name="On the shelf")).to_be_visible()
    still(page)


def noted(page: Page) -> Locator:
    """What is noted of the paper that is selected in the table of the shelf."""
    return page.locator("[class*='st-key-shelved-']")


def decide(card: Locator, state: str) -> None:
    """Press a state, once the one from before an undo is gone."""
    expect(card.get_by_text(state, exact=True)).to_have_count(1)
    card.get_by_text(state, exact=True).click()


def open_shelves(page: Page, address: str) -> None:
    page.goto(f"{address}/shelves")
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_visible()
    still(page)


@pytest.mark.parametrize("is_here", [True, pytest.param(False, marks=pytest.mark.soak)])
def test_three_papers_are_starred_noted_decided_and_nothing_is_lost(
    page: Page, data_app: str, data: Path, is_here: bool
) -> None:
    if not is_here:
        come_from_elsewhere(page.context)
    page.goto(f"{data_app}/?q={QUESTION}")
    wait_for_answer(page)
    for rank in (1, 2, 3):
        star(page, rank)
    open_shelves(page, data_app)
    expect(page.get_by_text("3 papers", exact=True)).to_be_visible()

    first = noted(page)
    decide(first, "Out")
    expect(page.get_by_text("2 to read · 1 out")).to_be_visible()
    still(page)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_text("3 to read")).to_be_visible()
    still(page)
    # After the undo: a note and a decision that reach the server together are undone one by one.
    first.get_by_role("textbox", name="Note").fill("see table 5")
    first.get_by_role("textbox", name="Why").click()
    decide(first, "In")
    expect(page.get_by_text("2 to read · 1 in")).to_be_visible()
    still(page)

    open_shelves(page, data_app)  # as after a reload: a new session
    expect(page.get_by_text("2 to read · 1 in")).to_be_visible()
    expect(noted(page).get_by_role("textbox", name="Note")).to_have_value("see table 5")
    assert (data / "shelves.sqlite3").exists() == is_here

    page.get_by_role("radio", name="Import and export").click()
    still(page)
    assert download(page.get_by_role("button", name="Download"), ".bib").path().read_text().count("@") == 3
    page.set_viewport_size({"width": 390, "height": 844})
    nothing_sticks_out(page, 390)


def test_no_visitor_sees_the_shelves_of_another(page: Page, data_app: str) -> None:
    browser = page.context.browser
    assert browser is not None
    come_from_elsewhere(page.context)
    page.goto(f"{data_app}/?q={QUESTION}")
    wait_for_answer(page)
    star(page, 1)
    with visitor(browser, extra_http_headers={"X-Forwarded-For": "192.0.2.2"}) as other:
        theirs = other.new_page()
        theirs.goto(f"{data_app}/shelves")
        expect(theirs.get_by_text("No papers yet.")).to_be_visible()
    open_shelves(page, data_app)
    expect(page.get_by_text("1 paper", exact=True)).to_be_visible()


@pytest.mark.soak
def test_two_tabs_of_a_visitor_keep_all_that_each_has_made_and_what_an_earlier_version_stored(
    browser: Browser, data_app: str, golden_corpus: Path
) -> None:
    key = f"pathfinder-shelves:{corpus_name(golden_corpus).ids[0]}"
    paper = {"paper_id": "riess-2022", "state": "to read", "why": "", "note": "", "tags": []}
    earlier = {"format": "pathfinder shelves 1", "shelves": [[None, {"name": "h0", "papers": [paper]}]]}
    with visitor(browser, extra_http_headers={"X-Forwarded-For": "192.0.2.3"}) as context:
        first, second = context.new_page(), context.new_page()
        first.goto(f"{data_app}/favicon.png")
        first.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, json.dumps(earlier)])
        open_shelves(first, data_app)
        expect(first.get_by_text("1 paper", exact=True)).to_be_visible()
        second.goto(f"{data_app}/?q={QUESTION}")
        wait_for_answer(second)
        second.goto(data_app)
        second.locator(".st-key-way-to-0").get_by_role("button", name=QUESTION).click()
        wait_for_answer(second)
        star(second, 3)
        expect(first.get_by_text("2 papers", exact=True)).to_be_visible()

        before = json.loads(second.evaluate("key => localStorage.getItem(key)", key))
        star(second, 4)
        expect(first.get_by_text("3 papers", exact=True)).to_be_visible()
        # A third tab, which has not heard of the last star, stores a star of its own.
        number, _, (corpus, name, text) = before["records"][-1]
        shelf = json.loads(text)
        shelf["shelf"]["papers"].append({**paper, "paper_id": "of-the-third-tab"})
        number += 10**9
        before["records"].append([number, number, [corpus, name, json.dumps(shelf)]])
        text = json.dumps(before, separators=(",", ":"))
        first.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, text])
        expect(second.get_by_text("Two tabs have changed the shelf")).to_be_visible()
        second.get_by_role("button", name="Put both together").click()
        expect(second.get_by_text("Two tabs have changed the shelf")).to_have_count(0)
        still(second)
        second.reload()
        wait_for_answer(second)
        for page in (first, second):
            stored = page.evaluate("key => localStorage.getItem(key)", key)
            assert "of-the-third-tab" in json.loads(stored)["records"][-1][2][2]
        open_shelves(first, data_app)
        expect(first.get_by_text("4 papers", exact=True)).to_be_visible()
