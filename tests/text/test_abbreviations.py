import pytest

from pathfinder.text.abbreviations import definitions, paired_keywords


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jets of active galactic nuclei (AGNs) are bright.", [("AGN", "active galactic nuclei")]),
        ("We use the Very Wide Telescope (VWT; Chile).", [("VWT", "Very Wide Telescope")]),
        ("Weakly interacting massive particles (WIMPs)", [("WIMP", "Weakly interacting massive particles")]),
        ("the point-spread function (PSF)", [("PSF", "point-spread function")]),
        ("It grew. Low noise (SNR) is rare", []),  # its letters are not in order
        ("a new star (SN 1987A) and a table (I)", []),
        ("nothing (and) else (A)", []),
        (
            "the Alphapril and Long Lives Treatment Trial (ALLTT)",
            [("ALLTT", "Alphapril and Long Lives Treatment Trial")],
        ),
        ("It is known and of age (OA)", []),
        ("(AGN) (", []),
    ],
)
def test_a_short_form_in_brackets_gets_the_words_before_it(text, expected):
    assert list(definitions(text)) == expected


def test_keywords_that_stand_as_a_pair_define_each_other():
    keywords = ("CMB", "cosmic microwave background", "galaxies")
    assert list(paired_keywords(keywords)) == [("CMB", "cosmic microwave background")]


def test_definitions_are_found_in_linear_time():
    assert not list(definitions("(AB" * 100_000))
    assert len(list(definitions("active binary (AB) " * 10_000))) == 10_000
