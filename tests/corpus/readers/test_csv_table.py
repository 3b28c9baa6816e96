import datetime
import gzip
from dataclasses import replace

import pytest

from pathfinder.corpus.readers import RejectedRow, read_papers
from pathfinder.corpus.readers.csv_table import column_notes
from pathfinder.errors import CorpusError
from pathfinder.export.tables import papers_csv
from pathfinder.types import Paper


def write(folder, content, name="papers.csv"):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_a_table_with_every_column(tmp_path):
    table = write(
        tmp_path,
        "\ufeffPaper ID,Title,Summary,Author,Date,Journal,Categories,Keywords,Citations,is_review,doi\r\n"
        '7,Dust,"It says ""dust"", twice.","One, A.; Two, B.",2020-09-02,A&A,'
        "astro-ph.GA hep-ph,dust;gas,12.0,yes,doi:10.1/x\r\n",
    )
    assert list(read_papers(table)) == [
        Paper(
            paper_id="7",
            title="Dust",
            abstract='It says "dust", twice.',
            is_summary=True,
            authors=("One, A.", "Two, B."),
            year=2020,
            date=datetime.date(2020, 9, 2),
            journal="A&A",
            categories=("astro-ph.GA", "hep-ph"),
            subjects=("dust", "gas"),
            citation_count=12,
            is_review=True,
            doi="10.1/x",
        )
    ]


def test_empty_cells_mean_unknown(tmp_path):
    (paper,) = read_papers(write(tmp_path, "id,title,abstract,year,date,citation_count,authors\na,t,b,,,,\n"))
    assert paper == Paper("a", "t", "b")


def test_a_quoted_cell_may_hold_lines_and_rows_count_from_their_first(tmp_path):
    table = write(tmp_path, 'id,title,abstract\na,t,"one\ntwo\n\nthree"\n\nb,,c\n')
    paper, row = read_papers(table)
    assert paper.abstract == "one two three"
    assert row == RejectedRow("papers.csv", 7, "no title", "b")


def test_a_row_of_another_length_is_rejected(tmp_path):
    rows = list(read_papers(write(tmp_path, "id,title,abstract\na,t\na,t,b,c\n")))
    assert [row.reason for row in rows] == ["2 cells under 3 columns", "4 cells under 3 columns"]


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_invalid_utf8_costs_only_its_own_row(tmp_path, pack):
    table = write(tmp_path, pack(b"id,title,abstract\na,t,\xff\nb,t,c\n"), name="papers.csv.gz")
    row, paper = read_papers(table)
    assert (row.line, row.reason.startswith("invalid UTF-8")) == (2, True)
    assert paper.paper_id == "b"


def test_a_nul_is_cleaned(tmp_path):
    (paper,) = read_papers(write(tmp_path, "id,title,abstract\na,ti\0tle,b\n"))
    assert paper.title == "title"


def test_a_quotation_mark_left_open_costs_what_it_swallows_and_says_which_lines(tmp_path):
    swallowed_lines = "".join(f"id{n},title,abstract\n" for n in range(7000))
    rows = list(read_papers(write(tmp_path, f'id,title,abstract\na,"t,b\n{swallowed_lines}z,t,c\n')))
    assert isinstance(rows[0], RejectedRow)
    assert rows[0].line == 2
    assert "field larger than field limit" in rows[0].reason
    assert "lines 2 to " in rows[0].reason
    assert rows[-1] == Paper("z", "t", "c")


def test_a_file_that_ends_inside_quotes_is_not_taken_for_whole(tmp_path):
    (row,) = read_papers(write(tmp_path, 'id,title,abstract\na,t,"never closed\n'))
    assert "unexpected end of data in lines 2 to 2" in row.reason


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no column id or _id or paper_id, but nothing"),
        ("1,Dust,We measure\n", "no column id or _id or paper_id, but 1, dust, we_measure"),
        ("id,abstract\n", "no column title"),
        ("id,title,abstract,Title\n", "names title twice"),
        (b"i\xffd,title,abstract\n", "no column id"),
        ('"id', "not a CSV header"),
    ],
)
def test_a_table_without_a_proper_header_is_refused(tmp_path, content, message):
    with pytest.raises(CorpusError, match=message):
        list(read_papers(write(tmp_path, content)))


def test_the_columns_of_zotero_are_guessed_and_shown(tmp_path):
    header = '"Key","Item Type","Publication Year","Author","Title","Publication Title","DOI","Abstract Note","Date"'
    row = '"ABCD2345","journalArticle","2001","Smith, A.; Jones, B.","Dust","Nature","10.1/x","Text.","March 4, 2001"'
    table = write(tmp_path, f"{header}\n{row}\n")
    (paper,) = read_papers(table)
    assert paper == Paper(
        "10.1/x",
        "Dust",
        "Text.",
        authors=("Smith, A.", "Jones, B."),
        year=2001,
        date=datetime.date(2001, 3, 4),
        journal="Nature",
        doi="10.1/x",
    )
    (note,) = column_notes(table)
    assert "journal from publication_title" in note
    assert "leaves out item_type" in note


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Title;DOI;Cited by;Year", "Dust;10.1/x;1,234;2001"),
        ("title\tdoi\ttimes_cited\tyear", "Dust\t10.1/x\t1234\t2001"),
    ],
)
def test_tables_with_other_separators_and_without_ids_are_read(tmp_path, header, row):
    (paper,) = read_papers(write(tmp_path, f"{header}\n{row}\n"))
    assert (paper.paper_id, paper.title, paper.citation_count, paper.year) == ("10.1/x", "Dust", 1234, 2001)


def test_our_own_table_comes_back_equal(tmp_path):
    paper = Paper(
        "p1",
        "-Dust, and 'gas'",
        "A summary;\nin two lines.",
        is_summary=True,
        authors=("Smith, A.", "The LIGO Team"),
        n_authors=30,
        year=2001,
        date=datetime.date(2001, 3, 4),
        journal="Nature",
        citation_count=3,
        bibcode="2001Natur.410..123S",
        arxiv_id="astro-ph/0101001",
        doi="10.1/x",
    )
    (back,) = read_papers(write(tmp_path, papers_csv([paper])))
    assert back == replace(paper, abstract="A summary; in two lines.")
    assert column_notes(write(tmp_path, papers_csv([paper]))) == ()
