"""Insertions that make a quotation complete."""

import pytest

from pathfinder.answering.digest.insertions import insertions_for, long_form
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


THREE = ("Riess, Adam G.", "Yuan, Wenlong", "Macri, Lucas")


@pytest.mark.parametrize(
    ("before", "sentence", "expected"),
    [
        ("They calibrate 42 supernovae.", "They obtain 73 km/s/Mpc.", "They [Riess and others] obtain 73 km/s/Mpc."),
        ("Adam Riess's team adds masers.", "For each they ask why.", "For each they [Riess and others] ask why."),
        ("Riess and colleagues add 40.", "They find 73.", "They [Riess and others] find 73."),
        ("The tip was faint.", "The authors find 73.", "The authors [Riess and others] find 73."),
        ("Old and new stars differ.", "They show lines of iron.", None),  # stars do that too
        ("Allan Sandage and Gustav Tammann took 50.", "They found a slow rate.", None),  # two others since
        ("We observe clusters.", "They found a slow rate.", None),  # the authors call themselves "we"
        ("Astronomers had long argued.", "They found a slow rate.", None),
        ("In a recent publication of theirs,", "the authors find 50.", None),
        ("Counts are easy.", "It is hard to know what they measured.", None),
    ],
)
def test_they_are_the_authors_only_if_nobody_else_may_be_meant(before, sentence, expected):
    assert complete(f"{before} {sentence}", sentence, authors=THREE) == (expected or sentence)


def test_where_only_one_author_is_known_they_are_several_if_the_text_speaks_of_a_team():
    alone = {"authors": ("Riess, Adam G.",)}
    sentence = "They obtain 73 km/s/Mpc."
    assert complete(f"The SH0ES team adds masers. {sentence}", sentence, **alone).startswith("They [Riess and others]")
    assert complete(f"Masers were added. {sentence}", sentence, **alone) == sentence


@pytest.mark.parametrize(
    ("before", "sentence", "authors", "expected"),
    [
        ("A gas seemed odd.", "He proposed iron.", ("Eddington, A. S.",), "He [Eddington] proposed iron."),
        ("Amina Helmi wrote it down.", "She finds one merger.", ("Helmi, A.", "X, Y"), "She [Helmi] finds one merger."),
        ("Ernst Öpik had guessed it.", "He proposed iron.", ("Eddington, A. S.",), None),
        ("Walter Baade and Fritz Zwicky met.", "He proposed iron.", ("Baade, W.", "Zwicky, F."), None),
        ("The star is old.", "He II lines are strong.", ("Eddington, A. S.",), None),  # helium
    ],
)
def test_he_and_she_are_the_author_named_last_or_the_only_one(before, sentence, authors, expected):
    completion = complete(f"{before} {sentence}", sentence, authors=authors, n_authors=len(authors))
    assert completion == (expected or sentence)


def test_it_is_the_survey_or_the_paper_of_the_sentence_before_if_the_verb_suits():
    release = "The final Planck release fits spectra with six numbers."
    assert complete(f"{release} It finds 67.4 km/s/Mpc.", "It finds 67.4 km/s/Mpc.") == (
        "It [the final Planck release] finds 67.4 km/s/Mpc."
    )
    survey = "The survey found a bump."
    assert "[" not in complete(f"{survey} It coincides with iron.", "It coincides with iron.")


def test_a_pronoun_takes_the_subject_of_the_sentence_before():
    abstract = "The extended catalogue contains 6899 galaxies. It is complete to magnitude 11.75."
    assert complete(abstract, "It is complete to magnitude 11.75.") == (
        "It [the extended catalogue] is complete to magnitude 11.75."
    )


@pytest.mark.parametrize(
    "abstract",
    [
        "The extended catalogue contains galaxies. It is known that dust is cold.",  # refers to nothing
        "The extended catalogue contains galaxies. They are complete.",  # plural, but the subject is singular
        "The mass of the galaxy is high. It is complete to magnitude 11.75.",  # the mass, or the galaxy?
        "The early tests are hard. These results are old.",  # a noun, not a verb
        "We use a catalogue. It is complete to magnitude 11.75.",
        "The extended catalogue contains galaxies. This suggests that it is complete.",  # a whole statement
    ],
)
def test_an_uncertain_pronoun_is_left_alone(abstract):
    sentence = abstract[abstract.index(". ") + 2 :]
    assert complete(abstract, sentence) == sentence


def test_an_abbreviation_is_written_out_as_its_paper_does():
    abstract = "We follow the common envelope (CE) of binaries. The CE is ejected in a year."
    assert complete(abstract, "The CE is ejected in a year.") == "The CE [common envelope] is ejected in a year."
    assert "[" not in complete(abstract, "We follow the common envelope (CE) of binaries.")
    again = f"{abstract} The common envelopes (CE) differ. A common envelope (CE) is rare."
    assert complete(again, "The CE is ejected in a year.") == "The CE [common envelope] is ejected in a year."
    assert "[" not in complete(again, "The common envelopes (CE) differ.")


@pytest.mark.parametrize(
    ("text", "short", "expected"),
    [
        ("maps of the interstellar medium", "ISM", "interstellar medium"),
        ("the common envelope", "CE", "common envelope"),
        ("seen with graph neural networks", "GNN", "graph neural networks"),
        ("a sample of galaxies", "XYZ", None),
        ("Kepler", "K", None),
    ],
)
def test_letters_are_matched_from_the_end(text, short, expected):
    assert long_form(text, short) == expected
