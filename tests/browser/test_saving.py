"""What a person keeps of a question: a judgement that can be withdrawn, and a capsule that opens again."""

from pathlib import Path

from playwright.sync_api import Page, expect

from pathfinder.addons.capsules.archive import open_capsule
from tests.browser.conftest import choose_tab, come_from_elsewhere, download
from tests.browser.test_ask import still, wait_for_answer

QUESTION = "q=How+fast+is+the+universe+expanding%3F"


def test_a_paper_is_judged_which_the_browser_keeps_and_the_judgement_withdrawn(page: Page, app: str) -> None:
    come_from_elsewhere(page.context)
    page.goto(f"{app}/?{QUESTION}")
    wait_for_answer(page)
    page.locator(".paper .open").nth(1).click()
    panel = page.get_by_role("dialog").locator('[class*="st-key-feedback-"]').first
    for part in ("Feedback", "thumb_down", "off topic"):
        panel.get_by_text(part).click()
        still(page)
    panel.get_by_role("button", name="Send").click()
    expect(panel.get_by_text("Thank you. Code: ")).to_be_visible()
    page.wait_for_function("Object.keys(localStorage).some(key => key.startsWith('pathfinder-feedback:'))")
    still(page)
    panel.get_by_role("button", name="Withdraw").click()
    expect(panel.get_by_text("Store my question too")).to_be_visible()


def test_a_question_is_saved_as_a_capsule_and_opened_on_the_check_page(
    page: Page, data_app: str, tmp_path: Path
) -> None:
    page.goto(f"{data_app}/?{QUESTION}")
    wait_for_answer(page)
    page.locator(".st-key-answer-more button").click()
    page.get_by_text("Save as a file").click()
    still(page)
    capsule = download(page.get_by_role("button", name="Save question and answer"))
    assert capsule.suggested_filename == "how-fast-is-the-universe-expanding.pfz"
    capsule.save_as(tmp_path / "saved.pfz")
    assert open_capsule(tmp_path / "saved.pfz").answer is not None

    page.goto(f"{data_app}/check")
    choose_tab(page, "Capsule")
    page.get_by_test_id("stFileUploaderDropzoneInput").last.set_input_files(tmp_path / "saved.pfz")
    expect(page.get_by_role("heading", name="How fast is the universe expanding?")).to_be_visible()
    still(page)
    choose_tab(page, "Checks")
    expect(page.get_by_text("order: holds. 10 hits")).to_be_visible()
    choose_tab(page, "Compared with this library")
    still(page)
    page.get_by_role("button", name="Search again in this library").click()
    expect(page.get_by_text("0 new, 0 dropped")).to_be_visible()
