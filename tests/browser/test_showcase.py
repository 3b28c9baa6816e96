"""The showcase questions, asked from their chips in a real browser and answered by a scripted model."""

import contextlib
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

from pathfinder.profile import astronomy
from pathfinder.ui.shared.question_box import N_EXAMPLES
from tests.browser.answers import picture, whole
from tests.browser.conftest import Ask
from tests.browser.scripted import scripted_answers
from tests.browser.test_ask import TITLES, nothing_sticks_out

IS_IN_ADDRESS = "question => new URLSearchParams(location.search).get('q') === question"


@pytest.mark.soak
@pytest.mark.parametrize("width", [1440, 390])
def test_each_showcase_question_is_answered_from_its_chip(
    page: Page, served: Ask, landmarks_corpus: Path, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(served(scripted_answers(), landmarks_corpus))
    answer, text = page.locator(".st-key-answer"), ""
    for n, question in enumerate(astronomy().examples[:N_EXAMPLES], start=1):
        chip = page.locator(f".st-key-example-{n - 1} button")
        if n > 1:
            page.get_by_role("button", name="New question").click()
        press(page, chip, question)
        expect(answer).not_to_have_text(text, use_inner_text=True)
        expect(page.locator('.st-key-answer a[href^="#paper-"]:visible').first).to_be_visible()
        whole(page)
        text = answer.inner_text()
        expect(page.locator(TITLES)).to_have_count(10)
        expect(page.get_by_role("heading", name=question)).to_be_visible()
        assert page.locator("main [data-testid=stException], main [data-testid=stAlertContentError]").count() == 0
        nothing_sticks_out(page, width)
        picture(page, f"showcase-{n}-{width}")


def press(page: Page, chip: Locator, question: str) -> None:
    """Press it until its question is asked: a press while the page is drawn anew is lost."""
    for _ in range(5):
        if chip.is_visible():
            chip.click()
        with contextlib.suppress(TooLate):
            page.wait_for_function(IS_IN_ADDRESS, arg=question, timeout=10_000)
            return
    pytest.fail(f"the chip of {question!r} asks nothing")
