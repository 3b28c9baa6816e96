"""A chat model that is scripted, behind the Ask page, and what the tests of its answers look at."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Serve
from tests.browser.scripted import scripted_answers
from tests.browser.test_ask import QUESTION, link, wait_for_answer
from tests.wire import Act, Wire

Ask = Callable[..., str]
WARM_UP_MS = 180_000
PICTURES = os.environ.get("PATHFINDER_PICTURES")
"""A folder for pictures of what the tests see, for whoever wants to look at it."""


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Wire(scripted_answers()) as wire:
        yield wire


@pytest.fixture(scope="module")
def served(browser: Browser, serve_app: Serve, golden_corpus: Path, wire: Wire) -> Ask:
    """The app with a chat model that does what it is told to: `served(act, corpus)`.

    One app serves all tests, and it remembers replies: each test asks for another number of papers.
    """
    warm_apps: set[str] = set()

    def start(act: Act, corpus: Path = golden_corpus) -> str:
        app = serve_app(
            corpus,
            PATHFINDER_CHAT_MODEL="openai:scripted",
            PATHFINDER_CHAT_BASE_URL=wire.url,
            OPENAI_API_KEY="k",
        )
        if app not in warm_apps:
            warm_up(app)
        wire.plan[:] = [act]
        return app

    def warm_up(app: str) -> None:
        """Ask a first question, which waits until all is loaded, so that no test does."""
        warm_apps.add(app)
        with browser.new_context() as context:
            first = context.new_page()
            wire.plan[:] = [scripted_answers()]
            first.goto(link(app, q=QUESTION, k=11))
            first.locator('.st-key-answer a[href^="#paper-"]:visible').first.wait_for(timeout=WARM_UP_MS)
            expect(first.locator(".st-key-stop-answer, .st-key-stop-consensus")).to_have_count(0)

    return start


def whole(page: Page) -> None:
    """Wait until nothing runs any more: the answer is there, the kind, and the consensus."""
    wait_for_answer(page)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    expect(page.locator(".st-key-stop-answer, .st-key-stop-consensus")).to_have_count(0)


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png")
