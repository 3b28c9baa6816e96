"""Papers to columns and back."""

import dataclasses
from datetime import date

import numpy as np
import pyarrow as pa
import pytest

from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of, citation_percentiles, papers_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.types import Paper

FULL = Paper(
    paper_id="2020A&A...641A...6P",
    title="Planck 2018 results. VI. $H_0$",
    abstract="Naïve Ωch² = 0.120 ± 0.001.",
    is_summary=True,
    authors=("Planck Collaboration", "Aghanim, N."),
    n_authors=182,
    year=2020,
    date=date(2020, 9, 11),
    journal="A&A",
    categories=("astro-ph.CO",),
    subjects=("cosmic background radiation",),
    keywords=("cosmic microwave background", "dark matter density"),
    citation_count=15000,
    citation_rank_in_year=0,
    is_review=True,
    bibcode="2020A&A...641A...6P",
    arxiv_id="1807.06209",
    doi="10.1051/0004-6361/201833910",
)
BARE = Paper(paper_id="b", title="Bare", abstract="Nothing else is known.")
YEAR_ONLY = Paper(paper_id="y", title="Year", abstract="Only the year is known.", year=1969, citation_count=3)
PAPERS = (FULL, BARE, YEAR_ONLY)


def table_of(*batches: tuple[Paper, ...], percentiles: list[float | None] | None = None) -> PaperTable:
    table = pa.Table.from_batches([batch_of(papers) for papers in batches], schema=PAPER_SCHEMA)
    column = pa.array(percentiles or [None] * table.num_rows, pa.float64())
    return PaperTable(table.append_column("citation_percentile", column))


def test_the_columns_are_the_fields_of_a_paper():
    assert PAPER_SCHEMA.names == [field.name for field in dataclasses.fields(Paper)]


def test_papers_come_back_as_they_went_in_from_one_batch_and_from_several():
    assert tuple(papers_of(batch_of(PAPERS))) == tuple(table_of(PAPERS)) == PAPERS
    table = table_of((FULL,), (BARE, YEAR_ONLY))
    assert len(table) == 3
    assert [table[0], table[1], table[-1]] == [FULL, BARE, YEAR_ONLY]
    assert tuple(table[1:]) == (BARE, YEAR_ONLY)
    with pytest.raises(IndexError):
        table[3]


def test_rows_are_taken_in_the_order_asked_and_from_what_was_taken():
    rows = table_of(PAPERS).take(np.array([2, 0, 2]))
    assert tuple(rows) == (YEAR_ONLY, FULL, YEAR_ONLY)
    assert tuple(rows.take(np.array([1]))) == (FULL,)
    assert rows.paper_ids() == ("y", FULL.paper_id, "y")


def test_no_papers_are_a_table():
    table = table_of(())
    assert (len(table), list(table), table.paper_ids()) == (0, [], ())
    assert table.years().shape == table.published_days().shape == (0,)


def test_a_year_comes_from_the_date_where_none_is_given():
    dated_paper = dataclasses.replace(BARE, date=date(2025, 12, 31))
    np.testing.assert_array_equal(table_of((FULL, BARE, YEAR_ONLY, dated_paper)).years(), [2020, np.nan, 1969, 2025])


def test_days_count_from_1970_and_a_year_alone_is_its_first_of_july():
    days = table_of(PAPERS).published_days()
    np.testing.assert_array_equal(
        days, [(date(2020, 9, 11) - date(1970, 1, 1)).days, np.nan, (date(1969, 7, 1) - date(1970, 1, 1)).days]
    )


def test_numbers_are_those_of_the_rows_taken():
    rows = table_of(PAPERS, percentiles=[1.0, None, 0.5]).take(np.array([1, 2]))
    np.testing.assert_array_equal(rows.citation_counts(), [np.nan, 3])
    np.testing.assert_array_equal(rows.citation_percentiles(), [np.nan, 0.5])
    np.testing.assert_array_equal(rows.years(), [np.nan, 1969])
    with pytest.raises(ValueError, match="read-only"):  # No reader can change the numbers of another.
        table_of(PAPERS).years()[0] = 1900


def test_keywords_that_were_found_come_before_those_that_were_given():
    first = Paper("a", "A", "B", keywords=("dust", "gas"), subjects=("ISM",))
    whole = table_of((first,), (Paper("b", "A", "B"), Paper("c", "A", "B", subjects=("stars",))))
    assert whole.keywords() == (("dust", "gas", "ISM"), (), ("stars",))
    assert whole.take(np.array([2, 0])).keywords() == (("stars",), ("dust", "gas", "ISM"))


def test_a_paper_is_found_by_its_id_and_an_unknown_id_is_minus_one():
    table = table_of((FULL,), (BARE, YEAR_ONLY))
    assert table.rows_of(["y", "gone", FULL.paper_id]).tolist() == [2, -1, 0]
    assert table.rows_of([]).tolist() == []
    assert table.take(np.array([2, 1])).rows_of(["y", FULL.paper_id]).tolist() == [0, -1]
    assert table_of(()).rows_of(["y"]).tolist() == [-1]
    assert table.rows_of(["\udcff", "y"]).tolist() == [-1, 2]


def test_papers_are_found_by_what_a_reader_has_typed_of_their_title():
    table = table_of((FULL, BARE), (YEAR_ONLY,))
    assert table.rows_with_title_words("plan res", 5).tolist() == [0]
    assert table.rows_with_title_words("A", 5).tolist() == [1, 2, 0]
    assert table.rows_with_title_words("A", 1).tolist() == [1]
    assert table.rows_with_title_words("$H_0$", 5).tolist() == [0]
    for words in (" ", "planck year"):
        assert table.rows_with_title_words(words, 5).tolist() == []
    assert table_of(()).rows_with_title_words("a", 5).tolist() == []


# Citation percentiles within a year -----------------------------------------------------------------


NAN = np.nan


@pytest.mark.parametrize(
    ("years", "counts", "ranks", "expected"),
    [
        # In 2020: of 0, 7, 7 and 9 citations, 1, 3, 3 and 4 of the 4 papers have no more.
        ([2020, 2020, 2019, 2020, 2020], [7, 0, 500, 9, 7], [NAN] * 5, [3 / 4, 1 / 4, 1, 1, 3 / 4]),
        # Papers without a year or a count have none and do not count.
        ([2020, 2020, NAN, 2020], [5, NAN, 9, 6], [NAN] * 4, [1 / 2, NAN, NAN, 1]),
        # Ranks 0, 10 and 99 in 1995: the first is cited at least as much as all 3, the last only as much as itself.
        ([1995, 1995, 1995, 1996], [NAN] * 4, [10, 0, 99, 99], [2 / 3, 1, 1 / 3, 1]),
        # By counts, the first is the lower of the two; by ranks, it would be the higher.
        ([1995, 1995, 1995], [1, 2, NAN], [0, 1, 2], [1 / 2, 1, 1 / 3]),
        ([], [], [], []),
    ],
)
def test_the_percentile_is_the_share_of_its_year_with_as_many_citations_or_fewer(years, counts, ranks, expected):
    shares = citation_percentiles(np.array(years), np.array(counts), np.array(ranks))
    np.testing.assert_array_equal(shares, expected)
