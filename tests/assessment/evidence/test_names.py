"""Names in a text, and whether another text lacks one of them."""

import pytest

from pathfinder.assessment.evidence.parsed_sentences import lacks, names, siblings


def name_texts(text: str) -> list[str]:
    return [name.text for name in names(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("The gas is hot.", []),
        ("We use the galaxy NGC 1068.", ["NGC 1068"]),
        ("the planet TOI-1231 b is small", ["TOI-1231 b"]),
        ("seen with JWST and in the Milky Way", ["JWST", "Milky Way"]),
        ("a Jupiter-like planet", ["Jupiter"]),
        ("an energy of 3 GeV", []),
        ("by Smith et al.", ["Smith"]),
        ("Riess, et al. say", ["Riess"]),
        ("Riess et\nal. say", ["Riess"]),
    ],
)
def test_names_are_found(text: str, expected: list[str]):
    assert name_texts(text) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("NGC 1068", "the galaxy ngc1068 is"),
        ("WASP-39b", "in wasp-39 b we"),
        ("JWST", "the james webb space telescope"),
        ("Milky Way", "our milky way"),
        ("Cepheid", "from Cepheids".lower()),
    ],
)
def test_spaces_hyphens_and_initials_make_no_difference(name: str, text: str):
    (name_,) = names(f"we see {name}")
    assert not lacks(name_, text)


@pytest.mark.parametrize(("name", "text"), [("NGC 1068", "ngc 10681"), ("S2", "s29"), ("ALMA", "with noema")])
def test_another_name_is_not_the_same(name: str, text: str):
    (name_,) = names(f"we see {name}")
    assert lacks(name_, text)


def test_a_sibling_has_the_same_letters_and_another_number_or_one_other_sign():
    (name,) = names("we see NGC 1068")
    assert [sibling.text for sibling in siblings(name, names("near NGC 1275, IC 10 and NGC 1068"))] == ["NGC 1275"]
