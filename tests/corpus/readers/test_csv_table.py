import datetime
import gzip
from dataclasses import replace

import pytest

from pathfinder.corpus.readers import read_papers
from pathfinder.corpus.readers.csv_table import column_notes
from pathfinder.errors import CorpusError
from pathfinder.operations.export.tables import papers_csv
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


HEADER = "id,title,abstract,authors,year\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize(
    "encoding", ["cp1252", "latin-1", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "mixed"]
)
def test_a_table_is_read_in_any_of_these_encodings(tmp_path, encoding, pack):
    rows = f"{HEADER}a,Die Häufigkeit,Résumé,Roé,2001\n", "b,Les étoiles,é,Roé,2002\n"
    content = (
        b"".join(text.encode(name) for text, name in zip(rows, ("utf-8", "cp1252"), strict=True))
        if encoding == "mixed"
        else "".join(rows).encode(encoding)
    )
    papers = list(read_papers(write(tmp_path, pack(content), name="papers.csv.gz")))
    assert [(paper.title, paper.authors) for paper in papers] == [
        ("Die Häufigkeit", ("Roé",)),
        ("Les étoiles", ("Roé",)),
    ]


def test_a_nul_is_cleaned(tmp_path):
    (paper,) = read_papers(write(tmp_path, "id,title,abstract\na,ti\0tle,b\n"))
    assert paper.title == "title"


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ('a,A 5" scope,b,Roe,2001', 'A 5" scope'),
        ('a,"Fast" stars by a 5" lens,b,Roe,2001', '"Fast" stars by a 5" lens'),
        ('a,"A 5 scope,b,Roe,2001', "A 5 scope"),
        ('a,t,b,Roe,"2001', None),
        ('a,"Dust" in it,b,Roe,2001', '"Dust" in it'),
        ('a,"On "dust", and gas",b,"Roe, A.",2001', None),
        ('a,"On "dust" and gas, too",b,"Roe, A.",2001', 'On "dust" and gas, too'),
        ('a,"On "dust"",b,Roe,2001', 'On "dust"'),
        (r'a,"On \"dust\", and gas",b,Roe,2001', 'On "dust", and gas'),
        ('a, "Dust, gas", "b, b", Roe, 2001', "Dust, gas"),
        ('"a","A 5", 6" scope","b","Roe","2001"', None),
        ('a,t,"The "dust" is\nin, two, lines",Roe,2001', "t"),
        ('a,t, and more,"b\nb, b",Roe,2001', None),
        ('a,t,b,Roe,2001,"open', None),
        ('a,A "5" scope,"b "b" b",Roe,2001, ,""', 'A "5" scope'),
    ],
)
def test_a_stray_quotation_mark_costs_its_row_at_most(tmp_path, row, title):
    table = write(tmp_path, f'{HEADER}{row}\nz,"Last, but read",b,Roe,2002\n')
    first, last = read_papers(table)
    assert (first.title if isinstance(first, Paper) else None) == title
    assert isinstance(first, Paper) or first.line == 2
    assert last.title == "Last, but read"


@pytest.mark.parametrize("rows", ['x","open\n' * 20_000, '"a,' * 70_000 + "\n"])
def test_many_quotation_marks_left_open_take_time_in_proportion(tmp_path, rows):
    table = write(tmp_path, f"{HEADER}{rows}z,Last,b,Roe,2001\n")
    assert list(read_papers(table))[-1].title == "Last"


def test_the_last_row_is_whole_without_a_line_end(tmp_path):
    (paper,) = read_papers(write(tmp_path, "id,title,year\na,Dust,2001"))
    assert paper.year == 2001


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_cell_may_hold_thousands_of_affiliations(tmp_path, quote):
    table = write(tmp_path, f"{HEADER}a,t,{quote}{'word ' * 60_000}{quote},Roe,2001\n")
    (paper,) = read_papers(table)
    assert len(paper.abstract) > 250_000


@pytest.mark.parametrize(
    "content",
    [
        "id;title;year\na;Dust, and gas;2001\n",
        "id\ttitle\tyear\na\tDust, and gas\t2001\n",
        "id|title|year\na|Dust, and gas|2001\n",
        "sep=;\nid;title;year\na;Dust, and gas;2001\n",
        '"sep=,"\r\nid,title,year\r\na,"Dust, and gas",2001\r\n',
        'id,title,year\ra,"Dust, and gas",2001\r',
        'My export of 2020\nquery: title, year > 2000\n\nid,title,year\na,"Dust, and gas",2001\n',
        '"Search results, 12 hits","",""\nID,TITLE,YEAR\na,"Dust, and gas",2001\n,,\n',
        'id,title,year\na,"Dust, and gas",2001,,\nid,title,year\n',
    ],
)
def test_separators_line_ends_and_lines_before_the_header(tmp_path, content):
    (paper,) = read_papers(write(tmp_path, content))
    assert (paper.paper_id, paper.title, paper.year) == ("a", "Dust, and gas", 2001)


def test_without_an_id_a_paper_is_stored_under_its_title_and_year(tmp_path):
    without_column = read_papers(write(tmp_path, "title,year\nDust,2001\nGas,2001\n"))
    with_empty_cell = read_papers(write(tmp_path, "id,title,year\n,Dust,2001\n,Gas,2001\n"))
    ids = [[paper.paper_id for paper in papers] for papers in (without_column, with_empty_cell)]
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 2


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("Rank,Publication ID,Title,Source title,PubYear,Times cited\n5,pub.1,T,Nature,2001,7\n", "pub.1"),
        ("PMID,Title,Journal/Book,Publication Year,Citation\n12,T,Nature,2001,\n", "12"),
        ("Lens ID,Title,Source Title,Publication Year,Citing Works Count\n0-1,T,Nature,2001,7\n", "0-1"),
        ("Cites,Title,Year,Source,DOI\n7,T,2001,Nature,10.1/x\n", "10.1/x"),
        ("Item Title,Publication Title,Item DOI,Publication Year\nT,Nature,10.1/x,2001\n", "10.1/x"),
        ("Title,Source,Publication Year,Medline PMID\nT,Nature,2001,12\n", "12"),
        ("PT\tTI\tSO\tPY\tUT\tTC\t\nJ\tT\tNature\t2001\tWOS:1\t7\t\n", "WOS:1"),
        ("id,display_name,primary_location.source.display_name,publication_year\nW1,T,Nature,2001\n", "W1"),
        ("ArticleTitle,Source,Pub. Year,No. of Citations,DOI number\nT,Nature,2001,7,10.1/x\n", "10.1/x"),
        (
            "Title,Source,coverDate,citedby_count,Full Text Link\nT,Nature,2001-05,7,https://doi.org/10.1234/x\n",
            "10.1234/x",
        ),
        ("Title,Source,Year,best_oa_location.landing_page_url\nT,Nature,2001,https://doi.org/10.1234/x\n", "10.1234/x"),
        *(
            (f"Key,Title,Source,Year,{name}\nk,T,Nature,2001,https://doi.org/10.1234/x\n", "k")
            for name in ("Dataset URL", "journal_url", "zenodo_link", "referenced_works_url", "prev_link")
        ),
    ],
)
def test_the_tables_of_other_programs(tmp_path, content, expected):
    (paper,) = read_papers(write(tmp_path, content, name="export.txt"))
    assert (paper.paper_id, paper.title, paper.journal, paper.year) == (expected, "T", "Nature", 2001)
    assert paper.citation_count in (None, 7)


def test_an_address_of_several_papers_is_the_identifier_of_none(tmp_path):
    rows = ("Dust,https://doi.org/10.1093/mnras", "Gas,https://doi.org/10.1093/mnras", "Ice,https://doi.org/10.1234/x")
    papers = read_papers(write(tmp_path, "\n".join(("title,url", *rows, rows[2]))))
    assert [paper.doi for paper in papers] == [None, None, "10.1234/x", "10.1234/x"]


@pytest.mark.parametrize(("columns", "row"), [("summary,description", "Cold.,Buy it."), ("description", "Cold.")])
def test_a_description_is_the_abstract_unless_there_is_a_summary(tmp_path, columns, row):
    (paper,) = read_papers(write(tmp_path, f"title,{columns}\nDust,{row}\n"))
    assert paper.abstract == "Cold."


def test_rows_of_zotero_that_are_no_papers_are_rejected_and_its_extra_is_read(tmp_path):
    extra = "PMID: 12\nPMCID: PMC7054432"
    rows = f'K1,book,Dust,"{extra}"\nK2,attachment,Full Text,\nK3,note,,\n'
    paper, *others = read_papers(write(tmp_path, f"Key,Item Type,Title,Extra\n{rows}"))
    assert [row.reason for row in others] == ["not a paper, but 'attachment'", "not a paper, but 'note'"]
    assert (paper.pmid, paper.other_ids) == ("12", ("pmcid:PMC7054432",))


@pytest.mark.parametrize(
    ("columns", "row"),
    [
        ("title,is_retracted", "Dust,TRUE"),
        ("title,document_type", "Dust,Retracted"),
        ("title,notes", "Dust,Retracted: see the notice"),
        ("title,abstract", "Dust,This article has been retracted at the request of its authors."),
    ],
)
def test_a_table_may_say_that_a_paper_was_retracted(tmp_path, columns, row):
    (paper,) = read_papers(write(tmp_path, f"{columns}\n{row}\n"))
    assert paper.warning == "retracted, says its record"


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


@pytest.mark.parametrize("cell", ['=""T2""', '"=""T2"""'])
def test_excels_cell_of_text_is_its_text(tmp_path, cell):
    (tmp_path / "a.csv").write_text(f"id,title,year\na,{cell},2001\n", encoding="utf-8")
    (paper,) = read_papers(tmp_path / "a.csv")
    assert paper.title == "T2"


def test_a_message_about_the_header_names_the_header_below_the_line_of_the_separator(tmp_path):
    (tmp_path / "a.csv").write_text("sep=;\nfoo;bar\n1;2\n", encoding="utf-8")
    with pytest.raises(CorpusError) as error:
        list(read_papers(tmp_path / "a.csv"))
    assert "foo;bar" in str(error.value)
    assert "sep=" not in str(error.value)
