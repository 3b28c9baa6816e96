"""Placeholders, numbers, dates, identifiers and markup are read alike in every format."""

import json
from pathlib import Path

import pytest

from pathfinder.corpus.readers import read_papers
from pathfinder.corpus.schemas.dates import read_date
from pathfinder.corpus.schemas.fields import is_placeholder
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.types import Paper

NAMES = {
    "bib": {},
    "jsonl": {},
    "csv": {},
    "ris": {"title": "TI", "abstract": "AB", "doi": "DO", "year": "PY", "url": "UR", "note": "N1"},
}
CSL = {"abstract": "abstract", "doi": "DOI", "url": "URL", "note": "note", "title": "title"}
ZOTERO = {"abstract": "abstractNote", "doi": "DOI", "url": "url", "note": "extra", "year": "date", "title": "title"}


def one(folder: Path, suffix: str, **fields: str) -> Paper:
    """Write a record with `fields` in a format, and read it."""
    fields = {"title": "T", **fields}
    if suffix == "bib":
        content = "@misc{k, " + ", ".join(f"{name} = {{{value}}}" for name, value in fields.items()) + "}"
    elif suffix == "ris":
        lines = (f"{NAMES['ris'][name]}  - {value}" for name, value in fields.items())
        content = "\n".join(("TY  - JOUR", *lines, "ER  - "))
    elif suffix == "csv":
        quoted = (f'"{value}"' for value in fields.values())
        content = f"id,{','.join(fields)}\nk,{','.join(quoted)}\n"
    elif suffix == "jsonl":
        content = json.dumps({"id": "k", **fields})
    elif suffix == "csl":
        year = {"literal": fields.pop("year", "")}
        item = {"id": "k", "type": "article-journal", "container-title": "J", "issued": year}
        content = json.dumps([item | {CSL[name]: value for name, value in fields.items()}])
    else:
        item = {"itemType": "journalArticle", "key": "K", "creators": []}
        content = json.dumps([item | {ZOTERO[name]: value for name, value in fields.items()}])
    path = folder / f"papers.{'json' if suffix in ('csl', 'zotero') else suffix}"
    path.write_text(content, encoding="utf-8")
    (paper,) = read_papers(path)
    assert isinstance(paper, Paper), paper
    return paper


FORMATS = pytest.mark.parametrize("suffix", ["bib", "ris", "csv", "jsonl", "csl", "zotero"])


@FORMATS
@pytest.mark.parametrize(
    "nothing", ["NA", "N/A", "nan", "None", "null", "-", "[No abstract available]", "in press", "n.d."]
)
def test_a_placeholder_is_no_value_but_may_be_a_title(tmp_path, suffix, nothing):
    paper = one(tmp_path, suffix, abstract=nothing, doi=nothing, year=nothing)
    assert (paper.abstract, paper.doi, paper.year, paper.date) == ("", None, None, None)
    assert one(tmp_path, suffix, title=nothing).title == nothing


@FORMATS
@pytest.mark.parametrize(
    "fields",
    [
        {"doi": "http://dx.doi.org/10.5555/ab.1."},
        {"doi": "DOI 10.5555/ab.1"},
        {"doi": "10.5555/ab.1; 10.5555/ab.2"},
        {"url": "https://doi-org.proxy.example.edu/10.5555/ab.1"},
        {"doi": "NA", "url": "https://example.org/doi/full/10.5555/ab.1"},
        {"note": "DOI: 10.5555/ab.1"},
    ],
)
def test_a_doi_is_found_in_its_field_an_address_or_a_note(tmp_path, suffix, fields):
    assert one(tmp_path, suffix, **fields).doi == "10.5555/ab.1"


@FORMATS
@pytest.mark.parametrize(
    "note", ["Erratum: 10.5555/ab.1", "See also https://doi.org/10.5555/ab.1", "Comment on arXiv:2408.01556"]
)
def test_a_note_on_another_paper_gives_no_identifier(tmp_path, suffix, note):
    paper = one(tmp_path, suffix, note=note)
    assert (paper.doi, paper.arxiv_id) == (None, None)


@FORMATS
@pytest.mark.parametrize(
    ("note", "number"),
    [
        ("Cited By :1,204", 1204),
        ("cited By 0", 0),
        ("Total Times Cited:  12", 12),
        ("Times Cited in Web of Science Core Collection: 12", 12),
        ("Cited by: 23; All Open Access", 23),
        *((note, None) for note in ("It was cited by Roe in 2001", "Cited by 3 papers on my list")),
        *((note, None) for note in ("cited by 2019 review of Smith", "Roe, cited by: 12")),
    ],
)
def test_citations_are_counted_in_a_note(tmp_path, suffix, note, number):
    assert one(tmp_path, suffix, note=note).citation_count == number


@FORMATS
def test_other_identifiers_are_found_in_addresses_and_notes(tmp_path, suffix):
    address = "https://ui.adsabs.harvard.edu/abs/2018MNRAS.476.1234S"
    paper = one(tmp_path, suffix, url=address, note="PMID: 123; arXiv:2408.01556v2; PMC1234567")
    identifiers = (paper.bibcode, paper.pmid, paper.arxiv_id, paper.other_ids)
    assert identifiers == ("2018MNRAS.476.1234S", "123", "2408.01556", ("pmcid:PMC1234567",))


@FORMATS
def test_markup_is_read_as_text(tmp_path, suffix):
    paper = one(tmp_path, suffix, title="The <i>Gaia</i> view, z<zmax and M>10", abstract="<jats:p>M &lt; 3</jats:p>")
    assert (paper.title, paper.abstract) == ("The Gaia view, z<zmax and M>10", "M < 3")


@FORMATS
@pytest.mark.parametrize(
    "year", ["2001.0", "12 March 2001", "2001-03-12T00:00", "2001 Jan-Feb", "03/2001", "c. 2001", "2001a"]
)
def test_a_year_is_found_in_a_date(tmp_path, suffix, year):
    assert one(tmp_path, suffix, year=year).year == 2001


@pytest.mark.parametrize(
    ("date", "day"),
    [
        *(
            (date, "2001-03-12")
            for date in "12 March 2001;March 12th, 2001;12-MAR-2001;2001 Mar 12;20010312;12-15 March 2001;2001/3/12;"
            "Mon, 12 Mar 2001 10:00:00".split(";")
        ),
        *(
            (date, None)
            for date in "3/4/2001;31.12.2001;2001-02-30;2001-00-07;March 2001;2001-03/2001-05;Spring 2001".split(";")
        ),
    ],
)
def test_a_day_is_read_if_it_is_certain(date, day):
    year, known = read_date(date)
    assert (year, known and known.isoformat()) == (2001, day)
    assert read_date(year=date) == (year, known)


def test_a_month_and_a_day_without_a_year_take_it_from_the_field_of_the_year():
    assert {
        str(read_date(*parts)[1]) for parts in (("MAR 12", "2001"), ("", "2001", "3", "12"), ("", "2001", "12 mar"))
    } == {"2001-03-12"}


@pytest.mark.parametrize(
    ("count", "number"),
    [
        *((count, 1234) for count in ("1,234", "1 234", "1\u202f234", "1'234", "1.234", "1234.0", 1234.0)),
        *(("1,234,567", 1234567), ("12.000", 12), (0, 0)),
        *(
            (count, None)
            for count in ("NA", "many", "1.5", 1.5, -1, "-1", "1" + ",234" * 3000, 10**9, float("nan"), "", None)
        ),
    ],
)
def test_a_count_is_read_with_its_separators(count, number):
    assert tidy_paper({"title": "T", "citation_count": count}).citation_count == number


def test_people_may_be_called_like_placeholders():
    names = ["Null, J.", "NA", "Nan, L.", "null", "Na", "[No author name available]", "O&#39;Neil, A."]
    assert tidy_paper({"title": "T", "authors": names}).authors == ("Null, J.", "Nan, L.", "Na", "O'Neil, A.")


@pytest.mark.parametrize(
    "text", ["#N/A", "(none)", "[N/A]", "No abstract provided.", "This article has no abstract", "—"]
)
def test_whatever_says_that_there_is_nothing_is_no_value(text):
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text", ["No data are needed.", "Unknown Pleasures", "Not yet", "nothing", "Accepted values of H0", "0", "(a)"]
)
def test_other_words_are_values(text):
    assert not is_placeholder(text)


def test_an_id_that_is_a_placeholder_is_none(tmp_path):
    (tmp_path / "papers.csv").write_text("id,title,doi\nNA,First,NA\nNA,Second,10.5555/B\n-,Third,-\n")
    first, second, third = (row.paper_id for row in read_papers(tmp_path / "papers.csv"))
    assert (first[:6], second, third[:6], first == third) == ("title-", "10.5555/b", "title-", False)


def test_a_placeholder_beside_an_abstract_is_left_out(tmp_path):
    path = tmp_path / "papers.ris"
    path.write_text(
        "TY  - JOUR\nTI  - T\nAB  - [No abstract available]\nN2  - Two are one.\nER  - \n", encoding="utf-8"
    )
    (paper,) = read_papers(path)
    assert paper.abstract == "Two are one."
