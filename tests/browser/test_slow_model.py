"""The Ask page while a chat model takes its time, in a real browser: words that come slowly, and a stop button."""

import re

from playwright.sync_api import Browser, Page, expect

from tests.browser.answers import picture
from tests.browser.conftest import Ask, until, visitor
from tests.browser.scripted import answering
from tests.browser.test_ask import MOVED, QUESTION, TITLES, ask, link, open_settings, titles
from tests.wire import Hangs, Says

SLOWLY = answering(Says(*(f"word{n} " for n in range(2000)), pause=0.2))


STOPPED = re.compile(r"^Stopped\. (This text|No answer)")


def test_words_come_one_by_one_and_a_button_stops_them(page: Page, served: Ask) -> None:
    page.goto(link(served(SLOWLY), q=QUESTION, k=5))
    expect(page.get_by_text("word3")).to_be_visible()
    assert page.get_by_text("word400").count() == 0
    picture(page, "words")
    page.locator(".st-key-stop-answer button").click()
    expect(page.get_by_text(STOPPED)).to_be_visible()
    expect(page.locator(".st-key-stop-answer, .st-key-stop-consensus")).to_have_count(0)
    words = page.get_by_text(re.compile("^word0 word1")).inner_text()
    page.wait_for_timeout(1000)
    assert page.get_by_text(re.compile("^word0 word1")).inner_text() == words
    expect(page.get_by_role("button", name="Answer again")).to_be_visible()
    picture(page, "stopped")


def test_the_page_stays_usable_while_the_model_says_nothing(page: Page, served: Ask) -> None:
    page.goto(link(served(Hangs()), q=QUESTION, k=12))
    expect(page.locator(".st-key-stop-answer")).to_be_visible()
    expect(page.locator(TITLES)).to_have_count(12)
    before = titles(page)
    until(page.get_by_text(re.compile("papers, this is 2nd")), page.locator(".paper button.why").nth(1).click)
    page.keyboard.press("Escape")
    open_settings(page)
    page.get_by_test_id("stSidebar").get_by_text("Recent papers", exact=True).click()
    page.wait_for_url(re.compile("wt=0.3"))
    expect(page.get_by_text(MOVED).first).to_be_visible()
    expect(page.locator(TITLES)).not_to_have_text(before)
    expect(page.locator(".st-key-stop-answer")).to_be_visible()

    ask(page, "How do black holes form?")  # another question abandons what is asked about this one
    page.wait_for_url(re.compile("black"))
    expect(page.get_by_role("heading", level=1)).to_have_text("How do black holes form?")
    expect(page.get_by_text("s · waiting for the chat model")).to_be_visible()
    page.locator(".st-key-stop-answer button").click()
    expect(page.get_by_text("Stopped. No answer was written.")).to_be_visible()


def test_two_visitors_do_not_see_each_others_answers(browser: Browser, page: Page, served: Ask) -> None:
    app = served(SLOWLY)
    page.goto(link(app, q=QUESTION, k=6))
    expect(page.get_by_text("word2")).to_be_visible()
    with visitor(browser) as context:
        other = context.new_page()
        other.goto(link(app, q="How do black holes form?"))
        expect(other.locator(".st-key-stop-answer")).to_be_visible()
        other.locator(".st-key-stop-answer button").click()
        expect(other.get_by_text(STOPPED)).to_be_visible()
    expect(page.get_by_text("word30")).to_be_visible()
    page.locator(".st-key-stop-answer button").click()
    expect(page.get_by_text(STOPPED)).to_be_visible()
