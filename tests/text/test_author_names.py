import pytest

from pathfinder.text.author_names import PersonName, parse_name


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("Riess, Adam G.", PersonName("Riess", "Adam G.")),
        ("King, M. L., Jr", PersonName("King", "M. L.", "Jr")),
        ("Adam G. Riess", PersonName("Riess", "Adam G.")),
        ("Woong-Seob Jeong", PersonName("Jeong", "Woong-Seob")),
        ("Roeland P. van der Marel", PersonName("van der Marel", "Roeland P.")),
        ("van Dokkum, Pieter", PersonName("van Dokkum", "Pieter")),
        ("Martin L. King Jr.", PersonName("King", "Martin L.", "Jr.")),
        ("William H. Press III", PersonName("Press", "William H.", "III")),
        ("Planck Collaboration", PersonName("Planck Collaboration")),
        ("The LIGO Scientific Collaboration", PersonName("The LIGO Scientific Collaboration")),
        ("Hipparchus", PersonName("Hipparchus")),
        ("Herschel,", PersonName("Herschel")),
        ("", PersonName("")),
    ],
)
def test_a_name_is_taken_apart_as_far_as_it_can_be(author, name):
    assert parse_name(author) == name
