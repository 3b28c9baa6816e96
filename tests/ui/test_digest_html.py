import re
from dataclasses import replace
from html.parser import HTMLParser

from pathfinder.types import (
    Digest,
    DigestForm,
    Finding,
    FullTextPassage,
    Insertion,
    NamedThing,
    Paper,
    SectionKind,
    StatedValue,
)
from pathfinder.ui.answer.digest_panel import digest_html, n_lines
from pathfinder.ui.answer.sources import chip

ABSTRACT = "It is 73.04 km/s/Mpc. We used SKIRT & <b>HYPERION</b>."
RIESS = Paper("riess", "A Value", ABSTRACT, authors=("Riess, A.",), year=2022)
FIRST = Finding("riess", ABSTRACT[:21], 0, 21)
SECOND = Finding("riess", ABSTRACT[22:], 22, len(ABSTRACT))
NUMBERS = {"riess": (2, RIESS)}


def value(number: float, plus: float | None, minus: float | None, limit: str | None = None) -> StatedValue:
    return StatedValue("riess", "H_0", number, plus, minus, "km/s/Mpc", limit, "SH0ES", 6, 20)


def visible(written: str) -> str:
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]*>", "", written, flags=re.DOTALL).split())


def test_a_line_names_first_author_and_year_and_leads_to_the_card() -> None:
    written = digest_html(Digest(DigestForm.FINDINGS, "", (FIRST,)), 0, 8, NUMBERS)
    assert visible(written) == "It is 73.04 km/s/Mpc. Riess 2022, abstract"
    assert 'href="#paper-2"' in written


def test_what_was_inserted_stands_in_brackets_at_its_place() -> None:
    finding = Finding("riess", FIRST.sentence, 0, 21, (Insertion(0, "the Hubble constant: "), Insertion(21, " (1)")))
    written = digest_html(Digest(DigestForm.FINDINGS, "", (finding,)), 0, 8, NUMBERS)
    assert visible(written).startswith("[the Hubble constant:] It is 73.04 km/s/Mpc. [(1)]")


def test_words_of_a_passage_that_match_the_question_are_marked() -> None:
    finding = replace(FIRST, marked=((0, 2), (6, 11)))
    written = digest_html(Digest(DigestForm.FINDINGS, "", (finding,)), 0, 8, NUMBERS)
    assert "<mark>It</mark> is <mark>73.04</mark> km/s/Mpc." in written


def test_rows_of_a_table_stand_below_each_other() -> None:
    finding = replace(FIRST, sentence="| Star HD 1 | Mass 1. | Star HD 2 | Mass 3.")
    written = digest_html(Digest(DigestForm.FINDINGS, "", (finding,)), 0, 8, NUMBERS)
    assert "| Star HD 1 | Mass 1.<br>| Star HD 2 | Mass 3." in written


def test_no_markup_of_a_paper_is_active() -> None:
    for form in DigestForm:
        assert "<b>" not in digest_html(Digest(form, "", (SECOND,)), 0, 8, NUMBERS)


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
    written = digest_html(digest, 0, 8, NUMBERS)
    assert visible(written) == "73.04 ± 1.04 km/s/Mpc H_0 of SH0ES Riess 2022, abstract"
    assert 'href="#paper-2" data-quote="2-0"' in written


def test_a_summary_is_called_one_wherever_it_is_quoted() -> None:
    numbers = {"riess": (2, replace(RIESS, is_summary=True))}
    assert visible(digest_html(Digest(DigestForm.FACT, "", (FIRST,)), 0, 8, numbers)).endswith("Riess 2022, summary")
    assert replace(RIESS, is_summary=True).quoted("It is 73.") == "It is 73. (summary)"
    assert RIESS.quoted("It is 73.") == "“It is 73.” (abstract)"
    assert replace(RIESS, is_summary=True).quoted("It is 73.", "2. Data, page 3") == "“It is 73.” (2. Data, page 3)"


def test_a_retracted_paper_and_a_preprint_are_said_to_be_so() -> None:
    paper = replace(RIESS, status="retracted", status_from="openalex", refereed=False)
    written = visible(digest_html(Digest(DigestForm.FACT, "", (FIRST,)), 0, 8, {"riess": (1, paper)}))
    assert written.endswith("Riess 2022, abstract retracted, says openalex not peer reviewed")


def test_a_name_stands_once_with_all_its_papers() -> None:
    other = Paper("camps", "SKIRT", "SKIRT is a code.", authors=("Camps, P.",), year=2015)
    findings = (SECOND, Finding("camps", other.abstract, 0, len(other.abstract)))
    named = (NamedThing("SKIRT", "code", "riess", 30, 35), NamedThing("SKIRT", "code", "camps", 0, 5))
    digest = Digest(DigestForm.LIST, "", findings, named=named)
    written = visible(digest_html(digest, 0, 8, {**NUMBERS, "camps": (1, other)}))
    assert n_lines(digest) == 1
    assert written == "SKIRT (code) Riess 2022, abstract Camps 2015, abstract"


def test_a_name_that_only_the_title_has_is_said_to_be_from_there() -> None:
    digest = Digest(DigestForm.LIST, "", (SECOND,), named=(NamedThing("SKIRT", "code", "riess", 0, 0),))
    assert visible(digest_html(digest, 0, 8, NUMBERS)).startswith("SKIRT (code, named in the title)")


def test_a_paper_that_is_no_source_is_named_by_its_id() -> None:
    assert visible(digest_html(Digest(DigestForm.FACT, "", (FIRST,)), 0, 8, {})).endswith(
        "riess: not among the sources"
    )
