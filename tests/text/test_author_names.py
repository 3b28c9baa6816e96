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
        ("van der Hulst", PersonName("van der Hulst")),
        ("Massimo Della Valle", PersonName("Della Valle", "Massimo")),
        ("Luisa dos Santos", PersonName("dos Santos", "Luisa")),
        ("Adam ten Brink", PersonName("ten Brink", "Adam")),
        ("Peter vom Stein", PersonName("vom Stein", "Peter")),
        ("Cassandra Van der Sijpt", PersonName("Van der Sijpt", "Cassandra")),
        ("Jean in ’t Zand", PersonName("in ’t Zand", "Jean")),
        ("A. do Nascimento Costa", PersonName("do Nascimento Costa", "A.")),
        ("R. de J. Zermeño", PersonName("Zermeño", "R. de J.")),
        ("Sol Bin Yun", PersonName("Yun", "Sol Bin")),
        ("Di Li", PersonName("Li", "Di")),
        ("Mei Lin Xi", PersonName("Xi", "Mei Lin")),
        ("adam guy riess", PersonName("riess", "adam guy")),
        ("The XRISM collaboration members", PersonName("The XRISM collaboration members")),
        ("Martin L. King Jr.", PersonName("King", "Martin L.", "Jr.")),
        ("William H. Press III", PersonName("Press", "William H.", "III")),
        ("Planck Collaboration", PersonName("Planck Collaboration")),
        ("National Academies of Sciences", PersonName("National Academies of Sciences")),
        ("The LIGO Scientific Collaboration", PersonName("The LIGO Scientific Collaboration")),
        ("Hipparchus", PersonName("Hipparchus")),
        ("Herschel,", PersonName("Herschel")),
        ("", PersonName("")),
    ],
)
def test_a_name_is_taken_apart_as_far_as_it_can_be(author, name):
    assert parse_name(author) == name


@pytest.mark.parametrize(
    ("author", "name"),
    [
        ("Owusu P.T.", PersonName("Owusu", "P.T.")),
        ("Owusu PT", PersonName("Owusu", "PT")),
        ("Roe J. A.", PersonName("Roe", "J. A.")),
        ("van der Berg JA", PersonName("van der Berg", "JA")),
        ("García Márquez G.", PersonName("García Márquez", "G.")),
        ("Kim Y.-H.", PersonName("Kim", "Y.-H.")),
        ("Ivanov Yu. A.", PersonName("Ivanov", "Yu. A.")),
        ("Ivanov VI", PersonName("Ivanov", "VI")),
        ("King ML Jr", PersonName("King", "ML", "Jr")),
        ("Press WH 3rd", PersonName("Press", "WH", "3rd")),
        ("Silva Jr. A.B.", PersonName("Silva", "A.B.", "Jr.")),
        ("King, Jr., M. L.", PersonName("King", "M. L.", "Jr.")),
        ("King Jr., M. L.", PersonName("King", "M. L.", "Jr.")),
        ("Martin L. King, Jr.", PersonName("King", "Martin L.", "Jr.")),
        ("King, Martin L Jr", PersonName("King", "Martin L", "Jr")),
        ("Berg, Jan van der", PersonName("van der Berg", "Jan")),
        ("Zand, Eva in 't", PersonName("in 't Zand", "Eva")),
        ("Roe III", PersonName("Roe", "", "III")),
        ("Roe, Jr.", PersonName("Roe", "", "Jr.")),
        ("Ivanov II", PersonName("Ivanov", "II")),
        ("JA Roe", PersonName("Roe", "JA")),
        ("LI J", PersonName("LI", "J")),
        ("St. John A.", PersonName("St. John", "A.")),
    ],
)
def test_initials_after_a_name_make_it_the_family_name(author, name):
    assert parse_name(author) == name
