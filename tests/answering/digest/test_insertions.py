"""Insertions that make a quotation complete."""

import pytest

from pathfinder.answering.digest.excerpts import insertions_for
from pathfinder.types import Paper


def complete(abstract, sentence, **fields):
    """Return `sentence` of a paper with `abstract`, with each insertion in square brackets."""
    paper = Paper("p", "T", abstract, **fields)
    start = abstract.index(sentence)
    text = sentence
    for insertion in reversed(insertions_for(paper, start, start + len(sentence))):
        text = f"{text[: insertion.position]} [{insertion.text.strip()}]{text[insertion.position :]}"
    return text


@pytest.mark.parametrize(
    ("authors", "names"),
    [
        (("Riess, Adam G.", "Yuan, Wenlong", "Macri, Lucas"), "We [Riess and others] find"),
        (("Riess, Adam G.", "Yuan, Wenlong"), "We [Riess & Yuan] find"),
        (("Edwin Hubble",), "We [Hubble] find"),
        ((), "We find"),
    ],
)
def test_we_are_the_authors(authors, names):
    assert complete("We find a high rate.", "We find a high rate.", authors=authors) == f"{names} a high rate."


@pytest.mark.parametrize(
    "sentence",
    [
        "How deep into the Sun we see depends on the colour.",
        "Most of the matter lies outside the part we photograph.",
        "Which universe do we live in?",
    ],
)
def test_people_at_large_are_not_the_authors(sentence):
    assert complete(sentence, sentence, authors=("Wildt, R.",)) == sentence


@pytest.mark.parametrize(
    ("before", "sentence", "expected"),
    [
        ("A team calibrates 42 supernovae.", "They obtain 73 km/s/Mpc.", "They [Riess & Yuan] obtain 73 km/s/Mpc."),
        ("A team adds masers.", "For each they ask why.", "For each they [Riess & Yuan] ask why."),
        ("Old and new stars differ.", "They show lines of iron.", None),  # stars do that too
        ("Allan Sandage and Gustav Tammann took 50.", "They found a slow rate.", None),
        ("We observe clusters.", "They found a slow rate.", None),  # the authors call themselves "we"
        ("Other groups had long argued.", "They found a slow rate.", None),
    ],
)
def test_they_are_the_authors_only_if_nobody_else_may_be_meant(before, sentence, expected):
    authors = ("Riess, Adam G.", "Yuan, Wenlong")
    assert complete(f"{before} {sentence}", sentence, authors=authors) == (expected or sentence)


def test_an_abbreviation_is_written_out_as_its_paper_does():
    abstract = "We follow the common envelope (CE) of binaries. The CE is ejected in a year."
    assert complete(abstract, "The CE is ejected in a year.") == "The CE [common envelope] is ejected in a year."
    assert "[" not in complete(abstract, "We follow the common envelope (CE) of binaries.")
    again = f"{abstract} The common envelopes (CE) differ. A common envelope (CE) is rare."
    assert complete(again, "The CE is ejected in a year.") == "The CE [common envelope] is ejected in a year."
    assert "[" not in complete(again, "The common envelopes (CE) differ.")


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Gout was rare (RR 1.04).", "Gout was rare (RR [risk ratio] 1.04)."),
        ("The RR of gout fell.", "The RR [risk ratios] of gout fell."),
    ],
)
def test_a_long_form_in_the_plural_is_given_in_the_singular_before_one_value(sentence, expected):
    assert complete(f"We computed risk ratios (RR) of all towns. {sentence}", sentence) == expected
