"""What is inserted into a quotation to make it complete."""

import pytest

from pathfinder.answering.digest.insertions import insertions_for, long_form
from pathfinder.types import Paper


def completed(abstract, sentence, **fields):
    """`sentence` of a paper with `abstract`, each insertion in square brackets."""
    paper = Paper("p", "T", abstract, **fields)
    start = abstract.index(sentence)
    text = sentence
    for insertion in reversed(insertions_for(paper, start, start + len(sentence))):
        text = f"{text[: insertion.position]} [{insertion.text.strip()}]{text[insertion.position :]}"
    return text


@pytest.mark.parametrize(
    ("authors", "names"),
    [
        (("Riess, Adam G.", "Yuan, Wenlong", "Macri, Lucas"), "We [Riess et al.] find"),
        (("Riess, Adam G.", "Yuan, Wenlong"), "We [Riess & Yuan] find"),
        (("Edwin Hubble",), "We [Hubble] find"),
        ((), "We find"),
    ],
)
def test_we_are_the_authors(authors, names):
    assert completed("We find a high rate.", "We find a high rate.", authors=authors) == f"{names} a high rate."


def test_a_pronoun_takes_the_subject_of_the_sentence_before():
    abstract = "The extended catalogue contains 6899 galaxies. It is complete to magnitude 11.75."
    assert completed(abstract, "It is complete to magnitude 11.75.") == (
        "It [the extended catalogue] is complete to magnitude 11.75."
    )


@pytest.mark.parametrize(
    "abstract",
    [
        "The extended catalogue contains galaxies. It is known that dust is cold.",  # refers to nothing
        "The extended catalogue contains galaxies. They are complete.",  # plural, but the subject is singular
        "The mass of the galaxy is high. It is complete to magnitude 11.75.",  # the mass, or the galaxy?
        "We use a catalogue. It is complete to magnitude 11.75.",
        "The extended catalogue contains galaxies. This suggests that it is complete.",  # a whole statement
    ],
)
def test_an_uncertain_pronoun_is_left_alone(abstract):
    sentence = abstract[abstract.index(". ") + 2 :]
    assert completed(abstract, sentence) == sentence


def test_an_abbreviation_is_written_out_as_its_paper_does():
    abstract = "We follow the common envelope (CE) of binaries. The CE is ejected in a year."
    assert completed(abstract, "The CE is ejected in a year.") == "The CE [common envelope] is ejected in a year."
    assert "[" not in completed(abstract, "We follow the common envelope (CE) of binaries.")


@pytest.mark.parametrize(
    ("text", "short", "found"),
    [
        ("maps of the interstellar medium", "ISM", "interstellar medium"),
        ("the common envelope", "CE", "common envelope"),
        ("seen with graph neural networks", "GNN", "graph neural networks"),
        ("a sample of galaxies", "XYZ", None),
        ("Kepler", "K", None),
    ],
)
def test_letters_are_matched_from_the_end(text, short, found):
    assert long_form(text, short) == found
