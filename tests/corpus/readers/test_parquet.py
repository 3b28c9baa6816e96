"""Parquet files: shards of arXiv's dump, and sets with vectors."""

import datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pathfinder.corpus.readers import Rejected, read_papers, read_rows
from pathfinder.errors import CorpusError


def test_a_shard_of_arxivs_dump_is_read(tmp_path):
    rows = [
        {
            "id": "0704.0001",
            "title": "Diphotons",
            "abstract": "Text.",
            "authors_parsed": [["Balázs", "C.", ""]],
            "categories": "hep-ph astro-ph",
            "versions": [{"version": "v1", "created": "Mon, 2 Apr 2007 19:18:42 GMT"}],
        },
        {
            "id": "0704.0002",
            "title": None,
            "abstract": "Text.",
            "authors_parsed": None,
            "categories": "",
            "versions": None,
        },
    ]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "2007-04.parquet")
    (_, paper), (number, bad) = read_rows(tmp_path / "2007-04.parquet")
    assert (paper.paper_id, paper.authors, paper.date) == ("0704.0001", ("Balázs, C.",), datetime.date(2007, 4, 2))
    assert (number, bad) == (2, Rejected("2007-04.parquet", 2, "no title", "0704.0002"))


def test_the_published_set_is_read_without_its_vectors(tmp_path):
    row = {
        "ads_id": "2020A&A...641A...6P",
        "arxiv_id": "1807.06209",
        "title": "Planck",
        "abstract": "Text.",
        "authors": ["Planck Collaboration"],
        "date": "2020-09-01",
        "cites": 9.0,
        "keywords": ["cosmology"],
        "embed": [0.1, 0.2],
    }
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "set.parquet")
    (paper,) = read_papers(tmp_path / "set.parquet")
    assert (paper.paper_id, paper.bibcode, paper.citation_count) == ("1807.06209", "2020A&A...641A...6P", 9)
    assert (paper.subjects, paper.date) == (("cosmology",), datetime.date(2020, 9, 1))


def test_a_file_that_is_no_parquet_is_refused(tmp_path):
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(CorpusError, match="no whole Parquet file"):
        list(read_papers(tmp_path / "a.parquet"))
