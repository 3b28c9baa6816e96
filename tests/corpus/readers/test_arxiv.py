import datetime
import json

import pytest

from pathfinder.corpus.readers import RejectedRow, read_papers
from pathfinder.types import Paper, Provenance

RECORD = {
    "id": "0704.0001",
    "submitter": "Someone",
    "authors": "C. Bal\\'azs, The Team, M. L. King Jr",
    "title": "Light from\n  afar",
    "comments": "37 pages",
    "journal-ref": "Phys.Rev.D76:013009,2007",
    "doi": "10.1103/PhysRevD.76.013009",
    "license": None,
    "abstract": "  We measure\nlight.\n",
    "categories": "hep-ph astro-ph.CO",
    "versions": [
        {"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"},
        {"version": "v2", "created": "Tue, 24 Jul 2007 20:10:27 GMT"},
    ],
    "update_date": "2008-11-26",
    "authors_parsed": [["Bal\\'azs", "C.", ""], ["The Team", "", ""], ["King", "M. L.", "Jr", "Somewhere"]],
}


def read_one(folder, **changes):
    path = folder / "arxiv-metadata-oai-snapshot.json"
    path.write_text(json.dumps({**RECORD, **changes}))
    (row,) = read_papers(path)
    return row


def test_a_record_of_the_dump(tmp_path):
    assert read_one(tmp_path) == Paper(
        paper_id="0704.0001",
        title="Light from afar",
        abstract="We measure light.",
        authors=("Balázs, C.", "The Team", "King, M. L., Jr"),
        year=2007,
        date=datetime.date(2007, 4, 2),
        journal="Phys.Rev.D76:013009,2007",
        categories=("hep-ph", "astro-ph.CO"),
        arxiv_id="0704.0001",
        doi="10.1103/PhysRevD.76.013009",
        provenance=(Provenance("arxiv", "0704.0001", "v2", licence="CC0-1.0"),),
    )


def test_the_last_update_is_not_taken_for_the_date(tmp_path):
    paper = read_one(tmp_path, versions=[])
    assert (paper.year, paper.date) == (None, None)


def test_fields_may_be_null(tmp_path):
    paper = read_one(tmp_path, doi=None, authors_parsed=None, categories=None, **{"journal-ref": None})
    assert (paper.doi, paper.authors, paper.categories, paper.journal) == (None, (), (), None)


def test_a_record_without_an_abstract_is_a_paper_with_a_title_alone(tmp_path):
    paper = read_one(tmp_path, abstract=None)
    assert (paper.abstract, paper.has_abstract) == ("", False)


def test_of_two_dois_the_first_is_kept(tmp_path):
    assert read_one(tmp_path, doi="10.1/a 10.1/b").doi == "10.1/a"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"versions": [{"version": "v1", "created": "Someday"}]}, "not a valid date: 'Someday' is not"),
        ({"versions": [{"version": "v1"}]}, "versions must be a list of objects with `created`"),
        ({"versions": ["v1"]}, "versions must be a list of objects with `created`"),
        ({"versions": "v1"}, "versions must be a list of objects with `created`"),
        ({"authors_parsed": [["Last", None]]}, "authors_parsed must be a list of lists of strings"),
        ({"id": None}, "no id"),
        ({"title": 3.5}, "title must be text, got 3.5"),
    ],
)
def test_a_broken_record_is_rejected(tmp_path, changes, reason):
    row = read_one(tmp_path, **changes)
    assert isinstance(row, RejectedRow)
    assert row.reason.startswith(reason)
