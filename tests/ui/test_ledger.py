"""The ledger and the Check page as Streamlit runs them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.assessment.evidence.ledger import check_text, source_of
from pathfinder.types import Paper, Source, Verdict
from pathfinder.ui.answer.ledger import ledger_html, summary, written_html
from tests.places import page_at
from tests.ui.test_pages import page_text, ran

HOSTILE = '<img src=x onerror=alert(1)> [a](http://x.example) "><script>'


@pytest.fixture
def page() -> AppTest:
    return ran(page_at("lab", trial="check").run())


def ledger_text(page: AppTest) -> str:
    return "".join(element.proto.body for element in page.get("html"))


def test_nothing_that_a_text_or_a_source_holds_is_a_tag():
    ledger = check_text(f"Gas cools {HOSTILE} slowly [1].", [Source("1", HOSTILE, f"Gas cools {HOSTILE} slowly.")])
    paper = Paper("1", HOSTILE, f"Gas cools {HOSTILE} slowly.", authors=(HOSTILE,), status=HOSTILE)
    for html in (
        ledger_html(ledger.sentences, {"1": "1"}, {"1": HOSTILE}),
        written_html(ledger, "Gas cools", {"1": (1, paper)}),
    ):
        assert set(re.findall(r"</?([a-z]+)", html)) <= set("div details summary span a br small em p".split())
        assert re.findall(r"href=\"([^\"]*)\"", html) == ["#paper-1"] * html.count("<a ")


def test_a_sentence_leads_to_the_one_that_bears_it_out_and_says_if_none_does():
    paper = Paper("1", "", "Gas cools in halos.", authors=("Rees, M.",), year=1977)
    ledger = check_text("Gas cools in halos [1]. Comets lose water [1]. Stars form.", [source_of(paper)])
    html = written_html(ledger, "Gas cools in halos [1].\n\nComets lose water [1]. Stars form.", {"1": (4, paper)})
    first, second = html.split("</p>")[:2]
    assert 'href="#paper-4" data-quote="4-0"' in first
    assert "caution" not in first
    assert "only partly in its source" in second
    assert second.endswith('<span class="caution">names no source</span> ')


def test_the_sums_are_told_in_one_line():
    ledger = check_text("Gas cools in halos [1].", [Source("1", "", "Gas cools in halos.")])
    expected = "✓ 1 supported · citation precision 1.00 · citation recall 1.00 · citation F1 1.00"
    assert summary(ledger) == expected


def test_a_text_without_sources_is_told(page: AppTest):
    page.text_area(key="check-sources").set_value("")
    ran(page.text_area(key="check-text").set_value("Gas cools [1].").run())
    assert "must begin with a mark" in page_text(page)


def test_a_text_with_a_word_that_the_server_refuses_is_not_checked(
    page: AppTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    words = tmp_path / "words.txt"
    words.write_text("aliens", encoding="utf-8")
    monkeypatch.setenv("PATHFINDER_MODERATION", "words")
    monkeypatch.setenv("PATHFINDER_MODERATION_WORDS", str(words))
    page.text_area(key="check-sources").set_value("[1] Gas and aliens cool.")
    ran(page.text_area(key="check-text").set_value("Aliens cool [1].").run())
    assert "that contain 'aliens'" in page_text(page)
    assert ledger_text(page) == ""
    ran(page.text_area(key="check-text").set_value("Gas cools [1].").run())
    assert ledger_text(page).count("<details") == 1


def test_the_example_is_checked_and_what_is_not_supported_can_be_hidden(page: AppTest):
    assert ledger_text(page).count("<details") == 3
    assert "67.4 km/s/Mpc in the source" in ledger_text(page)
    ran(page.toggle(key="ledger-hide-text").set_value(True).run())
    assert ledger_text(page).count("<details") == 1
    assert "2 of 3 sentences are hidden." in page_text(page)


def test_on_how_many_sentences_a_second_judge_agrees_is_told_beside_the_sums():
    ledger = check_text("Gas cools in halos [1]. Comets lose water [1].", [Source("1", "", "Gas cools in halos.")])
    judged = [replace(sentence, second_verdict=Verdict.SUPPORTED) for sentence in ledger.sentences]
    assert summary(replace(ledger, sentences=tuple(judged))).endswith("chat model agrees on 1 of 2")
    assert "chat model: supported" in ledger_html(judged, {}, {})
