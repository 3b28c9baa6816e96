"""The columns in which papers are stored, and the conversion of papers to columns and of rows to papers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.corpus.manifest import Counts
from pathfinder.index.file_maps import map_file
from pathfinder.types import Floats, Paper, Provenance

_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())

_COLUMNS_OF_0_1 = (
    pa.field("paper_id", _TEXT, nullable=False),
    pa.field("title", _TEXT, nullable=False),
    pa.field("abstract", _TEXT, nullable=False),
    pa.field("is_summary", pa.bool_(), nullable=False),
    pa.field("authors", _TEXTS, nullable=False),
    pa.field("n_authors", pa.int64()),
    pa.field("year", pa.int64()),
    pa.field("date", pa.date32()),
    pa.field("journal", _TEXT),
    pa.field("categories", _TEXTS, nullable=False),
    pa.field("subjects", _TEXTS, nullable=False),
    pa.field("keywords", _TEXTS, nullable=False),
    pa.field("citation_count", pa.int64()),
    pa.field("citation_rank_in_year", pa.int64()),
    pa.field("is_review", pa.bool_(), nullable=False),
    pa.field("bibcode", _TEXT),
    pa.field("arxiv_id", _TEXT),
    pa.field("doi", _TEXT),
)
"""Columns that every corpus has."""

_PROVENANCE = pa.struct(
    [
        pa.field("source", _TEXT, nullable=False),
        pa.field("record_id", _TEXT, nullable=False),
        pa.field("version", _TEXT),
        pa.field("retrieved", pa.date32()),
        pa.field("licence", _TEXT),
    ]
)

_LATER_COLUMNS = (
    pa.field("openalex_id", _TEXT),
    pa.field("pmid", _TEXT),
    pa.field("other_ids", _TEXTS, nullable=False),
    pa.field("venue", _TEXT),
    pa.field("refereed", pa.bool_()),
    pa.field("preprint_date", pa.date32()),
    pa.field("citations_from", _TEXT),
    pa.field("citations_on", pa.date32()),
    pa.field("references", _TEXTS, nullable=False),
    pa.field("status", _TEXT),
    pa.field("status_from", _TEXT),
    pa.field("provenance", pa.list_(_PROVENANCE), nullable=False),
    pa.field("omits_authors", pa.bool_()),
    pa.field("record_fields", _TEXTS, nullable=False),
)
"""Columns that older corpora lack; `read_table` adds them, empty. A new field of `Paper` belongs here."""

PAPER_SCHEMA = pa.schema([*_COLUMNS_OF_0_1, *_LATER_COLUMNS])
"""One column for every field of `Paper`, in the same order."""

TABLE_SCHEMA = PAPER_SCHEMA.append(pa.field("citation_percentile", pa.float64()))
"""Columns of `papers.arrow`; the percentile is computed when the corpus is built."""


def read_table(path: Path) -> pa.Table:
    """Open an Arrow file of papers, memory-mapped; columns that an older version did not write are empty."""
    table = pa.ipc.open_file(pa.BufferReader(pa.py_buffer(map_file(path)))).read_all()
    missing = [field for field in _LATER_COLUMNS if field.name not in table.schema.names]
    if not missing:
        return table
    for field in missing:
        table = table.append_column(field, _nothing(field, table.num_rows))
    last = [name for name in table.schema.names if name not in PAPER_SCHEMA.names]
    return table.select([*(name for name in PAPER_SCHEMA.names if name in table.schema.names), *last])


def _nothing(field: pa.Field, n_rows: int) -> pa.Array:
    """Return a column without values: nulls or, for a column that allows none, empty lists."""
    if field.nullable:
        return pa.nulls(n_rows, field.type)
    # Not `from_arrays`, because it imports pandas, as `pa.array` does.
    starts = pa.py_buffer(np.zeros(n_rows + 1, dtype=np.int32))
    return pa.Array.from_buffers(field.type, n_rows, [None, starts], children=[pa.nulls(0, field.type.value_type)])


def years_of(table: pa.Table) -> Floats:
    """Return the year of each row, or the year of its date; NaN where neither is known."""
    return as_floats(pc.coalesce(table.column("year"), pc.year(table.column("date"))))


def floats_of(table: pa.Table, column: str) -> Floats:
    """Return a column of numbers; NaN where a value is unknown."""
    return as_floats(table.column(column))


def as_floats(column: pa.ChunkedArray) -> Floats:
    """Return a column of numbers as an array; NaN where a value is unknown."""
    # Not `to_numpy`, because it imports pandas, which would add half a second to the first question.
    return np.array(column.to_pylist(), dtype=np.float64)


def batch_of(papers: Sequence[Paper]) -> pa.RecordBatch:
    """Convert `papers` to columns of `PAPER_SCHEMA`."""
    columns = {field.name: [getattr(paper, field.name) for paper in papers] for field in PAPER_SCHEMA}
    columns["provenance"] = [[asdict(record) for record in records] for records in columns["provenance"]]
    return pa.record_batch([pa.array(columns[f.name], f.type) for f in PAPER_SCHEMA], schema=PAPER_SCHEMA)


def papers_of(batch: pa.RecordBatch) -> Iterator[Paper]:
    """Yield the rows of a batch of `PAPER_SCHEMA` as papers."""
    return map(paper_of, batch.to_pylist())


def paper_of(row: Mapping[str, object]) -> Paper:
    """Convert a row to a paper; Arrow's lists become tuples, and its structures become records of provenance."""
    values = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    values["provenance"] = tuple(Provenance(**record) for record in row["provenance"])  # type: ignore[attr-defined]
    return Paper(**values)  # type: ignore[arg-type]


PERCENTILE = "citation_percentile"
"""Name of the column that `with_percentiles` adds."""


def with_percentiles(table: pa.Table) -> pa.Table:
    """Add a column to a table of `PAPER_SCHEMA`: each paper's citation percentile among the papers of its year."""
    percentiles = citation_percentiles(
        years_of(table), floats_of(table, "citation_count"), floats_of(table, "citation_rank_in_year")
    )
    column = pa.array(percentiles, pa.float64(), mask=np.isnan(percentiles))
    return table.append_column(TABLE_SCHEMA.field(PERCENTILE), column)


def count(table: pa.Table) -> Counts:
    """Count the papers in a table of `TABLE_SCHEMA`, and those with each kind of metadata."""
    return Counts(
        papers=table.num_rows,
        dated=int((~np.isnan(years_of(table))).sum()),
        with_citation_count=table.num_rows - table["citation_count"].null_count,
        with_authors=_n_filled(table, "authors"),
        with_keywords=_n_filled(table, "keywords"),
        with_subjects=_n_filled(table, "subjects"),
        summaries=int(pc.sum(table["is_summary"]).as_py() or 0),
        without_abstract=int(pc.sum(pc.equal(pc.binary_length(table["abstract"]), 0)).as_py() or 0),
    )


def _n_filled(table: pa.Table, column: str) -> int:
    return int(pc.sum(pc.greater(pc.list_value_length(table[column]), 0)).as_py() or 0)


def citation_percentiles(years: Floats, counts: Floats, ranks: Floats) -> Floats:
    """Return the percentile of each paper's citations among the papers of its year, in (0, 1]; NaN where unknown.

    For a paper with a citation count, this is the fraction of the year's papers with a known count that have no more
    citations than it. For a paper with only a rank within the year (0 is the most cited), it is the fraction of the
    year's ranked papers that have the same rank or are cited less.
    """
    by_count = _shares_at_or_below(years, counts)
    return np.where(np.isnan(by_count), _shares_at_or_below(years, -ranks), by_count)


def _shares_at_or_below(years: Floats, values: Floats) -> Floats:
    shares = np.full(len(years), np.nan)
    known_rows = np.flatnonzero(~(np.isnan(years) | np.isnan(values)))
    for year in np.unique(years[known_rows]):
        rows = known_rows[years[known_rows] == year]
        shares[rows] = np.searchsorted(np.sort(values[rows]), values[rows], side="right") / len(rows)
    return shares
