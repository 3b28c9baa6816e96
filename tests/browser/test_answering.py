"""Answers of a chat model on the Ask page, in a real browser: hostile, in many steps, gone on from, in another way."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.answers import picture, whole
from tests.browser.conftest import CLICKS, PATIENCE_MS, Ask, choose_option, download, until
from tests.browser.scripted import answering, scripted_answers
from tests.browser.test_ask import QUESTION, ask, link, open_line, open_settings, parameters, still, wait_for_answer
from tests.wire import Says


def test_a_hostile_answer_is_text(page: Page, served: Ask) -> None:
    hostile = (
        "<img src=x onerror=\"document.title='broken'\"> ![seen](http://x.y/z.png) [click](http://x.y) "
        "<script>document.title='broken'</script> <a href='http://x.y'>go</a> http://x.y/z [k9z9z] [1]."
    )
    page.goto(link(served(answering(Says(hostile))), q=QUESTION, k=7))
    whole(page)
    picture(page, "hostile")
    inside = "[src='x'], [href^='http://x.y'], [src^='http://x.y'], main script, main iframe"
    assert page.locator(f".stMain :is({inside})").count() == 0
    assert page.title() == "Pathfinder"
    folded = page.locator(".st-key-folded")  # it says nothing that the papers bear out
    folded.get_by_text("What the model wrote").click()
    expect(folded.get_by_text("![seen](http://x.y/z.png)")).to_be_visible()
    assert folded.locator('a[href^="#paper-"]').count() == 0


@pytest.mark.parametrize(
    "way",
    [
        "agent",
        pytest.param(
            "deep-research", marks=pytest.mark.soak
        ),  # without a browser they are tested as often as the agent
        pytest.param("self-feedback", marks=pytest.mark.soak),
    ],
)
def test_a_way_of_many_steps_shows_them_and_cites_what_it_found(
    page: Page, served: Ask, landmarks_corpus: Path, way: str
) -> None:
    # Of this many papers one leads to others; among the few of the golden corpus the model soon turns in circles.
    page.goto(link(served(scripted_answers(0.01), landmarks_corpus), q=QUESTION, answer=way, k=3, seconds=600))
    open_line(page, "how")
    expect(page.get_by_text(re.compile("Action")).first).to_be_visible()
    expect(page.locator('.st-key-answer a[href^="#paper-"]:visible').first).to_be_visible()
    whole(page)
    picture(page, f"{way}-answer")
    page.locator(".st-key-answer a.source:visible").last.click()
    expect(page.get_by_role("dialog").locator("mark")).not_to_be_empty()
    page.keyboard.press("Escape")
    open_line(page, "how")
    expect(page.get_by_text(re.compile("Action")).nth(3)).to_be_visible()
    picture(page, f"{way}-trace")


def test_a_trace_that_was_saved_is_opened_again_and_another_file_is_refused(
    page: Page, served: Ask, landmarks_corpus: Path, tmp_path: Path
) -> None:
    app = served(scripted_answers(), landmarks_corpus)
    page.goto(link(app, q=QUESTION, answer="agent", k=4, seconds=600))
    whole(page)
    open_line(page, "how")
    download(page.locator(".st-key-trace-save button")).save_as(tmp_path / "trace.json")

    page.goto(link(app, q="How do black holes form?", answer="extractive"))
    wait_for_answer(page)
    open_line(page, "how")
    page.get_by_text("Open a saved trace").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "trace.json")
    expect(page.get_by_text(f"This trace comes from a file. Its question: {QUESTION}")).to_be_visible()
    expect(page.get_by_text(re.compile("Action")).nth(3)).to_be_visible()
    still(page)
    (tmp_path / "other.json").write_text('{"no": "trace"}', encoding="utf-8")
    refusal = page.get_by_test_id("stAlertContentError")
    until(refusal, lambda: page.locator("input[type=file]").set_input_files(tmp_path / "other.json"))
    expect(page.locator(".st-key-trace-step-0")).to_have_count(0)


def test_the_consensus_is_told_beside_the_answer(page: Page, served: Ask) -> None:
    page.goto(link(served(scripted_answers()), q=QUESTION))
    whole(page)
    open_line(page, "agreement")
    expect(page.get_by_text("6 for it, 2 against it")).to_be_visible()
    picture(page, "consensus")
    page.locator('.st-key-consensus-stances a[href^="#paper-"]:visible').first.click()
    expect(page.get_by_role("dialog")).to_be_visible()


def test_the_consensus_over_time_is_drawn(page: Page, served: Ask, landmarks_corpus: Path) -> None:
    page.goto(link(served(scripted_answers(), landmarks_corpus), q=QUESTION, k=9))
    whole(page)
    open_line(page, "agreement")
    expect(page.locator(".st-key-consensus-figure")).to_have_count(0)
    page.get_by_text("Over time", exact=True).click()
    figure = page.locator(".st-key-consensus-figure")
    expect(figure.locator(".main-svg").first).to_be_visible()
    expect(page.get_by_role("heading", name="When did the field change its mind?")).to_be_visible()
    curves = figure.locator(".scatterlayer .trace path, .barlayer .trace path")
    expect(curves.filter(visible=True).first).to_be_visible()
    expect(figure.locator("svg text", has_text=re.compile(r"\b(?:19|20)\d\d\b")).first).to_be_attached()
    expect(page.get_by_text(re.compile(r"The \d+ papers read"))).to_be_visible()
    figure.scroll_into_view_if_needed()
    picture(page, "consensus-over-time")


def test_a_follow_up_goes_on_from_what_was_answered(page: Page, served: Ask) -> None:
    page.goto(link(served(scripted_answers()), q=QUESTION, k=8))
    whole(page)
    page.locator(".paper").last.scroll_into_view_if_needed()
    ask(page, "and from lensed quasars?")
    page.wait_for_url(re.compile("lensed"))
    whole(page)
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") == 0
    expect(page.get_by_role("heading", level=1)).to_contain_text("from lensed quasars")
    expect(page.get_by_role("button", name="About the answer before")).to_be_visible()
    page.get_by_text("Earlier in this conversation: 1 question").click()
    expect(page.get_by_test_id("stExpander").locator("strong").get_by_text(QUESTION, exact=True)).to_be_visible()
    picture(page, "follow-up")
    ask(page, "How do black holes form?")
    page.wait_for_url(re.compile("black"))
    whole(page)
    expect(page.get_by_text("Earlier in this conversation")).to_have_count(0)


def test_a_follow_up_is_a_new_question_when_its_chip_is_taken_off(page: Page, served: Ask) -> None:
    page.goto(link(served(scripted_answers()), q=QUESTION, k=9))
    whole(page)
    ask(page, "and how do black holes form?")
    chip = page.get_by_role("button", name="About the answer before")
    alone = page.get_by_role("heading", level=1, name="and how do black holes form?", exact=True)
    until(alone, lambda: chip.click(timeout=PATIENCE_MS / CLICKS))
    whole(page)
    expect(page.get_by_text("Earlier in this conversation")).to_have_count(0)


def test_another_way_is_taken_when_it_is_asked_for(page: Page, served: Ask) -> None:
    page.goto(link(served(scripted_answers()), q=QUESTION, k=4))
    whole(page)
    open_settings(page)
    page.get_by_text("How to search and answer", exact=True).click()
    mode = page.get_by_role("combobox", name="Mode")
    choose_option(page, mode, "Sentences", "Sentences from the papers, verbatim")
    page.wait_for_url(re.compile("answer=extractive"))
    whole(page)
    picture(page, "another-way")
    page.get_by_role("button", name="answer again").click()
    whole(page)
    open_line(page, "how")
    expect(page.get_by_text("answer: extractive")).to_be_visible()
    assert parameters(page) == {"q": QUESTION, "k": "4", "answer": "extractive"}
