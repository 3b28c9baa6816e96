"""What axe finds on the pages, in the light and in the dark theme: the rules of WCAG 2.2 that a program can check."""

from collections.abc import Iterator
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.test_ask import still

PAGES = {
    "first": "",
    "ask": "?q=Which+codes+compute+radiative+transfer%3F&k=6",
    **{
        name: name
        for name in (
            *("compare", "evaluate", "judge", "similar", "shelves", "screen", "map", "world", "corpus", "check"),
            *("about", "hypotheses", "watch", "write"),
        )
    },
}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
BACKGROUNDS = {"light": "rgb(255, 255, 255)", "dark": "rgb(17, 21, 26)"}
ORDER = "heading-order"
"""Rule that no heading skips a level, which is no part of WCAG."""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], "rules": {ORDER: {"enabled": True}}}
GRAVE = {"serious", "critical"}
PRIMARY_IN_THE_DARK = "#2f78b7"
"""Colour in which Streamlit writes the values of sliders and chosen pills in the dark theme, and on which its buttons
write in white. No blue has a contrast of 4.5 with both, so these values fall short of it."""
OF_STREAMLIT = "e => e.closest('[data-testid=stSlider], [data-testid=stButtonGroup]') !== null"
"""True for an element of a slider or of a row of pills, whose colours are Streamlit's."""


def violations(page: Page) -> Iterator[tuple[str, str]]:
    """The rule and the element of each serious violation, or heading out of order, in what is shown."""
    report: dict[str, Any] = Axe().run(page, options=RULES).response
    for violation in report["violations"]:
        for node in violation["nodes"]:
            colours = {(check["data"] or {}).get("fgColor") for check in node["any"]}
            is_known = PRIMARY_IN_THE_DARK in colours and page.locator(node["target"][0]).evaluate(OF_STREAMLIT)
            if (violation["impact"] in GRAVE or violation["id"] == ORDER) and not is_known:
                yield violation["id"], f"{node['html'][:160]} at {node['target']}"


def remaining(page: Page) -> set[tuple[str, str]]:
    """What axe finds when the page has settled: while it draws a map, for example, its frame has scroll bars."""
    for _ in range(10):
        if not (rules := set(violations(page))):
            break
        page.wait_for_timeout(1000)
    return rules


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_in_either_theme(name: str, page: Page, app: str) -> None:
    page.emulate_media(color_scheme="light")
    page.goto(f"{app}/{PAGES[name]}")
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        app = page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')
        expect(app).to_have_css("background-color", BACKGROUNDS[scheme])
        expect(page.locator("h1, h2, h3").first).to_be_visible()
        expect(page.locator('[data-stale="true"]')).to_have_count(0)
        assert remaining(page) == set()


@pytest.mark.parametrize("width", [1440, 390])
def test_content_begins_near_the_top(width: int, page: Page, app: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(app)
    heading = page.get_by_role("heading", name="Ask 33 papers")
    expect(heading).to_be_visible()
    expect(page.locator('[data-testid="stMainBlockContainer"]')).to_have_css("padding-top", "60px")
    still(page)
    box = heading.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 140
