import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pathfinder.answering.assessment.evidence.ledger import check_text, source_of
from pathfinder.types import (
    Digest,
    DigestForm,
    Finding,
    FullTextPassage,
    Insertion,
    NamedThing,
    Paper,
    SectionKind,
    Source,
    StatedValue,
    Verdict,
)
from pathfinder.ui.answer.digest_panel import digest_html, digest_lines
from pathfinder.ui.answer.ledger import ledger_html, summary, written_html
from pathfinder.ui.answer.sources import Numbered, chip
from tests.places import page_at
from tests.ui.test_pages import Open, page_text, ran


def test_one_choice_changes_the_form_and_the_link_keeps_it(ask: Open) -> None:
    page = ask(q="What is the value of the Hubble constant?", k="5")
    assert "As values" in {menu.proto.label for menu in page.get("menu_button")}
    form = page.session_state["form"]
    page.session_state["form"] = replace(form, answering=replace(form.answering, form=DigestForm.SIDES))
    ran(page.run())
    written = "".join(part.proto.body for part in page.get("html"))
    assert 'class="sides"' in written
    assert page.query_params["form"] in ("sides", ["sides"])


def test_that_nothing_answers_is_said_with_the_answer() -> None:
    def weak() -> None:
        from pathfinder.profile import astronomy
        from pathfinder.types import Answer, Digest, DigestForm, Finding
        from pathfinder.ui.answer import digest_panel

        digest = Digest(DigestForm.VALUES, "asked for", (Finding("p", "It is cold.", 0, 11),), is_weak=True)
        digest_panel.lines(Answer("?", "", (), False, (), digest=digest), digest, astronomy())

    page = AppTest.from_function(weak).run()
    assert not page.exception
    written = "".join(part.proto.body for part in page.get("html"))
    assert written.index("No sentence of the papers found answers the question") < written.index("It is cold.")


def test_values_are_summed_up_and_two_that_do_not_fit_together_are_named() -> None:
    def values() -> None:
        from pathfinder.profile import astronomy
        from pathfinder.types import Answer, Digest, DigestForm, Finding, Paper, StatedValue
        from pathfinder.ui.answer import digest_panel

        texts = {"riess": ("It is 73.04 km/s/Mpc.", 2022, 50), "planck": ("It is 67.4 km/s/Mpc.", 2020, 900)}
        papers = tuple(
            Paper(name, name, text, authors=(f"{name.title()}, A.",), year=year, citation_count=n)
            for name, (text, year, n) in texts.items()
        )
        stated = (("riess", 73.04, 1.04), ("planck", 67.4, 0.5))
        values = tuple(StatedValue(p, "H0", v, e, e, "km/s/Mpc", None, None, 6, 10) for p, v, e in stated)
        findings = tuple(Finding(name, text, 0, len(text)) for name, (text, _, _) in texts.items())
        digest = Digest(DigestForm.VALUES, "asked for", findings, values=values)
        answer = Answer("What is the Hubble constant?", "", (), False, (), sources=papers, digest=digest)
        digest_panel.lines(answer, digest, astronomy())
        digest_panel.values_panel(answer, digest)
        digest_panel.values_files(answer, digest)

    page = AppTest.from_function(values).run()
    assert not page.exception
    written = re.sub(r"<style>.*?</style>|<[^>]*>", " ", page.get("html")[0].proto.body, flags=re.DOTALL).replace(
        "&nbsp;", " "
    )
    assert re.findall(r"Newest|Most cited|Since 2020|[\d.]+ ± [\d.]+|67.4 to 73.04", written) == [
        *("Newest", "73.04 ± 1.04", "Most cited", "67.4 ± 0.5", "Since 2020", "67.4 to 73.04"),
        *("67.4 ± 0.5", "73.04 ± 1.04"),
    ]
    assert (
        "67.4 ± 0.5 Planck 2020 , abstract and 73.04 ± 1.04 Riess 2022 , abstract do not fit together (4.9 sigma)"
        in " ".join(written.split())
    )
    assert [button.proto.label for button in page.get("download_button")] == [
        "Values as CSV",
        "Plot as SVG",
        "Plot as PNG",
        "Plot as a web page",
    ]


def test_an_old_newest_value_carries_its_year_and_values_of_different_things_are_not_summed_up() -> None:
    def values() -> None:
        from pathfinder.profile import astronomy
        from pathfinder.types import Answer, Digest, DigestForm, Finding, Paper, StatedValue, ValueAge
        from pathfinder.ui.answer import digest_panel

        papers = tuple(Paper(name, name, "It is so.", year=1925) for name in ("a", "b"))
        findings = tuple(Finding(paper.paper_id, "It is so.", 0, 9) for paper in papers)

        for question, numbers in (("How far away is M31?", (285.0, 450.0)), ("How far is a galaxy?", (1.0, 900.0))):
            stated = zip("ab", numbers, strict=True)
            values = tuple(StatedValue(p, "distance", v, None, None, "kpc", None, None, 3, 5) for p, v in stated)
            age = ValueAge(1925, 2024)
            digest = Digest(DigestForm.VALUES, "asked for", findings, values=values, value_age=age)
            answer = Answer(question, "", (), False, (), sources=papers, digest=digest)
            digest_panel.lines(answer, digest, astronomy())

    page = AppTest.from_function(values).run()
    assert not page.exception
    age, summed_up, _, listed = (visible(block.proto.body) for block in page.get("html"))
    assert "1925" in age
    assert "of 1925" in summed_up
    assert "Newest" not in listed
    assert "900 kpc It is so." in listed


def test_values_of_papers_without_years_are_listed_and_not_plotted() -> None:
    def values() -> None:
        from pathfinder.profile import astronomy
        from pathfinder.types import Answer, Digest, DigestForm, Finding, Paper, StatedValue
        from pathfinder.ui.answer import digest_panel

        texts = {"riess": ("It is 73.04 km/s/Mpc.", 73.04), "planck": ("It is 67.4 km/s/Mpc.", 67.4)}
        papers = tuple(Paper(name, name, text) for name, (text, _) in texts.items())
        values = tuple(
            StatedValue(name, "H0", value, 1.0, 1.0, "km/s/Mpc", None, None, 6, 10)
            for name, (_, value) in texts.items()
        )
        findings = tuple(Finding(name, text, 0, len(text)) for name, (text, _) in texts.items())
        digest = Digest(DigestForm.VALUES, "asked for", findings, values=values)
        answer = Answer("What is the Hubble constant?", "", (), False, (), sources=papers, digest=digest)
        digest_panel.lines(answer, digest, astronomy())
        digest_panel.values_panel(answer, digest)

    page = AppTest.from_function(values).run()
    assert not page.exception
    written = "".join(part.proto.body for part in page.get("html"))
    assert re.findall(r"[\d.]+ ± 1", written) == ["73.04 ± 1", "67.4 ± 1"]
    assert not page.get("plotly_chart")


ABSTRACT = "It is 73.04 km/s/Mpc. We used SKIRT & <b>HYPERION</b>."
RIESS = Paper("riess", "A Value", ABSTRACT, authors=("Riess, A.",), year=2022)
FIRST = Finding("riess", ABSTRACT[:21], 0, 21)
SECOND = Finding("riess", ABSTRACT[22:], 22, len(ABSTRACT))
NUMBERS = {"riess": (2, RIESS)}


def value(number: float, plus: float | None, minus: float | None, limit: str | None = None) -> StatedValue:
    return StatedValue("riess", "H_0", number, plus, minus, "km/s/Mpc", limit, "SH0ES", 6, 20)


def html_of(digest: Digest, numbers: Numbered = NUMBERS) -> str:
    return digest_html(digest, digest_lines(digest, numbers))


def visible(written: str) -> str:
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", "", written, flags=re.DOTALL).split())


def test_a_line_names_first_author_and_year_and_leads_to_the_card() -> None:
    written = html_of(Digest(DigestForm.FINDINGS, "", (FIRST,)))
    assert visible(written) == "It is 73.04 km/s/Mpc. Riess 2022, abstract"
    assert 'href="#paper-2"' in written


def test_what_was_inserted_stands_in_brackets_at_its_place() -> None:
    finding = Finding("riess", FIRST.sentence, 0, 21, (Insertion(0, "the Hubble constant: "), Insertion(21, " (1)")))
    written = html_of(Digest(DigestForm.FINDINGS, "", (finding,)))
    assert visible(written).startswith("[the Hubble constant:] It is 73.04 km/s/Mpc. [(1)]")


def test_words_of_a_passage_that_match_the_question_are_marked() -> None:
    finding = replace(FIRST, marked=((0, 2), (6, 11)))
    written = html_of(Digest(DigestForm.FINDINGS, "", (finding,)))
    assert "<mark>It</mark> is <mark>73.04</mark> km/s/Mpc." in written


def test_rows_of_a_table_stand_below_each_other() -> None:
    finding = replace(FIRST, sentence="| Star HD 1 | Mass 1. | Star HD 2 | Mass 3.")
    written = html_of(Digest(DigestForm.FINDINGS, "", (finding,)))
    assert "| Star HD 1 | Mass 1.<br>| Star HD 2 | Mass 3." in written


def test_no_markup_of_a_paper_is_active() -> None:
    for form in DigestForm:
        assert "<b>" not in html_of(Digest(form, "", (SECOND,)))


def test_no_heading_of_a_full_text_leaves_the_attribute_that_names_its_sentence() -> None:
    heading = '2. "><img src=x onerror=alert(1)>'
    passage = FullTextPassage(ABSTRACT, heading, SectionKind.METHOD, None, 0, 0, 0, 0, len(ABSTRACT))
    links: list[dict[str, str | None]] = []
    parser = HTMLParser()
    parser.handle_starttag = lambda tag, attributes: links.append({"tag": tag, **dict(attributes)})
    parser.feed(chip("riess", NUMBERS, 0, passage))
    assert [link["tag"] for link in links] == ["a", "small"]
    assert links[0]["data-quote"] == f"2-{passage.address}-0"


def test_a_value_leads_to_the_sentence_that_states_it() -> None:
    digest = Digest(DigestForm.VALUES, "", (FIRST, SECOND), (value(73.04, 1.04, 1.04),))
    written = html_of(digest)
    assert visible(written) == "73.04 ± 1.04 km/s/Mpc H_0 of SH0ES Riess 2022, abstract"
    assert 'href="#paper-2" data-quote="2-0"' in written


def test_a_summary_is_called_one_wherever_it_is_quoted() -> None:
    numbers = {"riess": (2, replace(RIESS, is_summary=True))}
    assert visible(html_of(Digest(DigestForm.FACT, "", (FIRST,)), numbers)).endswith("Riess 2022, summary")
    assert replace(RIESS, is_summary=True).quoted("It is 73.") == "It is 73. (summary)"
    assert RIESS.quoted("It is 73.") == "“It is 73.” (abstract)"
    assert replace(RIESS, is_summary=True).quoted("It is 73.", "2. Data, page 3") == "“It is 73.” (2. Data, page 3)"


def test_a_retracted_paper_and_a_preprint_are_said_to_be_so() -> None:
    paper = replace(RIESS, status="retracted", status_from="openalex", refereed=False)
    written = visible(html_of(Digest(DigestForm.FACT, "", (FIRST,)), {"riess": (1, paper)}))
    assert written.endswith("Riess 2022, abstract retracted, says openalex not peer reviewed")


def test_a_name_stands_once_with_all_its_papers() -> None:
    other = Paper("camps", "SKIRT", "SKIRT is a code.", authors=("Camps, P.",), year=2015)
    findings = (SECOND, Finding("camps", other.abstract, 0, len(other.abstract)))
    named = (NamedThing("SKIRT", "code", "riess", 30, 35), NamedThing("SKIRT", "code", "camps", 0, 5))
    digest = Digest(DigestForm.LIST, "", findings, named=named)
    written = visible(html_of(digest, {**NUMBERS, "camps": (1, other)}))
    assert len(digest_lines(digest, NUMBERS)) == 1
    assert written == "SKIRT (code) Riess 2022, abstract Camps 2015, abstract"


def test_a_name_that_only_the_title_has_is_said_to_be_from_there() -> None:
    digest = Digest(DigestForm.LIST, "", (SECOND,), named=(NamedThing("SKIRT", "code", "riess", 0, 0),))
    assert visible(html_of(digest)).startswith("SKIRT (code, named in the title)")


def test_a_paper_that_is_no_source_is_named_by_its_id() -> None:
    assert visible(html_of(Digest(DigestForm.FACT, "", (FIRST,)), {})).endswith("riess: not among the sources")


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
    expected = "✓ 1 supported · 100% of the citations support their sentence · 100% of the sentences have that support"
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
