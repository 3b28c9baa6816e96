"""A researcher's hour in a real browser, without a chat model: from a question to a draft, and to another folder."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import choose_tab, download, served_script
from tests.browser.test_ask import link, nothing_sticks_out, open_line, still, wait_for_answer
from tests.browser.test_shelves import QUESTION, open_shelves, star

N_STARRED, N_SCREENED = 4, 8
KEYS = "iolioiol"
"""Key pressed for each of the papers screened: two of them are put off and come again."""
N_IN = KEYS.count("i")
SECTIONS = "[class*='st-key-draft-text-']"


@pytest.mark.soak
def test_nothing_of_an_hour_is_lost_by_a_reload_a_second_tab_a_restart_or_a_move(
    page: Page, landmarks_corpus: Path, tmp_path: Path
) -> None:
    here, there = (
        {"PATHFINDER_CORPUS": str(landmarks_corpus), "PATHFINDER_DATA": str(tmp_path / name)}
        for name in ("here", "there")
    )
    capsule = tmp_path / "hour.pfz"
    with served_script(here, tmp_path) as address:
        star_papers(page, address)
        see_where_papers_disagree_and_how_they_are_linked(page)
        screen_papers(page, address)
        compare_papers(page, address)
        write_two_sections(page, address)
        save_capsule(page, address, capsule)
    with served_script(here, tmp_path) as address:
        find_everything_again(page, address)
    with served_script(there, tmp_path) as address:
        open_capsule(page, address, capsule)


def star_papers(page: Page, address: str) -> None:
    page.goto(link(address, q=QUESTION))
    wait_for_answer(page)
    for rank in range(1, N_STARRED + 1):
        star(page, rank)
    page.reload()
    wait_for_answer(page)
    expect(page.get_by_role("button", name="On the shelf")).to_have_count(N_STARRED)
    second = page.context.new_page()
    open_shelves(second, address)
    expect(second.get_by_text(f"{N_STARRED} papers", exact=True)).to_be_visible()
    second.close()


def see_where_papers_disagree_and_how_they_are_linked(page: Page) -> None:
    open_line(page, "agreement")
    expect(page.get_by_text("with an uncertainty, of which")).to_be_visible()
    choose(page, "Network")
    expect(page.get_by_text("Network of 60 papers")).to_be_visible()
    choose(page, "Timeline")
    expect(page.get_by_text("First mentions", exact=True)).to_be_visible()


def screen_papers(page: Page, address: str) -> None:
    page.goto(f"{address}/screen?q={QUESTION}")
    still(page)
    number = page.get_by_role("spinbutton", name="Papers to screen")
    number.fill(str(N_SCREENED))
    number.press("Tab")
    page.get_by_role("button", name="Start screening").click()
    expect(progress(page, 0)).to_be_visible()
    for n, key in enumerate(KEYS):
        decide(page, key)
        if n == N_SCREENED // 2:
            continue_after_a_reload(page, len(KEYS[: n + 1].replace("l", "")))
    while not page.get_by_text("You have decided on every paper.").is_visible():
        decide(page, "o")
    expect(progress(page, N_SCREENED)).to_contain_text(f"{N_IN} in")
    page.get_by_role("button", name="Put the decisions on the shelf").click()
    still(page)


def progress(page: Page, n_read: int) -> Locator:
    return page.get_by_text(f"{n_read} of {N_SCREENED} read")


def decide(page: Page, key: str) -> None:
    """Press the key of a verdict, and wait for the next paper."""
    title = page.locator("h2").first.text_content()
    page.keyboard.press(key)
    is_next = "title => ![title, undefined].includes(document.querySelector('h2')?.textContent)"
    page.wait_for_function(is_next, arg=title)
    still(page)


def continue_after_a_reload(page: Page, n_read: int) -> None:
    page.reload()
    page.get_by_role("button", name=f"{QUESTION} · {n_read} of {N_SCREENED}").click()
    expect(page.get_by_role("button", name="Close")).to_be_visible()
    still(page)


def compare_papers(page: Page, address: str) -> None:
    open_shelves(page, address)
    choose(page, "Comparison")
    expect(page.locator(".st-key-comparison-table th").nth(1)).to_be_visible()  # the paper and a column
    page.set_viewport_size({"width": 390, "height": 844})
    nothing_sticks_out(page, 390)
    page.set_viewport_size({"width": 1280, "height": 900})


def write_two_sections(page: Page, address: str) -> None:
    page.goto(f"{address}/write")
    page.get_by_role("textbox", name="Your questions").fill(f"{QUESTION}\nHow far away are Cepheids?")
    page.get_by_role("button", name="Make the outline").click()
    expect(page.locator("[class*='st-key-draft-section-']").nth(1)).to_be_visible()
    still(page)
    page.reload()
    choose(page, "Text")
    for place in (0, 1):
        section = page.locator(SECTIONS).nth(place)
        section.get_by_role("button", name="Write it", exact=True).click()
        expect(section.get_by_text("Not written yet.")).to_have_count(0)
        still(page)
    choose(page, "Files")
    download(page.get_by_role("button", name=re.compile("LaTeX")), ".zip")


def save_capsule(page: Page, address: str, capsule: Path) -> None:
    page.goto(link(address, q=QUESTION))
    wait_for_answer(page)
    page.locator(".st-key-answer-more button").click()
    page.get_by_text("Save as a file").click()
    page.get_by_text("With the shelf").click()
    still(page)
    download(page.get_by_role("button", name="Save question and answer")).save_as(capsule)


def find_everything_again(page: Page, address: str) -> None:
    open_shelves(page, address)
    expect(page.get_by_text(f"{N_IN} in")).to_be_visible()
    page.goto(f"{address}/write")
    choose(page, "Text")
    written = page.locator(SECTIONS).filter(has_not=page.get_by_text("Not written yet."))
    expect(written).to_have_count(2)
    page.goto(f"{address}/screen")
    continue_after_a_reload(page, N_SCREENED)
    expect(progress(page, N_SCREENED)).to_be_visible()


def open_capsule(page: Page, address: str, capsule: Path) -> None:
    page.goto(f"{address}/check")
    choose_tab(page, "Capsule")
    page.get_by_test_id("stFileUploaderDropzoneInput").last.set_input_files(capsule)
    choose_tab(page, "Shelf")
    expect(page.get_by_text("To put these papers on one of your shelves")).to_be_visible()
    page.goto(f"{address}/shelves")
    expect(page.get_by_text("No papers yet.")).to_be_visible()
    choose(page, "Import and export")
    page.get_by_test_id("stFileUploaderDropzoneInput").last.set_input_files(capsule)
    expect(page.get_by_text(f"{N_IN} in")).to_be_visible()


def choose(page: Page, part: str) -> None:
    """Open a part of the page, once the page is still."""
    expect(page.get_by_role("radio", name=part, exact=True)).to_be_visible()
    still(page)
    page.get_by_role("radio", name=part, exact=True).click()
    still(page)
