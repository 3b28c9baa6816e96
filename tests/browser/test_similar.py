"""What a person does on the page of similar papers, in a real browser."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve
from tests.browser.test_ask import TITLES, nothing_sticks_out, titles


def still(page: Page) -> None:
    expect(page.get_by_text("weighting: ").locator("visible=true")).to_be_visible()
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def test_papers_are_chosen_by_title_and_papers_like_them_are_found(
    page: Page, serve_app: Serve, golden_corpus: Path
) -> None:
    page.goto(f"{serve_app(golden_corpus)}/similar")
    page.get_by_label("Find a paper by its title").fill("hubble constant")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="More like this").first.click()
    still(page)
    page.wait_for_url(re.compile(r"/similar\?like="))
    expect(page.locator(TITLES)).to_have_count(10)
    first = titles(page)
    page.get_by_role("button", name="Less like this").last.click()
    page.wait_for_url(re.compile("unlike="))
    still(page)
    expect(page.get_by_text("left out because they are among your examples")).to_be_visible()
    # The address changes before the papers do.
    expect(page.locator(TITLES)).not_to_have_text(first)

    # Somebody else who opens the address sees the same papers.
    other = page.context.new_page()
    other.goto(page.url)
    still(other)
    expect(other.locator(TITLES)).to_have_count(10)
    expect(page.locator(TITLES)).to_have_text(titles(other))


def test_on_a_phone_nothing_sticks_out(page: Page, serve_app: Serve, golden_corpus: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{serve_app(golden_corpus)}/similar?like=riess-2022&unlike=hubble-1929")
    still(page)
    nothing_sticks_out(page, 390)
