"""The showcase questions, asked from their chips in a real browser and answered by a scripted model."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pathfinder.profile import astronomy
from pathfinder.ui.shared.question_box import N_EXAMPLES
from tests.browser.answers import picture, whole
from tests.browser.conftest import CLICKS, PATIENCE_MS, Ask, until
from tests.browser.scripted import scripted_answers
from tests.browser.test_ask import TITLES, nothing_sticks_out


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
        asked = page.get_by_role("heading", name=question)
        until(asked, lambda chip=chip: chip.click(timeout=PATIENCE_MS / CLICKS))
        expect(answer).not_to_have_text(text, use_inner_text=True)
        expect(page.locator('.st-key-answer a[href^="#paper-"]:visible').first).to_be_visible()
        whole(page)
        text = answer.inner_text()
        expect(page.locator(TITLES)).to_have_count(10)
        assert page.locator("main [data-testid=stException], main [data-testid=stAlertContentError]").count() == 0
        nothing_sticks_out(page, width)
        picture(page, f"showcase-{n}-{width}")
