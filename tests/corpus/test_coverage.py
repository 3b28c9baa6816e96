"""Numbers of papers in a corpus by year, category, journal and source."""

import pyarrow as pa

from pathfinder.corpus.coverage import coverage
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.papers import PaperTable
from pathfinder.types import Paper, Provenance

PAPERS = (
    Paper(
        "a",
        "A",
        "abstract",
        year=2001,
        categories=("astro-ph.GA", "astro-ph.CO"),
        journal="Astrophys.J. 876 (2019) L26",
        citation_count=3,
        provenance=(Provenance("arxiv", "a", licence="CC0-1.0"), Provenance("openalex", "W1", licence="CC0-1.0")),
    ),
    Paper(
        "b",
        "B",
        "",
        year=2001,
        categories=("astro-ph.GA",),
        venue="Astrophys.J.",
        provenance=(Provenance("file", "b"),),
    ),
    Paper("c", "C", "abstract"),
)


def test_papers_are_counted_by_year_category_journal_and_source() -> None:
    table = pa.Table.from_batches([batch_of(PAPERS)], schema=PAPER_SCHEMA)
    counts = coverage(PaperTable(table.append_column("citation_percentile", pa.nulls(3, pa.float64()))))
    assert counts.by_year == {2001: 2}
    assert counts.by_category == {"astro-ph.GA": 2, "astro-ph.CO": 1}
    assert counts.by_journal == {"Astrophys.J.": 2}
    assert counts.by_source == {"arxiv": 1, "openalex": 1, "file": 1}
    assert counts.by_licence == {"CC0-1.0": 1, "unknown": 1}
    assert (counts.without_abstract, counts.without_date, counts.without_citation_count) == (1, 1, 2)
