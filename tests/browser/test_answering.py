"""Answers of a chat model on the Ask page, in a real browser: as they come, stopped, hostile, and from the chips."""

import contextlib
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from playwright.sync_api import TimeoutError as TooLate

from pathfinder.ui.showcase import SHOWCASE_QUESTIONS
from tests.browser.conftest import Serve
from tests.browser.scripted import scripted
from tests.browser.test_ask import QUESTION, WIDTHS, answered, ask, box, link, open_tab, parameters, titles
from tests.wire import Act, Hangs, Says, Wire

Ask = Callable[..., str]
WARM_UP_MS = 180_000
ASKED = "question => new URLSearchParams(location.search).get('q') === question"
PICTURES = os.environ.get("PATHFINDER_PICTURES")
"""A folder for pictures of what the tests see, for whoever wants to look at it."""


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with Wire(scripted()) as wire:
        yield wire


@pytest.fixture
def served(browser: Browser, serve_app: Serve, golden_corpus: Path, wire: Wire) -> Ask:
    """The app with a chat model that does what it is told to: `served(act, corpus)`.

    One app serves all tests, and it remembers replies: each test asks for another number of papers.
    """

    def start(act: Act, corpus: Path = golden_corpus) -> str:
        app = serve_app(
            corpus,
            PATHFINDER_CHAT_MODEL="openai:scripted",
            PATHFINDER_CHAT_BASE_URL=wire.url,
            OPENAI_API_KEY="k",
        )
        with browser.new_context() as context:  # the first question waits until all is loaded, and no test for that
            first = context.new_page()
            wire.plan[:] = [scripted()]
            first.goto(link(app, q=QUESTION, k=11))
            first.locator('.st-key-answer a[href^="#paper-"]').first.wait_for(timeout=WARM_UP_MS)
            expect(first.locator(".st-key-stop-answer, .st-key-stop-consensus")).to_have_count(0)
        wire.plan[:] = [act]
        return app

    return start


def whole(page: Page) -> None:
    """Wait until nothing runs any more: the answer is there, the kind, and the consensus."""
    answered(page)
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    expect(page.locator(".st-key-stop-answer, .st-key-stop-consensus")).to_have_count(0)


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


# The showcase -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "every"), [(1440, 1), (390, 4)])  # on a phone three of the nine: they look alike
def test_each_showcase_question_is_answered_from_its_chip(
    page: Page, served: Ask, landmarks_corpus: Path, width: int, every: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(served(scripted(), landmarks_corpus))
    answer, said = page.locator(".st-key-answer"), ""
    for n, question in list(enumerate(SHOWCASE_QUESTIONS, start=1))[::every]:
        chip = page.locator(f".st-key-example-{n - 1} button")
        if n > 1 and not chip.is_visible():  # the lid over them is open until something is asked
            page.get_by_text("Examples", exact=True).click()
        press(page, chip, question)
        expect(answer).not_to_have_text(said, use_inner_text=True)
        expect(page.locator('.st-key-answer a[href^="#paper-"]').first).to_be_visible()
        whole(page)
        said = answer.inner_text()
        assert len(titles(page)) == 10
        assert box(page).input_value() == question
        assert page.locator("main [data-testid=stException], main [data-testid=stAlertContentError]").count() == 0
        assert max(page.evaluate(WIDTHS)) <= width
        picture(page, f"showcase-{n}-{width}")


def press(page: Page, chip: Locator, question: str) -> None:
    """Press it until its question is asked: a press while the page is drawn anew is lost."""
    for _ in range(5):
        if chip.is_visible():
            chip.click()
        with contextlib.suppress(TooLate):
            page.wait_for_function(ASKED, arg=question, timeout=10_000)
            return
    pytest.fail(f"the chip of {question!r} asks nothing")


# While a model is slow ----------------------------------------------------------------------------------


def test_words_come_one_by_one_and_a_button_stops_them(page: Page, served: Ask) -> None:
    page.goto(link(served(Says(*(f"word{n} " for n in range(500)), pause=0.2)), q=QUESTION, k=5))
    expect(page.get_by_text("word3")).to_be_visible()
    assert page.get_by_text("word400").count() == 0
    picture(page, "words")
    page.locator(".st-key-stop-answer button").click()
    expect(page.get_by_text("You stopped it.")).to_be_visible()
    expect(page.locator(".st-key-stop-answer, .st-key-stop-consensus")).to_have_count(0)
    said = page.get_by_text(re.compile("^word0 word1")).inner_text()
    page.wait_for_timeout(1000)
    assert page.get_by_text(re.compile("^word0 word1")).inner_text() == said
    expect(page.get_by_role("button", name="Answer again")).to_be_visible()
    picture(page, "stopped")


def test_the_page_stays_usable_while_the_model_says_nothing(page: Page, served: Ask) -> None:
    page.goto(link(served(Hangs()), q=QUESTION, k=9))
    expect(page.locator(".st-key-stop-answer")).to_be_visible()
    before = titles(page)
    assert len(before) == 9
    open_tab(page, "Papers")
    card = page.locator(".st-key-paper-2")
    card.get_by_text("Why here?").click()
    expect(card.get_by_text("Each part is a logarithm")).to_be_visible()
    page.get_by_test_id("stSidebar").get_by_text("Time", exact=True).click()
    page.wait_for_url(re.compile("wt=1"))
    expect(page.get_by_text(re.compile("^[▲▼] [0-9]+$|^new$")).first).to_be_visible()
    assert titles(page) != before
    open_tab(page, "Answer")
    expect(page.locator(".st-key-stop-answer")).to_be_visible()

    ask(page, "How do black holes form?")  # another question abandons what is asked about this one
    page.wait_for_url(re.compile("black"))
    expect(page.get_by_text(re.compile("^[0-4] s · the chat model is asked"))).to_be_visible()
    page.locator(".st-key-stop-answer button").click()
    expect(page.get_by_text("You stopped it. Nothing was said.")).to_be_visible()


def test_two_visitors_do_not_see_each_others_answers(browser: Browser, page: Page, served: Ask) -> None:
    app = served(Says(*(f"word{n} " for n in range(500)), pause=0.2))
    page.goto(link(app, q=QUESTION, k=6))
    expect(page.get_by_text("word2")).to_be_visible()
    with browser.new_context() as context:
        other = context.new_page()
        other.goto(link(app, q="How do black holes form?"))
        expect(other.locator(".st-key-stop-answer")).to_be_visible()
        other.locator(".st-key-stop-answer button").click()
        expect(other.get_by_text("You stopped it.")).to_be_visible()
    expect(page.get_by_text("word30")).to_be_visible()
    page.locator(".st-key-stop-answer button").click()
    expect(page.get_by_text("You stopped it.")).to_be_visible()


# What is said -------------------------------------------------------------------------------------------


def test_a_hostile_answer_is_text(page: Page, served: Ask) -> None:
    hostile = (
        "<img src=x onerror=\"document.title='broken'\"> ![seen](http://x.y/z.png) [click](http://x.y) "
        "<script>document.title='broken'</script> <a href='http://x.y'>go</a> http://x.y/z [k9z9z] [1]."
    )
    page.goto(link(served(Says(hostile)), q=QUESTION, k=7))
    whole(page)
    picture(page, "hostile")
    inside = "[src='x'], [href^='http://x.y'], [src^='http://x.y'], main script, main iframe"
    assert page.locator(f".stMain :is({inside})").count() == 0
    assert page.title() == "Pathfinder"
    assert page.locator('.st-key-answer a[href^="#paper-"]').count() == 0


@pytest.mark.parametrize("way", ["agent", "deep-research", "self-feedback"])
def test_a_way_of_many_steps_shows_them_and_cites_what_it_found(
    page: Page, served: Ask, landmarks_corpus: Path, way: str
) -> None:
    # Of this many papers one leads to others; among the few of the golden corpus the model soon turns in circles.
    page.goto(link(served(scripted(0.01), landmarks_corpus), q=QUESTION, answer=way, k=3, seconds=600))
    open_tab(page, "Trace")
    expect(page.get_by_text(re.compile("Action")).first).to_be_visible()
    open_tab(page, "Answer")
    expect(page.locator('.st-key-answer a[href^="#paper-"]').first).to_be_visible()
    whole(page)
    picture(page, f"{way}-answer")
    last = page.locator('.st-key-answer a[href^="#paper-"]').locator("visible=true").last
    place = last.inner_text()
    last.click()
    expect(page.get_by_role("tab", name="Papers")).to_have_attribute("aria-selected", "true")
    expect(page.locator(f".st-key-paper-{place} strong a").last).to_be_in_viewport()
    open_tab(page, "Trace")
    expect(page.get_by_text(re.compile("Action")).nth(3)).to_be_visible()
    picture(page, f"{way}-trace")


def test_a_trace_that_was_saved_is_opened_again_and_another_file_is_refused(
    page: Page, served: Ask, landmarks_corpus: Path, tmp_path: Path
) -> None:
    app = served(scripted(), landmarks_corpus)
    page.goto(link(app, q=QUESTION, answer="agent", k=4, seconds=600))
    whole(page)
    open_tab(page, "Trace")
    with page.expect_download() as saved:
        page.locator(".st-key-trace-save button").click()
    saved.value.save_as(tmp_path / "trace.json")

    page.goto(link(app, q="How do black holes form?", answer="extractive"))
    answered(page)
    open_tab(page, "Trace")
    page.get_by_text("Open a trace that was saved").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "trace.json")
    expect(page.get_by_text(f"This is the trace of a file. Its question: {QUESTION}")).to_be_visible()
    expect(page.get_by_text(re.compile("Action")).nth(3)).to_be_visible()
    (tmp_path / "other.json").write_text('{"no": "trace"}', encoding="utf-8")
    page.locator("input[type=file]").set_input_files(tmp_path / "other.json")
    expect(page.locator(".st-key-trace-step-0")).to_have_count(0)
    expect(page.get_by_test_id("stAlertContentError")).to_be_visible()


def test_the_consensus_is_told_beside_the_answer(page: Page, served: Ask) -> None:
    page.goto(link(served(scripted()), q=QUESTION))
    whole(page)
    open_tab(page, "Consensus")
    expect(page.get_by_text("6 for it, 2 against it")).to_be_visible()
    picture(page, "consensus")
    page.locator('.st-key-consensus-stances a[href^="#paper-"]').first.click()
    expect(page.get_by_role("tab", name="Papers")).to_have_attribute("aria-selected", "true")


def test_a_follow_up_goes_on_from_what_was_answered(page: Page, served: Ask) -> None:
    page.goto(link(served(scripted()), q=QUESTION, k=8))
    whole(page)
    page.get_by_label("Ask a follow-up").fill("and from lensed quasars?")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_label("What will be searched")).to_have_value(re.compile("from lensed quasars"))
    page.get_by_role("button", name="Search this").click()
    page.wait_for_url(re.compile("lensed"))
    whole(page)
    page.get_by_text("Earlier in this conversation: 1 question").click()
    expect(page.get_by_test_id("stExpander").locator("strong").get_by_text(QUESTION, exact=True)).to_be_visible()
    picture(page, "follow-up")
    ask(page, "How do black holes form?")
    page.wait_for_url(re.compile("black"))
    whole(page)
    expect(page.get_by_text("Earlier in this conversation")).to_have_count(0)


def test_another_way_is_taken_when_it_is_asked_for(page: Page, served: Ask) -> None:
    page.goto(link(served(scripted()), q=QUESTION, k=4))
    whole(page)
    page.get_by_text("How it answers", exact=True).click()
    page.get_by_role("combobox", name="Way").click()
    page.keyboard.type("Sentences")
    expect(page.get_by_role("option")).to_have_text("Sentences of the papers, verbatim")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("answer=extractive"))
    picture(page, "another-way")
    page.get_by_role("button", name="Answer again this way").click()
    expect(page.get_by_text("answer: extractive")).to_be_visible()
    assert parameters(page) == {"q": QUESTION, "k": "4", "answer": "extractive"}
