"""Authors in files of each format: which column lists them, and how the list is divided."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pathfinder.corpus.readers import read_papers
from pathfinder.types import Paper


def authors(path: Path, text: str) -> list[str]:
    path.write_text(text)
    return ["|".join(paper.authors) for paper in read_papers(path) if isinstance(paper, Paper)]


@pytest.mark.parametrize(
    ("header", "cell", "names"),
    [
        ("Author/s", "Jane Roe; John Doe", "Jane Roe|John Doe"),
        ("authorships.author.display_name", "Jane Roe|John Doe", "Jane Roe|John Doe"),
        ("Author Names", '"Roe J., Doe B."', "Roe J.|Doe B."),
        ("Author(s)", '"Roe, Jane; Doe, John"', "Roe, Jane|Doe, John"),
        ("Authors", '"J Roe, AB Doe"', "J Roe|AB Doe"),
        ("AuthorNames", '"Roe, A.//Doe, B."', "Roe, A.|Doe, B."),
        ("authors", "\"[{'id': None, 'name': 'Roe, A.'}, {'id': 1, 'name': 'Doe, B.'}]\"", "Roe, A.|Doe, B."),
        ("authors", "\"['Roe, A.', 'Doe, B.']\"", "Roe, A.|Doe, B."),
    ],
)
def test_a_column_of_authors_is_found_under_each_name(tmp_path: Path, header: str, cell: str, names: str) -> None:
    assert authors(tmp_path / "a.csv", f"id,Title,{header}\n1,T,{cell}\n") == [names]


def test_full_names_are_preferred_where_a_row_has_them(tmp_path: Path) -> None:
    table = (
        "id,Title,Authors,Author full names\n"
        '1,T,Owusu P.; Amoako P.T.,"Owusu, Peter (571); Amoako, Paul (572)"\n'
        "2,U,Owusu P.; Amoako P.T.,\n"
    )
    assert authors(tmp_path / "a.csv", table) == ["Owusu, Peter|Amoako, Paul", "Owusu P.|Amoako P.T."]


def test_the_whole_column_shows_what_a_comma_means(tmp_path: Path) -> None:
    cells = ["Roe, Doe", "Li, Xu, Ng", "Wu, Yi, Ma"]
    expected = [cell.replace(", ", "|") for cell in cells]
    table = "id,title,authors\n" + "".join(f'{n},T{n},"{cell}"\n' for n, cell in enumerate(cells))
    assert authors(tmp_path / "a.csv", table) == expected
    assert authors(tmp_path / "b.csv", 'id,title,authors\n1,T,"Roe, Doe"\n') == ["Roe, Doe"]
    lines = [json.dumps({"id": f"{n}", "title": "T", "authors": cell}) for n, cell in enumerate(cells)]
    assert authors(tmp_path / "c.jsonl", "\n".join(lines)) == expected
    pq.write_table(pa.table({"id": ["1", "2", "3"], "title": ["T"] * 3, "authors": cells}), tmp_path / "d.parquet")
    assert ["|".join(paper.authors) for paper in read_papers(tmp_path / "d.parquet")] == expected


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        ("bib", "@misc{k, title={T}, author={Zhang, Y. and Li, X. and Zhang, Y.}}"),
        ("ris", "TY  - JOUR\nID  - 1\nTI  - T\nAU  - Zhang, Y.\nAU  - Li, X.\nAU  - Zhang, Y.\nER  - \n"),
        ("nbib", "PMID- 1\nTI  - T\nFAU - Zhang, Y.\nFAU - Li, X.\nFAU - Zhang, Y.\n"),
        ("csv", 'id,title,authors\n1,T,"Zhang, Y.; Li, X.; Zhang, Y."\n'),
        ("jsonl", '{"id": "1", "title": "T", "authors": ["Zhang, Y.", "Li, X.", "Zhang, Y."]}'),
        ("json", '[{"id": "1", "title": "T", "authors": [{"name": "Zhang, Y."}, "Li, X.", {"name": "Zhang, Y."}]}]'),
    ],
)
def test_two_co_authors_of_one_name_stay_two(tmp_path: Path, suffix: str, text: str) -> None:
    assert authors(tmp_path / f"a.{suffix}", text) == ["Zhang, Y.|Li, X.|Zhang, Y."]


@pytest.mark.parametrize(
    ("field", "names"),
    [
        (r"Roe, A. and \v{S}ahin, B. and \c{C}elik, D.", "Roe, A.|Šahin, B.|Çelik, D."),
        (r"Hans Christian \O{}rsted and {\L}ukasz \.Inan", "Ørsted, Hans Christian|İnan, Łukasz"),
        (r"K.~M.~G\'orski and Mu\~noz~L\'opez, J.", "Górski, K. M.|Muñoz López, J."),
        ("Roe, A. AND Doe, Bob and", "Roe, A.|Doe, Bob"),
        ("Roe, A. and Doe, B. et al.", "Roe, A.|Doe, B."),
        ("{Roe, A. and Doe, B.}", "Roe, A.|Doe, B."),
        ("{A, B Team} and {C, D Team}", "A, B Team|C, D Team"),
        ("{The Survey Collaboration and Partners} and Roe, A.", "The Survey Collaboration and Partners|Roe, A."),
        ("Roe, A.; Doe, B.", "Roe, A.|Doe, B."),
        ("Roe, A., Doe, B., Poe, C.", "Roe, A.|Doe, B.|Poe, C."),
        ("King, Jr., M. L. and Wei Wang 0001", "King, M. L., Jr.|Wang, Wei"),
        (r"\VAN{Dokkum}{Van}{van} Dokkum, P. and {\noopsort{Aaa}}Roe, A.", "van Dokkum, P.|Roe, A."),
    ],
)
def test_a_field_of_bibtex_is_divided_as_its_writer_meant(tmp_path: Path, field: str, names: str) -> None:
    assert authors(tmp_path / "a.bib", f"@misc{{k, title={{T}}, author={{{field}}}}}") == [names]


def test_an_entry_of_ris_may_hold_several_names_and_sponsors_are_none(tmp_path: Path) -> None:
    names = "AU  - Roe, A.; Doe, B.\nAU  - Poe A, Li B\nAU  - Souza Lima, Ana Maria\nA1  - IEEE"
    text = f"TY  - JOUR\nID  - 1\nTI  - T\n{names}\nER  - \n"
    assert authors(tmp_path / "a.ris", text) == ["Roe, A.|Doe, B.|Poe A|Li B|Souza Lima, Ana Maria"]


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        ("bib", "@misc{{k, title={{T}}, author={{Roe, A. and {others}}}}}"),
        ("ris", "TY  - JOUR\nID  - 1\nTI  - T\nAU  - Roe, A.\nAU  - {others}\nER  - \n"),
        ("csv", 'id,title,authors\n1,T,"Roe, A.; {others}"\n'),
        ("jsonl", '{{"id": "1", "title": "T", "authors": "Roe, A.; {others}"}}'),
    ],
)
@pytest.mark.parametrize("others", ["others", "{others}.", "et al.", "and others", "12 others", "other authors"])
def test_others_are_no_author_and_the_list_is_known_to_be_cut(
    tmp_path: Path, suffix: str, text: str, others: str
) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_text(text.replace("{others}", others).replace("{{", "{").replace("}}", "}"), encoding="utf-8")
    (paper,) = read_papers(path)
    assert isinstance(paper, Paper)
    assert (paper.authors, paper.omits_authors) == (("Roe, A.",), True)


@pytest.mark.parametrize("cell", ["Roe J., Doe B., et al.", "Roe J., Doe B., ... Poe C."])
@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_list_that_leaves_authors_out_says_so(tmp_path: Path, suffix: str, cell: str) -> None:
    path = tmp_path / f"a.{suffix}"
    row = f'id,title,authors\n1,T,"{cell}"\n' if suffix == "csv" else json.dumps({"title": "T", "authors": cell})
    path.write_text(row, encoding="utf-8")
    (paper,) = read_papers(path)
    assert isinstance(paper, Paper)
    assert paper.has_more_authors
