"""Headings of clusters: phrases that papers share."""

from dataclasses import replace

import pytest

from pathfinder.answering.digest.digest import headings_of, order_by_group
from pathfinder.answering.digest.lines import Excerpt
from pathfinder.profile import astronomy
from pathfinder.profile.profile import Names
from pathfinder.types import Paper

QUESTION = "How do stars form?"


def headings(*papers, question=QUESTION):
    """Return the heading of each of `papers`, each written as a sentence and its keywords."""
    lines = [
        Excerpt(Paper(str(n), f"Title {n}", sentence, keywords=keywords), 0, len(sentence), 0.5, 0.5)
        for n, (sentence, *keywords) in enumerate(papers)
    ]
    return headings_of(question, lines)


def of_two_kinds(phrase, keyword):
    """Return two papers whose sentence has `phrase` and two whose sentence does not, all with `keyword`."""
    return headings(
        (f"They grow by {phrase} alone.", keyword),
        (f"We follow {phrase} for long.", keyword),
        ("Winds blow the rest away.", keyword),
        ("Nothing is left in the end.", keyword),
    )


def test_a_phrase_that_two_of_four_lines_share_is_their_heading():
    assert of_two_kinds("cold streams", "cold streams") == ["Cold streams", "Cold streams", None, None]


def test_the_end_of_a_long_keyword_is_a_heading_too():
    assert of_two_kinds("molecular clouds", "nearby giant molecular clouds")[0] == "Molecular clouds"


@pytest.mark.parametrize(
    "phrase",
    [
        "mass",  # a single word says too little
        "gas",
        "young stars",  # so do words that are in every paper
        "solar masses",
        "Jupiter masses",  # a unit
        "star formation",  # repeats the question
        "30 parsecs",
    ],
)
def test_words_that_say_nothing_are_no_heading(phrase):
    assert of_two_kinds(phrase, phrase) == [None] * 4


def test_the_words_that_name_nothing_on_their_own_are_those_of_the_field():
    papers = [("They grow in young galaxies alone.", "young galaxies")] * 2 + [("Winds blow.", "winds")] * 2
    lines = [
        Excerpt(Paper(str(n), "A title", sentence, keywords=(keyword,)), 0, len(sentence), 0.5, 0.5)
        for n, (sentence, keyword) in enumerate(papers)
    ]
    elsewhere = replace(astronomy(), names=Names())
    assert headings_of(QUESTION, lines) == [None] * 4
    assert headings_of(QUESTION, lines, elsewhere) == ["Young galaxies", "Young galaxies", None, None]


def test_a_keyword_that_stands_in_one_line_and_elsewhere_in_another_abstract_is_their_heading():
    texts = ["Cold streams grow.", "We follow them.", "Winds blow the rest away.", "Nothing is left in the end."]
    lines = [
        Excerpt(Paper(str(n), "A title", f"{text} {more}", keywords=("cold streams",)), 0, len(text), 0.5, 0.5)
        for n, (text, more) in enumerate(zip(texts, ["They feed it.", "See cold streams.", "", ""], strict=True))
    ]
    assert headings_of(QUESTION, lines) == ["Cold streams", "Cold streams", None, None]


def test_an_author_is_no_heading_and_neither_is_a_keyword_that_no_line_has():
    texts = ["Frank Shu tried it.", "As Frank Shu said, it falls.", "Winds blow.", "Nothing is left."]
    papers = [
        Paper(
            str(n), "A title", f"{text} See cold streams.", authors=("Shu, F.",), keywords=("Frank Shu", "cold streams")
        )
        for n, text in enumerate(texts)
    ]
    lines = [Excerpt(paper, 0, len(text), 0.5, 0.5) for paper, text in zip(papers, texts, strict=True)]
    assert headings_of(QUESTION, lines) == [None] * 4


def test_the_first_line_stays_the_first_without_a_heading():
    assert order_by_group([None, "Cold streams", None, "Cold streams"]) == [0, 1, 3, 2]


def test_a_phrase_of_all_lines_is_no_heading():
    papers = [(f"Cold streams feed it, as case {n} shows.", "cold streams") for n in range(4)]
    assert headings(*papers) == [None] * 4


def test_the_words_of_a_heading_follow_each_other():
    assert headings(
        ("Cold gas falls in streams.", "cold streams"),
        ("Streams of gas stay cold.", "cold streams"),
        ("Winds blow.", "winds"),
        ("Nothing is left.", "rest"),
    ) == [None] * 4  # fmt: skip
