"""Sentences and tokens of scientific English."""

import pytest

from pathfinder.text.language.tagged_text import tokenise


def words(text: str) -> list[list[str]]:
    return [[token.text for token in sentence] for sentence in tokenise(text)]


@pytest.mark.parametrize("text", ["", " ", "\n\t"])
def test_empty_text_has_no_sentences(text):
    assert words(text) == []


@pytest.mark.parametrize(
    "word",
    [
        "three-dimensional",
        "mass–metallicity",
        "[O III]",
        "[Fe/H]",
        "H II",
        "f(R)",
        "M87*",
        "WASP-43b",
        "J1030+0524",
        "12P/Pons-Brooks",
        "10^-3",
        "H_0",
        "Jupiter's",
        "https://example.org/a?b=c",
        "21-cm",
        "3.5",
        "10,000",
        "e.g.",
        "et al.",
        "U.S.",
    ],
)
def test_a_scientific_word_is_one_token(word):
    assert words(f"of {word} in") == [["of", word, "in"]]


def test_marks_are_separate_tokens():
    assert words("dust, gas (and ice); z=7 -- yes") == [
        ["dust", ",", "gas", "(", "and", "ice", ")", ";", "z", "=", "7", "-", "-", "yes"]
    ]


def test_a_sentence_never_ends_before_a_small_letter():
    assert words("It is so. We see. i.e. this? No! 3 of them.") == [
        ["It", "is", "so", "."],
        ["We", "see", ".", "i.e.", "this", "?"],
        ["No", "!"],
        ["3", "of", "them", "."],
    ]


def test_a_token_holds_its_position_in_the_text():
    text = "Stars — H II regions."
    assert all(text[token.start : token.end] == token.text for sentence in tokenise(text) for token in sentence)
