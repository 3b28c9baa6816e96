import pytest

from pathfinder.text.author_names import Name, parse_name


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("Riess, Adam G.", Name("Riess", "Adam G.")),
        ("King, M. L., Jr", Name("King", "M. L.", "Jr")),
        ("Adam G. Riess", Name("Riess", "Adam G.")),
        ("Woong-Seob Jeong", Name("Jeong", "Woong-Seob")),
        ("Roeland P. van der Marel", Name("van der Marel", "Roeland P.")),
        ("van Dokkum, Pieter", Name("van Dokkum", "Pieter")),
        ("Martin L. King Jr.", Name("King", "Martin L.", "Jr.")),
        ("William H. Press III", Name("Press", "William H.", "III")),
        ("Planck Collaboration", Name("Planck Collaboration")),
        ("The LIGO Scientific Collaboration", Name("The LIGO Scientific Collaboration")),
        ("Hipparchus", Name("Hipparchus")),
        ("Herschel,", Name("Herschel")),
        ("", Name("")),
    ],
)
def test_a_name_is_taken_apart_as_far_as_it_can_be(author, name):
    assert parse_name(author) == name
