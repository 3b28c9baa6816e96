import pytest

from pathfinder.text.spelling import fold, typing_errors, without_possessive


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Öpik", "opik"), ("STRASSE Straße", "strasse strasse"), ("Śniadecki", "sniadecki"), ("Βήτα", "βητα")],
)
def test_spellings_are_compared_without_case_and_accents(text, folded):
    assert fold(text) == folded


def test_marks_of_other_scripts_are_letters_and_stay():
    assert fold("हिन्दी") == "हिन्दी"
    assert fold("ガ") != fold("カ")


@pytest.mark.parametrize(("word", "bare"), [("Jupiter's", "Jupiter"), ("Saturn’s", "Saturn"), ("Mars", "Mars")])
def test_a_possessive_s_is_no_part_of_a_name(word, bare):
    assert without_possessive(word) == bare


@pytest.mark.parametrize(
    ("word", "other", "n_errors"),
    [
        ("galaxy", "galaxy", 0),
        ("galxy", "galaxy", 1),  # a letter missing
        ("galaxxy", "galaxy", 1),  # a letter too many
        ("galazy", "galaxy", 1),  # a wrong letter
        ("galayx", "galaxy", 1),  # two letters swapped
        ("glaayx", "galaxy", 2),
        ("", "halo", 4),
    ],
)
def test_typing_errors_are_counted(word, other, n_errors):
    assert typing_errors(word, other) == typing_errors(other, word) == n_errors
