"""A morning in a real browser: new papers ranked by a shelf, and what stars and "not for me" teach."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from pathfinder.addons.standing.mornings import StoredMornings
from pathfinder.corpus.manifest import corpus_name
from pathfinder.shelves.shelf import ShelfStore
from tests.addons.standing.test_morning import KEPT, PLANETS, SUPERNOVAE
from tests.browser.conftest import Serve, download, until
from tests.browser.test_ask import nothing_sticks_out, still

SHELF = "Expansion"


@pytest.fixture
def address(serve_app: Serve, golden_corpus: Path, tmp_path: Path) -> str:
    """The app of a reader with one shelf, who has named where new papers are: a file with two of today."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    night, data, corpus = tmp_path / "night.jsonl", tmp_path / "data", corpus_name(golden_corpus)
    night.write_text("\n".join(json.dumps({**paper, "date": today}) for paper in (PLANETS, SUPERNOVAE)))
    ShelfStore(data, corpus).change(SHELF, lambda shelf: shelf.add(KEPT))
    StoredMornings(data, corpus).change(SHELF, lambda own: replace(own, sources=(str(night),), days=2))
    return serve_app(golden_corpus, PATHFINDER_DATA=str(data))


def test_new_papers_are_ranked_by_a_shelf_and_marks_teach_the_next_morning(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/watch")
    read(page)
    expect(cards(page)).to_have_count(2)
    expect(cards(page).first).to_contain_text(SUPERNOVAE["title"])
    nothing_sticks_out(page, 390)
    mark(page, SUPERNOVAE["title"], "Not for me", "Was not for me")
    mark(page, PLANETS["title"], "Star", "Starred")
    page.reload()
    read(page)
    expect(cards(page).last).to_contain_text("closer to one that was not for you")
    expect(cards(page).first.get_by_role("button", name="Starred")).to_be_visible()
    report = download(page.get_by_role("button", name="Markdown", exact=True)).path().read_text(encoding="utf-8")
    assert PLANETS["title"] in report.partition("2. ")[0]


def cards(page: Page) -> Locator:
    return page.locator("[class*='st-key-morning-paper-']")


def read(page: Page) -> None:
    """Read what is new, and wait until it is listed."""
    expect(page.get_by_text("The morning", exact=True)).to_be_visible()
    still(page)
    page.get_by_role("button", name="Read what is new").click()
    expect(page.get_by_text("2 new papers")).to_be_visible()
    expect(page.get_by_text("Reading what is new;")).to_have_count(0)
    still(page)


def mark(page: Page, title: str, label: str, label_on: str) -> None:
    """Press a button of a paper until it says so: a click is lost on one that is just being drawn again. Another press
    takes the mark back, so each has some time to show.
    """
    card = cards(page).filter(has_text=title)
    marked = card.get_by_role("button", name=label_on, exact=True)
    until(marked, card.get_by_role("button", name=label, exact=True).click)
    still(page)
    expect(marked).to_be_visible()
