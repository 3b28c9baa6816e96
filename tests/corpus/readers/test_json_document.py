"""JSON files that are one document: exports of Zotero, OpenAlex, ADS, Crossref and other programs."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.corpus.readers import RejectedRow, read_papers, reader_of
from pathfinder.corpus.readers.json_document import is_document
from pathfinder.types import Paper

CSL = {
    "id": "smith2020",
    "type": "article-journal",
    "title": "Dust in <i>spirals</i>",
    "author": [{"family": "Beethoven", "given": "L.", "non-dropping-particle": "van"}, {"literal": "The LIGO Team"}],
    "issued": {"date-parts": [[2020, 3, 4]]},
    "container-title": "Monthly Notices",
    "DOI": "10.1/x",
    "abstract": "Text.",
    "keyword": "dust, spirals",
}
ZOTERO = {
    "itemType": "journalArticle",
    "key": "ABCD2345",
    "title": "A title",
    "creators": [{"creatorType": "author", "firstName": "Anna", "lastName": "Smith"}],
    "date": "2001-02-03",
    "DOI": "10.1/z",
    "tags": [{"tag": "dust"}],
}
OPENALEX = {"id": "https://openalex.org/W1", "title": "Work", "authorships": [], "publication_year": 2000}
ADS = {
    "bibcode": "2020A&A...641A...6P",
    "title": ["Planck 2018 results"],
    "author": ["Planck Collaboration", "Aghanim, N."],
    "pubdate": "2020-09-00",
    "identifier": ["arXiv:1807.06209", "2018arXiv180706209P", "2020A&A...641A...6P"],
    "doi": ["10.1051/1", "10.1051/2"],
    "property": ["REFEREED", "OPENACCESS"],
    "citation_count": 9,
    "reference": ["2016A&A...594A..13P"],
}


def rows(folder: Path, content: object) -> list[Paper | RejectedRow]:
    path = folder / "export.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2), encoding="utf-8")
    return list(read_papers(path))


def test_our_own_bibtex_comes_back_through_pandoc(tmp_path):
    item = {  # as pandoc 3 writes an entry of our BibTeX
        "DOI": "10.1093/mnras/sty_1",
        "URL": "https://arxiv.org/abs/1801.00001",
        "abstract": "We find 10% of it & more.",
        "author": [
            {"family": "Marel", "given": "Roeland P.", "non-dropping-particle": "van der"},
            {"literal": "The LIGO Collaboration"},
            {"family": "Neil", "given": "José", "suffix": "Jr."},
        ],
        "container-title": "Monthly Notices & Letters",
        "id": "2018MNRAS.476.1234S",
        "issued": {"date-parts": [[2018, 3, 4]]},
        "keyword": "gas; clusters",
        "title": "Gas in the Coma cluster: Über $M_\\odot$ and $\\beta$",
        "type": "article-journal",
    }
    (paper,) = rows(tmp_path, [item])
    assert replace(paper, provenance=()) == Paper(
        "1801.00001",
        r"Gas in the Coma cluster: Über $M_\odot$ and $\beta$",
        "We find 10% of it & more.",
        authors=("van der Marel, Roeland P.", "The LIGO Collaboration", "Neil, José, Jr."),
        year=2018,
        date=datetime.date(2018, 3, 4),
        journal="Monthly Notices & Letters",
        venue="Monthly Notices & Letters",
        subjects=("gas", "clusters"),
        bibcode="2018MNRAS.476.1234S",
        arxiv_id="1801.00001",
        doi="10.1093/mnras/sty_1",
    )


def test_an_item_of_csl_json_becomes_a_paper(tmp_path):
    (paper,) = rows(tmp_path, [CSL])
    assert replace(paper, provenance=()) == Paper(
        "10.1/x",
        "Dust in spirals",
        "Text.",
        authors=("van Beethoven, L.", "The LIGO Team"),
        year=2020,
        date=datetime.date(2020, 3, 4),
        journal="Monthly Notices",
        venue="Monthly Notices",
        subjects=("dust", "spirals"),
        doi="10.1/x",
    )
    assert paper.provenance[0].record_id == "smith2020"


def test_a_document_of_ads_becomes_a_paper_with_all_its_identifiers(tmp_path):
    (paper,) = rows(tmp_path, {"responseHeader": {}, "response": {"numFound": 1, "docs": [ADS]}})
    assert (paper.arxiv_id, paper.doi, paper.refereed, paper.year) == ("1807.06209", "10.1051/1", True, 2020)
    assert paper.other_ids == ("bibcode:2018arXiv180706209P", "doi:10.1051/2")
    assert (paper.citation_count, paper.citations_from) == (9, "ads")
    assert paper.references == ("bibcode:2016A&A...594A..13P",)
    assert paper.provenance[0].licence is None


@pytest.mark.parametrize(
    ("document", "titles"),
    [
        ({"config": {"id": "bbt"}, "items": [ZOTERO]}, ["A title"]),
        ([{"key": "ABCD2345", "version": 7, "data": ZOTERO}], ["A title"]),
        ({"meta": {"count": 1}, "results": [OPENALEX]}, ["Work"]),
        ({"status": "ok", "message": {"items": [{"DOI": "10.1/c", "title": ["Crossref's"]}]}}, ["Crossref's"]),
        ([{"id": "1", "title": "Plain", "abstract": "a"}], ["Plain"]),
        ({"query": "q", "hits": [{"rank": 1, "paper_id": "p", "title": "Hit", "year": 2001}]}, ["Hit"]),
        ([CSL, ADS, ZOTERO], ["Dust in spirals", "Planck 2018 results", "A title"]),
        ({"query": {"title": "dark matter"}, "results": [{"title": "One"}, {"title": "Two"}]}, ["One", "Two"]),
        ({"title": "My list", "papers": [{"title": "One"}, {"title": "Two"}]}, ["One", "Two"]),
        ({"abstract": "a", "references": ["10.1/a"], "title": "Sorted by key"}, ["Sorted by key"]),
        ([{"title": "Plain", "id": "7", "externalIds": {"DOI": "10.1/x"}}], ["Plain"]),
        ([{"title": "Plain", "message": {"by": "a form"}}], ["Plain"]),
    ],
)
def test_each_program_is_recognised_by_its_fields(tmp_path, document, titles):
    assert [row.title for row in rows(tmp_path, document)] == titles


CROSSREF = {
    "reference": [{"key": "1", "DOI": "10.1/r"}],
    "title": ["Dust in clouds"],
    "DOI": "10.1/c",
    "author": [{"given": "Jane", "family": "Doe"}],
    "issued": {"date-parts": [[2020, 3]]},
}
SEMANTIC_SCHOLAR = {
    "paperId": "0" * 40,
    "externalIds": {"DOI": "10.1/c", "CorpusId": 7},
    "title": "Dust in clouds",
    "authors": [{"authorId": "1", "name": "Jane Doe"}],
    "year": 2020,
    "references": [{"title": "Older dust"}],
}
WORK = {
    "id": "https://openalex.org/W7",
    "title": "Dust in clouds",
    "doi": "https://doi.org/10.1/c",
    "publication_year": 2020,
    "authorships": [{"author": {"display_name": "Jane Doe"}}],
}


@pytest.mark.parametrize(
    "reply",
    [
        {"status": "ok", "message-type": "work", "message": CROSSREF},
        CROSSREF,
        SEMANTIC_SCHOLAR,
        {"contexts": [], "citedPaper": SEMANTIC_SCHOLAR},
        WORK,
        {**CSL, "title": "Dust in clouds", "author": [{"family": "Doe", "given": "Jane"}], "DOI": "10.1/c"},
    ],
)
def test_one_record_of_a_program_is_read_alike_alone_in_a_list_and_on_a_line(tmp_path, reply):
    line = json.dumps(reply)
    (tmp_path / "a.jsonl").write_text(f"{line}\n{line}\n")
    pretty = json.dumps(reply, indent=1)
    alone, one_line, list_of_two = rows(tmp_path, reply), rows(tmp_path, line), rows(tmp_path, [reply, reply])
    on_lines, in_turn = list(read_papers(tmp_path / "a.jsonl")), rows(tmp_path, f"{pretty}\n{pretty}\n")
    assert [len(each) for each in (alone, one_line, list_of_two, on_lines, in_turn)] == [1, 1, 2, 2, 2]
    for paper in (*alone, *one_line, *list_of_two, *on_lines, *in_turn):
        assert (paper.title, paper.doi, paper.year, len(paper.authors)) == ("Dust in clouds", "10.1/c", 2020, 1)


def test_replies_of_semantic_scholar_hold_their_papers_in_data(tmp_path):
    for reply in ({"total": 1, "offset": 0, "data": [SEMANTIC_SCHOLAR]}, {"data": [{"citingPaper": SEMANTIC_SCHOLAR}]}):
        assert [paper.paper_id for paper in rows(tmp_path, reply)] == ["s2:7"]


def test_an_attachment_is_no_paper(tmp_path):
    (row,) = rows(tmp_path, {"items": [{"itemType": "attachment", "key": "A", "title": "PDF"}], "config": {}})
    assert row.reason == "not a paper, but 'attachment'"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_the_encoding_is_recognised(tmp_path, encoding):
    path = tmp_path / "export.json"
    path.write_bytes(json.dumps([{"id": "1", "title": "Über"}], ensure_ascii=False).encode(encoding))
    assert reader_of(path).name == "JSON document"
    assert [paper.title for paper in read_papers(path)] == ["Über"]


@pytest.mark.parametrize(
    "head",
    [b'{"id": "1", "title": "t"}\n{"id": "2"', b'{"status": "new", "id": "1"}', b"", b'{"_id": "1", "text": "[]"}'],
)
def test_objects_on_lines_are_no_document(head):
    assert not is_document(head)


@pytest.mark.parametrize(
    ("suffix", "write"),
    [
        ("jsonl", json.dumps),
        ("json", json.dumps),
        ("json", lambda row: json.dumps([row])),
        ("json", lambda row: json.dumps(row, indent=1)),
    ],
)
def test_a_row_of_a_table_that_was_written_as_an_object_is_read(tmp_path, suffix, write):
    row = {"Title": "Dust", "Authors": "Roe J.; Doe B.", "Year": 2002, "Cited by": 7, "Source title": "ApJ", "EID": "x"}
    path = tmp_path / f"a.{suffix}"
    path.write_text(write({**row, "Link": None}), encoding="utf-8")
    (paper,) = read_papers(path)
    assert (paper.title, paper.authors, paper.year) == ("Dust", ("Roe J.", "Doe B."), 2002)
    assert (paper.citation_count, paper.journal, paper.paper_id) == (7, "ApJ", "x")
