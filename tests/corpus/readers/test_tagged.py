"""RIS and NBIB files: a tag on each line."""

import datetime
from dataclasses import replace
from pathlib import Path

import pytest
import rispy

from pathfinder.corpus.readers import RejectedRow, read_papers, read_rows
from pathfinder.types import Paper, Provenance


def papers(folder: Path, content: str, name: str = "library.ris") -> list[Paper | RejectedRow]:
    (folder / name).write_text(content, encoding="utf-8")
    return list(read_papers(folder / name))


def test_a_record_of_ris_becomes_a_paper(tmp_path):
    content = """TY  - JOUR
AU  - Smith, Anna
AU  - Planck Collaboration
TI  - Dust in
  spirals
T2  - Monthly Notices
PY  - 2001
DA  - 2001/03/04/
DO  - https://doi.org/10.1/X
UR  - https://ui.adsabs.harvard.edu/abs/2018MNRAS.476.1234S/abstract
KW  - dust
KW  - spirals
AB  - First line
and second.
ER  -\x20
"""
    assert papers(tmp_path, content) == [
        Paper(
            "10.1/x",
            "Dust in spirals",
            "First line and second.",
            authors=("Smith, Anna", "Planck Collaboration"),
            year=2001,
            date=datetime.date(2001, 3, 4),
            journal="Monthly Notices",
            venue="Monthly Notices",
            subjects=("dust", "spirals"),
            bibcode="2018MNRAS.476.1234S",
            doi="10.1/X",
            provenance=(Provenance("file", "10.1/x"),),
        )
    ]


@pytest.mark.parametrize(
    ("lines", "source"),
    [
        ("T1  - Dust\nN2  - We measure.\nUR  - https://ui.adsabs.harvard.edu/abs/2018MNRAS.476.1234S", "ads"),
        ("TI  - Dust\nAB  - We measure.\nDP  - NASA ADS", "ads"),
        ("TI  - Dust\nAB  - We measure.\nUR  - https://ui.adsabs.harvard.edu/abs/2018MNRAS.476.1234S", "file"),
        ("TI  - Dust\nAB  - We measure.\nDP  - Cambridge University Press", "file"),
    ],
)
def test_a_record_that_ads_has_exported_keeps_ads_as_its_source(tmp_path, lines, source):
    (paper,) = papers(tmp_path, f"TY  - JOUR\n{lines}\nER  - \n")
    assert [record.source for record in paper.provenance] == [source]


def test_a_file_written_by_rispy_is_read(tmp_path):
    record = {
        "type_of_reference": "JOUR",
        "id": "7",
        "title": "T",
        "authors": ["A, B"],
        "year": "1999",
        "doi": "10.1/x",
    }
    (paper,) = papers(tmp_path, rispy.dumps([record]))
    assert (paper.title, paper.authors, paper.year, paper.doi) == ("T", ("A, B",), 1999, "10.1/x")
    assert paper.provenance[0].record_id == "7"


def test_a_record_without_its_end_and_stray_lines_cost_nothing_else(tmp_path):
    content = "words\nTY  - JOUR\nTI  - A\nTY  - JOUR\nTI  - B\nER  - \n\nTY  - JOUR\nPY  - 2000\nER  - \n"
    (tmp_path / "a.ris").write_text(content)
    stray, (_, first), (_, second), (line, bad) = read_rows(tmp_path / "a.ris")
    assert stray == (1, RejectedRow("a.ris", 1, "a line outside any record; a record begins with TY", None))
    assert (first.title, second.title) == ("A", "B")
    assert (line, bad.reason) == (8, "no title")


def test_a_paper_without_an_identifier_gets_the_same_id_in_every_file(tmp_path):
    content = "TY  - JOUR\nTI  - A title\nPY  - 2000\nER  - \n"
    (first,) = papers(tmp_path, content)
    (second,) = papers(tmp_path, f"\n\n{content}", "other.ris")
    assert first.paper_id == second.paper_id
    assert first.paper_id.startswith("title-")


@pytest.mark.parametrize("url", ["https://arxiv.org/abs/2408.01556v2", "http://arxiv.org/pdf/2408.01556"])
def test_the_arxiv_id_is_taken_from_the_address(tmp_path, url):
    (paper,) = papers(tmp_path, f"TY  - JOUR\nTI  - A\nT2  - arXiv:2408.01556\nUR  - {url}\nER  - \n")
    assert (paper.arxiv_id, paper.journal) == ("2408.01556", None)


def test_a_record_of_pubmed_becomes_a_paper(tmp_path):
    content = """
PMID- 31452104
OWN - NLM
DP  - 2019 Aug 27
TI  - [Reading the literature with
      care].
LID - 10.1007/x [doi]
LID - S0140-1 [pii]
AB  - An abstract - with a dash.
FAU - Smith, Anna B
AU  - Smith AB
CN  - The Care Group
JT  - Journal of care
PT  - Journal Article
PT  - Review
MH  - *Reading
OT  - literature
PMC - PMC7054432

PMID- 2
TI  - Second.
"""
    first, second = papers(tmp_path, content, "pubmed.nbib")
    assert replace(first, provenance=()) == Paper(
        "10.1007/x",
        "Reading the literature with care",
        "An abstract - with a dash.",
        authors=("Smith, Anna B", "The Care Group"),
        year=2019,
        date=datetime.date(2019, 8, 27),
        journal="Journal of care",
        venue="Journal of care",
        subjects=("literature", "Reading"),
        is_review=True,
        doi="10.1007/x",
        pmid="31452104",
        other_ids=("pmcid:PMC7054432",),
    )
    assert (second.paper_id, second.title, second.abstract) == ("2", "Second", "")
