"""Parquet files: shards of arXiv's dump, and sets with vectors."""

import datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pathfinder.corpus.readers import RejectedRow, read_papers, read_rows
from pathfinder.corpus.readers.parquet import read_parquet_vectors


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
    assert (number, bad) == (2, RejectedRow("2007-04.parquet", 2, "no title", "0704.0002"))


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


@pytest.mark.parametrize(
    "kind", [pa.list_(pa.float64()), pa.large_list(pa.float32()), pa.list_(pa.float32(), 2), pa.list_(pa.float16())]
)
def test_vectors_are_read_row_by_row_whatever_their_type(tmp_path, kind):
    rows = [[0.5, -0.25], None, [1.0, 2.0]]
    table = pa.table({"title": ["a", "b", "c"], "embed": pa.array(rows, kind)})
    pq.write_table(table, tmp_path / "set.parquet", row_group_size=2)
    first, second, third = read_parquet_vectors(tmp_path / "set.parquet", "embed")
    assert (first.tolist(), second, third.tolist()) == ([0.5, -0.25], None, [1.0, 2.0])


def test_a_number_that_is_missing_in_a_vector_is_nan(tmp_path):
    pq.write_table(pa.table({"embed": pa.array([[0.5, None]], pa.list_(pa.float32()))}), tmp_path / "set.parquet")
    (vector,) = read_parquet_vectors(tmp_path / "set.parquet", "embed")
    assert (vector[0], np.isnan(vector[1])) == (0.5, True)


def test_a_table_with_capitalised_names_is_read(tmp_path):
    row = {"Title": "Dust", "Authors": "Roe J.; Doe B.", "Year": 2002}
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "a.parquet")
    (paper,) = read_papers(tmp_path / "a.parquet")
    assert (paper.title, paper.authors, paper.year) == ("Dust", ("Roe J.", "Doe B."), 2002)
