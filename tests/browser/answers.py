"""What the tests of a chat model's answers look at."""

import os
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.test_ask import wait_for_answer

PICTURES = os.environ.get("PATHFINDER_PICTURES")
"""A folder for pictures of what the tests see, for whoever wants to look at it."""


def whole(page: Page) -> None:
    """Wait until nothing runs any more: the answer is there, the kind, and the consensus."""
    wait_for_answer(page)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    expect(page.locator(".st-key-stop-answer, .st-key-stop-consensus")).to_have_count(0)


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png")
