"""The columns in which papers are stored, and the conversion of papers to columns and of rows to papers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

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
    return pa.ListArray.from_arrays(np.zeros(n_rows + 1, dtype=np.int32), pa.nulls(0, field.type.value_type))


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
