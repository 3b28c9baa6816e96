"""Lists of authors as people and programs write them."""

import pytest

from pathfinder.corpus.schemas.author_lists import authors_in, comma_style, listed_authors, name_in, split_at_and


@pytest.mark.parametrize(
    ("text", "authors"),
    [
        ("Roe, A.; Doe, B.", "Roe, A.|Doe, B."),
        ("Owusu P.; Amoako P.T.", "Owusu P.|Amoako P.T."),
        ("Gatica G.N., Sequeira F.A., Roe A.", "Gatica G.N.|Sequeira F.A.|Roe A."),
        ("Roe J, Doe B, Poe AC.", "Roe J|Doe B|Poe AC."),
        ("J Roe, AB Doe, …", "J Roe|AB Doe"),
        ("LI J., KIM S.", "LI J.|KIM S."),
        ("MO H. J., LI J.-P.", "MO H. J.|LI J.-P."),
        ("DE LA CRUZ J., KIM SY", "DE LA CRUZ J.|KIM SY"),
        ("J. ROE, LE Q.", "J. ROE|LE Q."),
        ("LI, J., KIM, DA", "LI, J.|KIM, DA"),
        ("DA SILVA, J., DE LA CRUZ, M.", "DA SILVA, J.|DE LA CRUZ, M."),
        ("van der Berg JA, de Souza AB", "van der Berg JA|de Souza AB"),
        ("Silva Jr. A.B., Kim Y.-H., Ivanov Yu.A.", "Silva Jr. A.B.|Kim Y.-H.|Ivanov Yu.A."),
        ("Roe, A., Doe, B., and Poe, C.", "Roe, A.|Doe, B.|Poe, C."),
        ("Roe, A., & Doe, B.", "Roe, A.|Doe, B."),
        ("Press, W. H., III, Roe, A.", "Press, W. H., III|Roe, A."),
        ("Jr., Matthew W. Roe", "Jr., Matthew W. Roe"),
        ("Roe, Jane", "Roe, Jane"),
        ("van der Berg, Jane", "van der Berg, Jane"),
        ("de Souza, Ana Maria", "de Souza, Ana Maria"),
        ("Roe, Jane, Doe, John", "Roe, Jane|Doe, John"),
        ("Roe, Doe, Poe", "Roe|Doe|Poe"),
        ("Jane Roe, John Doe", "Jane Roe|John Doe"),
        ("Jane Roe and John Doe and Ann Poe", "Jane Roe|John Doe|Ann Poe"),
        ("Jane Roe, John Doe, & Ann Poe", "Jane Roe|John Doe|Ann Poe"),
        ("Roe, Jane and John Doe", "Roe, Jane|John Doe"),
        ("Roe, Jane; Doe, John; and Poe, Ann", "Roe, Jane|Doe, John|Poe, Ann"),
        ("Roe, Jane || Doe, John", "Roe, Jane|Doe, John"),
        ("Jane Roe / John Doe", "Jane Roe|John Doe"),
        ("Roe A.\nDoe B.", "Roe A.|Doe B."),
        ("Jane Roe,\nJohn Doe", "Jane Roe|John Doe"),
        ("王伟，李娜", "王伟|李娜"),
        ("['Roe, A.', \"O'Neil, B.\"]", "Roe, A.|O'Neil, B."),
        ("['Roe, A.' 'Doe, B.']", "Roe, A.|Doe, B."),
        ('c("Roe, A.", "Doe, B.")', "Roe, A.|Doe, B."),
        ("[{'name': 'Jane Roe', 'id': 'x'}, {'family': 'Doe', 'given': 'John'}]", "Jane Roe|Doe, John"),
        ("[Jane Roe, John Doe]", "Jane Roe|John Doe"),
        ("{The Survey Collaboration and Partners}; Roe, A.", "The Survey Collaboration and Partners|Roe, A."),
        ("The Survey Collaboration and Partners", "The Survey Collaboration and Partners"),
        ("Deep Team, Roe, A., Doe, B.", "Deep Team|Roe, A.|Doe, B."),
        (r"Mu{\~n}oz, A. and {\v S}ahin~B.", "Muñoz, A.|Šahin B."),
        ("Mu&ntilde;oz, A.; Roe &amp; Sons Team", "Muñoz, A.|Roe & Sons Team"),
        ("Roe, Jane (57190000000); Doe, John [2]; Poe, Ann*; Wei Wang 0001", "Roe, Jane|Doe, John|Poe, Ann|Wei Wang"),
        ("Zhang, Y.; Wang, J.; Zhang, Y.", "Zhang, Y.|Wang, J.|Zhang, Y."),
        ("Roe, A. and others", "Roe, A."),
        ("Roe, A., et al.", "Roe, A."),
        ("J. Roe and 12 others", "J. Roe"),
        ("Roe, A. and {others}.", "Roe, A."),
        ("Roe, A. and other authors", "Roe, A."),
        ("Roe, A. and Doe, Bob and", "Roe, A.|Doe, Bob"),
        ("Null, J.; Nan, L.", "Null, J.|Nan, L."),
        ("Roe J, Doe B, ... Poe C", "Roe J|Doe B|Poe C"),
        *((f"Roe, J., Doe, B., {dots} Poe, C.", "Roe, J.|Doe, B.|Poe, C.") for dots in ("...", "…", ". . .", "… &")),
        ("Roe, J.; Doe, B.; ...; Poe, C.", "Roe, J.|Doe, B.|Poe, C."),
        ("Roe, Jane and ... and Poe, Kim", "Roe, Jane|Poe, Kim"),
        ("Jane Roe1,2, John Doe2", "Jane Roe|John Doe"),
        ("Jane Roe1,2,*, John Doe2 and Kim Poe3†", "Jane Roe|John Doe|Kim Poe"),
        ("Roe J1, Doe B.1,2, Poe C3", "Roe J|Doe B.|Poe C"),
        ("H1 Collaboration; NA62; Mu2e", "H1 Collaboration|NA62|Mu2e"),
    ],
)
def test_a_list_is_divided_as_a_person_would_read_it(text: str, authors: str) -> None:
    assert "|".join(authors_in(text)) == authors


@pytest.mark.parametrize("text", ["", "NA", "n/a", "None", "-", "[No author name available]", "et al.", "and", ";;"])
def test_what_names_nobody_is_no_author(text: str) -> None:
    assert authors_in(text) == ()


_RUN_TOGETHER = "Jan de Vries|Ann O'Neil|Ian McDonald|Quoc Le|Eva LeBlanc"


@pytest.mark.parametrize(
    ("column", "cell", "authors"),
    [
        (["Roe, Doe, Poe", "Li, Xu, Ng, Wu, Yi"], "Roe, Doe", "Roe|Doe"),
        (["Roe, Doe, Poe", "Li, Xu, Ng, Wu, Yi"], "Roe, Doe, Poe, Li", "Roe|Doe|Poe|Li"),
        (["Roe, Jane", "Doe, J."], "Souza Lima, Ana Maria", "Souza Lima, Ana Maria"),
        (["Jane Roe, John Doe, Ann Poe", "Roe, Jane"], "Ana Souza, Bo Li", "Ana Souza|Bo Li"),
        (["Gatica G.N., Sequeira F.A.", "Roe A."], "Roe, Jane", "Roe, Jane"),
        (["Jane Roe"], "Jan de VriesAnn O'NeilIan McDonaldQuoc LeEva LeBlanc", _RUN_TOGETHER),
        (["Jane Roe", "Bo Li"], "John Doe Jr.José MuñozDeAnna K. Poe", "John Doe Jr.|José Muñoz|DeAnna K. Poe"),
        (["Jane Roe and Bo Li", "Ann Poe, Eva Ng"], "Maria DaCosta SilvaRoe", "Maria DaCosta SilvaRoe"),
        (["Jane Roe"], "Google DeepMind", "Google DeepMind"),
        ([], "Anders LaCour Smith", "Anders LaCour Smith"),
    ],
)
def test_a_column_shows_what_stands_between_its_names(column: list[str], cell: str, authors: str) -> None:
    assert "|".join(authors_in(cell, comma_style([*column, cell]))) == authors


def test_an_entry_of_a_list_is_divided_only_if_it_surely_holds_several_names() -> None:
    entries = ["Roe, A.; Doe, B.", "Poe A, Li B", "Smith and Sons", "Souza Lima, Ana Maria", "Li, C. and Xu, D."]
    divided = ("Roe, A.", "Doe, B.", "Poe A", "Li B", "Smith and Sons", "Souza Lima, Ana Maria", "Li, C.", "Xu, D.")
    assert listed_authors(entries) == divided


def test_bibtex_divides_at_and_outside_braces() -> None:
    assert split_at_and("{A and B} AND Roe, C. and  and Doe, D. and others") == ["{A and B}", "Roe, C.", "Doe, D."]


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ({"display_name": "Jane Roe"}, "Jane Roe"),
        ({"firstName": "Jane", "lastName": "Roe", "name": ""}, "Roe, Jane"),
        ({"orcid": "0"}, ""),
        (3, ""),
    ],
)
def test_a_name_may_come_in_an_object(entry: object, name: str) -> None:
    assert name_in(entry) == name


@pytest.mark.parametrize(
    "unit", ["; ", ",", "'a", "{", "(a", "jr,", "['", "a and ", "J. ", "¹", "&", "[", "1,2", "et al", "\\"]
)
def test_absurd_lists_are_no_error(unit: str) -> None:
    authors_in(unit * 5_000)
    authors_in(f"[{unit * 5_000}]")


def test_names_with_given_names_first_are_divided_at_commas_before_and():
    assert authors_in("Ann Mary Roe, Jan Doe and Kim Poe") == ("Ann Mary Roe", "Jan Doe", "Kim Poe")
    assert authors_in("van der Roe, Ann Mary and Doe, Jan Kim") == ("van der Roe, Ann Mary", "Doe, Jan Kim")


@pytest.mark.parametrize("unit", [".", " *", "†", "…", " (a)"])
def test_a_cell_of_one_repeated_sign_is_read_in_linear_time(unit: str):
    text = f"Roe, A.{unit * 20_000}"
    for end in ("", "x"):  # a quadratic pattern would take minutes for these
        assert authors_in(text + end)[0].startswith("Roe, A.")
