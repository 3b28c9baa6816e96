"""The whole Ask flow in a browser, over the proxy: every way of answering, and a key typed for one visit."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Serve, until
from tests.browser.test_ask import ask, open_line, still
from tests_wire.conftest import KEY, QUESTION

PATIENCE_MS = 240_000
expect.set_options(timeout=PATIENCE_MS)
N_SEARCHES = 4
SECRETS = """
PATHFINDER_CHAT_MODEL = "openai:scripted"
PATHFINDER_CHAT_BASE_URL = "{proxy}"
OPENAI_API_KEY = "{key}"
PATHFINDER_CHAT_PRICE_IN = 0.15
PATHFINDER_CHAT_PRICE_OUT = 0.6
"""
ACTION = re.compile(r"\d+\. Action.*\n+(?:(?i:edit)\n+)*(.+)")
"""An action of a trace, and the line that says what was done: a question, or the call of a tool with one. Between them
may stand a button and the name of its icon."""
CITED_SENTENCE = re.compile(r"^(.*\w.*?)\W*\[\d", re.MULTILINE)
"""A line of an answer up to its first mark."""

Shot = Callable[[Page, str], None]


@pytest.fixture
def apps(serve_app: Serve, corpora: tuple[Path, Path], proxy: str) -> list[str]:
    """The app on each corpus, with the proxy as its chat model: what `.streamlit/secrets.toml` says is its settings."""
    return [serve_app(corpus, SECRETS.format(proxy=proxy, key=KEY)) for corpus in corpora]


def answer_text(page: Page) -> str:
    """The words of the answer with its marks, once it is there."""
    answer = page.locator(".st-key-answer")
    expect(answer.locator('a[href^="#paper-"]:visible').first).to_be_visible()
    still(page)
    if (whole := answer.get_by_text("Full text", exact=True)).count():
        until(answer.locator("details[open]"), whole.click)
    return answer.inner_text()


def run(page: Page, app: str, way: str) -> tuple[str, set[str]]:
    """The answer that a way gives, and what was searched for it beside the question."""
    page.goto(f"{app}/?{urlencode({'q': QUESTION, 'k': 3, 'answer': way})}")
    words = answer_text(page)
    open_line(page, "how")
    if way != "rag":
        expect(page.get_by_text(re.compile(r"\d+\. Action")).nth(N_SEARCHES - 1)).to_be_visible()
    actions = ACTION.findall(page.locator(".st-key-how").inner_text())
    return words, {action for action in actions if QUESTION not in action}


def test_an_answer_from_the_papers_comes_over_the_proxy_and_says_what_it_took(
    page: Page, apps: list[str], shot: Shot
) -> None:
    words, searched = run(page, apps[0], "rag")
    assert re.search(r"\[1\]", words)
    assert searched == set()
    calls = page.get_by_text(re.compile(r"^\d+ calls? to a chat model: [\d,]+ tokens, [\d.]+ s, (below )?\$"))
    expect(calls).to_be_visible()
    open_line(page, "calls")
    expect(page.get_by_role("cell", name="openai:scripted").first).to_be_visible()
    shot(page, "answer")
    open_line(page, "agreement")
    expect(page.locator('.st-key-consensus-stances a[href^="#paper-"]:visible')).to_have_count(3)
    shot(page, "consensus")


@pytest.mark.parametrize("way", ["agent", "deep-research", "self-feedback"])
def test_what_is_found_in_four_searches_decides_what_is_searched_and_said(
    page: Page, apps: list[str], way: str, shot: Shot
) -> None:
    words, searched = run(page, apps[0], way)
    shot(page, f"{way}-trace")
    assert len(searched) >= N_SEARCHES
    other_words, searched_there = run(page, apps[1], way)
    assert len(searched_there) >= N_SEARCHES
    assert not searched & searched_there
    assert CITED_SENTENCE.findall(words)
    assert not set(CITED_SENTENCE.findall(words)) & set(CITED_SENTENCE.findall(other_words))


def test_a_key_typed_for_one_visit_is_used_and_is_nowhere_to_be_seen(
    page: Page, serve_app: Serve, corpora: tuple[Path, Path], proxy: str, shot: Shot
) -> None:
    page.goto(serve_app(corpora[0], PATHFINDER_VISITORS_CHOOSE_ADDRESSES="true"))
    expect(page.locator(".js-plotly-plot")).to_be_visible()  # what is opened before the page is whole closes again
    still(page)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarUserContent").get_by_text("How to search and answer", exact=True).click()
    group = page.locator(".st-key-to-search details")
    expect(group).to_have_attribute("open", "")
    still(page)  # what is in the group is drawn when it is opened
    # What is opened beside a group that is still unfolding is left where that was; one drawn again has ended.
    group.evaluate("group => Promise.allSettled(group.getAnimations({subtree: true}).map(each => each.finished))")
    page.get_by_text("Your own chat model").click()
    expect(page.get_by_role("textbox", name="Model", exact=True)).to_be_visible()
    for label, text in (("Model", "openai:scripted"), ("Key", KEY), ("Address", proxy)):
        page.get_by_role("textbox", name=label, exact=True).fill(text)
    shot(page, "key-typed")
    page.get_by_role("button", name="Use for this visit").click()
    expect(page.get_by_text("Your own chat model: openai:scripted")).to_be_visible()
    ask(page, QUESTION)
    answer_text(page)
    expect(page.locator(".st-key-how")).to_contain_text("openai:scripted")
    shot(page, "key-used")
    assert KEY not in page.content()
    assert KEY not in page.url
    page.reload()
    answer_text(page)
    expect(page.locator(".st-key-how")).to_contain_text("no chat model")
