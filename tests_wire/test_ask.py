"""The whole Ask flow in a browser, over the proxy: every way of answering, and a key typed for one visit."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve
from tests_wire.conftest import KEY, QUESTION

PATIENCE_MS = 60_000
expect.set_options(timeout=PATIENCE_MS)
MODEL = "openai:scripted"
N_SEARCHES = 4


@pytest.fixture(params=[0, 1], ids=["one corpus", "another corpus"])
def app(request: pytest.FixtureRequest, serve_app: Serve, corpora: tuple[Path, Path], proxy: str) -> str:
    """The app with the proxy as its chat model."""
    return serve_app(
        corpora[request.param],
        PATHFINDER_CHAT_MODEL=MODEL,
        PATHFINDER_CHAT_BASE_URL=proxy,
        OPENAI_API_KEY=KEY,
        PATHFINDER_CHAT_PRICE_IN="0.15",
        PATHFINDER_CHAT_PRICE_OUT="0.6",
    )


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name, exact=True).click()


def answered(page: Page) -> str:
    """The words of the answer, once it is there."""
    expect(page.locator('.st-key-answer a[href^="#paper-"]').first).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    return page.locator(".st-key-answer").inner_text()


@pytest.mark.parametrize("way", ["rag", "agent", "deep-research", "self-feedback"])
def test_a_question_is_answered_over_the_proxy(
    page: Page, app: str, way: str, shot: Callable[[Page, str], None]
) -> None:
    page.goto(f"{app}/?{urlencode({'q': QUESTION, 'k': 3, 'answer': way})}")
    words = answered(page)
    shot(page, f"{way}-answer")
    assert "I have no part in this play" not in words
    open_tab(page, "Trace")
    if way == "rag":
        expect(page.get_by_text("there are no steps to show")).to_be_visible()
        return
    actions = page.get_by_text(re.compile(r"^.*Action.*search"))
    expect(actions.nth(N_SEARCHES - 1)).to_be_visible()
    shot(page, f"{way}-trace")
