import contextlib
import datetime
import json
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pathfinder.corpus.readers import RejectedRow, read_papers
from pathfinder.corpus.schemas.fields import Unusable
from pathfinder.corpus.schemas.tidy import tidy_paper
from pathfinder.errors import CorpusError
from pathfinder.types import Paper

GOOD = {"id": "a", "title": "Dust in spirals", "abstract": "We measure dust."}


def write(folder, *lines, name="papers.jsonl"):
    path = folder / name
    rows = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    path.write_bytes(b"".join(row + b"\n" for row in rows))
    return path


def read_one(folder, **fields):
    (row,) = read_papers(write(folder, {**GOOD, **fields}))
    return row


@pytest.mark.parametrize("record", [{"id": "a", "title": "t"}, {**GOOD, "abstract": ""}, {**GOOD, "abstract": None}])
def test_a_title_alone_is_a_paper(tmp_path, record):
    (paper,) = read_papers(write(tmp_path, record))
    assert isinstance(paper, Paper)
    assert (paper.abstract, paper.is_summary, paper.has_abstract) == ("", False, False)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({**GOOD, "title": None}, "no title"),
        ({**GOOD, "title": " \n"}, "no title"),
        ({**GOOD, "id": True}, "id must be text, got True"),
        ({**GOOD, "title": ["t"]}, "title must be text, got ['t']"),
        ({**GOOD, "abstract": {"text": "a"}}, "abstract must be text, got {'text': 'a'}"),
        ({**GOOD, "authors": 7}, "authors must be a list of texts, got 7"),
        (
            {**GOOD, "authors": [{"orcid": "X"}]},
            "authors must be a list of texts, got [{'orcid': 'X'}]",
        ),
        ({**GOOD, "citation_count": False}, "citation_count must be text or a number, got False"),
        ({**GOOD, "is_review": "perhaps"}, "is_review must be true or false, got 'perhaps'"),
        ({**GOOD, "year": [2025]}, "year must be text or a number, got [2025]"),
        ({**GOOD, "versions": {}, "authors_parsed": "X"}, "authors_parsed must be a list of lists of strings, got 'X'"),
    ],
)
def test_an_unusable_row_is_rejected_with_its_reason(tmp_path, line, reason):
    _, row, after = read_papers(write(tmp_path, GOOD, line, GOOD))
    assert isinstance(row, RejectedRow)
    assert (row.file, row.line) == ("papers.jsonl", 2)
    assert row.reason.startswith(reason)
    assert "\n" not in row.reason
    assert isinstance(after, Paper)


@pytest.mark.parametrize(
    ("fields", "year", "date"),
    [
        *((fields, None, None) for fields in ({}, {"date": None, "year": None}, {"date": ""})),
        *(({"date": date}, 2020, None) for date in ("2020-09-00", "2020-00-00", "2020-09", "2020", "2020-13-40")),
        *(({"year": year}, 1998, None) for year in (1998, "1998", 1998.0)),
        ({"date": 20250107}, 2025, datetime.date(2025, 1, 7)),
        ({"date": "2025-1-7"}, 2025, datetime.date(2025, 1, 7)),
        ({"date": "2025-01-07T00:00:00Z"}, 2025, datetime.date(2025, 1, 7)),
        *(({"date": date}, None, None) for date in ("soon", "0000-00-00", "25-01-01", "٢٠٢٥-٠١-٠١")),
        *(({"year": year}, None, None) for year in ("MMXX", 20255, 0, "n.d.", "in press")),
        # The year of the journal and the day of the preprint may differ; both are taken from the source.
        ({"year": 1999, "date": "1998-12-08"}, 1999, datetime.date(1998, 12, 8)),
    ],
)
def test_a_date_keeps_what_is_known_of_it(tmp_path, fields, year, date):
    paper = read_one(tmp_path, **fields)
    assert (paper.year, paper.date) == (year, date)


def test_every_field_of_the_tidy_schema(tmp_path):
    assert read_one(
        tmp_path,
        authors=["A. One", " B.  Two "],
        n_authors=40,
        date="2020-09-00",
        journal="A&A",
        categories=["astro-ph.GA"],
        keywords=["dust", "spirals", "dust"],
        citation_count=12,
        citation_rank_in_year=0,
        is_review=True,
        bibcode="2020A&A...641A...6P",
        arxiv_id="arXiv:2001.00001",
        doi="https://doi.org/10.1051/x",
        references=None,
        source=["straw"],
    ) == Paper(
        paper_id="a",
        title="Dust in spirals",
        abstract="We measure dust.",
        authors=("A. One", "B. Two"),
        n_authors=40,
        year=2020,
        journal="A&A",
        categories=("astro-ph.GA",),
        subjects=("dust", "spirals"),
        citation_count=12,
        citation_rank_in_year=0,
        is_review=True,
        bibcode="2020A&A...641A...6P",
        arxiv_id="2001.00001",
        doi="10.1051/x",
    )


def test_a_landmark_has_a_summary_and_its_fields_and_missions_are_subjects(tmp_path):
    landmark = {"id": "l", "title": "t", "summary": "Told anew.", "fields": ["Cosmology"], "missions": ["HST"]}
    (paper,) = read_papers(write(tmp_path, landmark))
    assert (paper.abstract, paper.is_summary, paper.subjects) == ("Told anew.", True, ("Cosmology", "HST"))


def test_names_of_objects_are_subjects(tmp_path):
    paper = read_one(tmp_path, keywords=["dust"], objects=["M87", "Zeta Puppis"])
    assert paper.subjects == ("dust", "M87", "Zeta Puppis")


def test_an_abstract_comes_before_a_summary(tmp_path):
    paper = read_one(tmp_path, summary="Told anew.")
    assert (paper.abstract, paper.is_summary) == ("We measure dust.", False)


def test_a_beir_corpus_is_read(tmp_path):
    (paper,) = read_papers(write(tmp_path, {"_id": 31, "title": "t", "text": "body", "metadata": {"x": 1}}))
    assert (paper.paper_id, paper.abstract) == ("31", "body")


def test_white_space_is_folded_and_control_characters_go(tmp_path):
    line = b'{"id": "a\\u0000", "title": " Two\\n lines\\u0007 ", "abstract": "raw \x00 and \x1b[31m tab\t\\ud800."}'
    (paper,) = read_papers(write(tmp_path, line))
    assert (paper.paper_id, paper.title, paper.abstract) == ("a", "Two lines", "raw and [31m tab .")


def test_latex_stays_as_published(tmp_path):
    assert read_one(tmp_path, title=r"A $10^{6}\,M_\odot$ hole").title == r"A $10^{6}\,M_\odot$ hole"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("absent.jsonl", "does not exist"),
        ("papers.fits", "in a format that Pathfinder does not read"),
        ("folder", "is a folder"),
    ],
)
def test_a_source_that_cannot_be_read_is_refused_at_once(tmp_path, name, message):
    (tmp_path / "papers.fits").write_bytes(b"SIMPLE")
    (tmp_path / "folder").mkdir()
    with pytest.raises(CorpusError, match=f"{name} {message}|{name} is {message}"):
        read_papers(tmp_path / name)


def test_an_empty_source_has_no_rows(tmp_path):
    assert list(read_papers(write(tmp_path))) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
NAMES = ["id", "title", "abstract", "authors", "year", "date", "categories", "keywords", "citation_count", "is_review"]


@settings(derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.fixed_dictionaries({}, optional=dict.fromkeys(NAMES, JSON)))
def test_any_record_becomes_a_paper_or_has_a_reason(record):
    with contextlib.suppress(Unusable):
        paper = tidy_paper(record)
        assert paper.paper_id
        assert paper.title == " ".join(paper.title.split())


def test_one_row_is_in_memory_at_a_time(tmp_path):
    rows = 800
    source = write(tmp_path, *({**GOOD, "id": str(n), "abstract": f"{n} " * 1500} for n in range(rows)))
    assert source.stat().st_size > 3_000_000
    tracemalloc.start()
    try:
        n_read = sum(1 for _ in read_papers(source))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert n_read == rows
    assert peak < 1_000_000


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"status": "retracted", "status_from": "openalex"}, ("retracted", "openalex")),
        ({"status": "withdrawn"}, ("withdrawn", None)),
        ({"status": "withdrawn, says arxiv"}, (None, None)),
        ({"status": "published", "status_from": "x"}, (None, None)),
    ],
)
def test_withdrawn_and_retracted_papers_stay_so(tmp_path, fields, expected):
    paper = read_one(tmp_path, **fields)
    assert (paper.status, paper.status_from) == expected


def test_what_is_no_arxiv_id_is_none(tmp_path):
    assert read_one(tmp_path, arxiv_id="^^5cinput").arxiv_id is None
    assert read_one(tmp_path, arxiv_id="arXiv:hep-th/9901001v2").arxiv_id == "hep-th/9901001"
