"""Papers as columns: the schema on disk, and a table that becomes `Paper` objects only row by row."""

import dataclasses
from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from pathlib import Path
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.types import Floats, Paper, Rows

_TEXT, _TEXTS = pa.string(), pa.list_(pa.string())

PAPER_SCHEMA = pa.schema(
    [
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
    ]
)
"""One column for every field of `Paper`, in its order."""

TABLE_SCHEMA = PAPER_SCHEMA.append(pa.field("citation_percentile", pa.float64()))
"""The columns of `papers.arrow`; the percentile is counted when the corpus is built."""

_FIELDS = tuple(field.name for field in dataclasses.fields(Paper))
_MONTHS_TO_JULY = 6


class PaperTable(Sequence[Paper]):
    """Papers in the order of the corpus, or of the rows that were taken from it.

    Nothing is copied: taking rows keeps the columns, and a `Paper` is made when it is asked for.
    """

    def __init__(self, table: pa.Table, rows: Rows | None = None, columns: "_Columns | None" = None) -> None:
        """Show `table` (its schema is `TABLE_SCHEMA`), or only its `rows`; `columns` are its own, if worked out."""
        self._columns = columns or _Columns(table)
        self._rows = rows

    def __len__(self) -> int:
        return self._columns.n_papers if self._rows is None else len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Paper: ...
    @overload
    def __getitem__(self, index: slice) -> "PaperTable": ...
    def __getitem__(self, index: int | slice) -> "Paper | PaperTable":
        if isinstance(index, slice):
            return self.take(np.arange(len(self), dtype=np.int64)[index])
        # `range` counts from the end, and refuses what lies outside, as a list would.
        place = range(len(self))[index]
        return self._columns.paper(place if self._rows is None else int(self._rows[place]))

    def __iter__(self) -> Iterator[Paper]:
        if self._rows is None:
            return self._columns.papers()
        return (self._columns.paper(int(row)) for row in self._rows)

    def take(self, rows: Rows) -> "PaperTable":
        """The papers at `rows` of this table, in that order, over the same columns."""
        rows = np.asarray(rows, dtype=np.int64)
        return PaperTable(self._columns.table, rows if self._rows is None else self._rows[rows], self._columns)

    def years(self) -> Floats:
        """Year of each paper, or of its date; NaN where neither is known."""
        return self._chosen(self._columns.years)

    def published_days(self) -> Floats:
        """Days from 1970-01-01 to publication; a year alone counts as 1 July, NaN where unknown."""
        return self._chosen(self._columns.published_days)

    def citation_counts(self) -> Floats:
        """Citations of each paper; NaN where unknown."""
        return self._chosen(self._columns.citation_counts)

    def citation_percentiles(self) -> Floats:
        """Percentile of each paper's citations among the papers of its year, (0, 1]; NaN where unknown."""
        return self._chosen(self._columns.citation_percentiles)

    def paper_ids(self) -> tuple[str, ...]:
        """The id of each paper."""
        return tuple(self._column("paper_id").to_pylist())

    def titles(self) -> tuple[str, ...]:
        """The title of each paper."""
        return tuple(self._column("title").to_pylist())

    def keywords(self) -> tuple[tuple[str, ...], ...]:
        """The keywords that were found in each paper, then the subjects that were given with it."""
        found, given = self._columns.table.column("keywords"), self._columns.table.column("subjects")
        if self._rows is None:
            return tuple((*ours, *theirs) for ours, theirs in zip(found.to_pylist(), given.to_pylist(), strict=True))
        # Row by row: Arrow's `take` joins all chunks of a column of lists first, however few rows are taken.
        return tuple((*found[row].as_py(), *given[row].as_py()) for row in self._rows.tolist())

    def rows_of(self, paper_ids: Sequence[str]) -> Rows:
        """The row of each id, shape (len(paper_ids),); -1 for an id that is not here."""
        found = pc.index_in(pa.array(paper_ids, _TEXT), value_set=self._column("paper_id").combine_chunks())
        return np.array(pc.fill_null(found, -1).to_pylist(), dtype=np.int64)

    def titled(self, text: str, n: int) -> Rows:
        """At most `n` rows of papers with every word of `text` in their title, as a reader types it: in any case,
        each word to be completed. The shortest title comes first; none for a text without words.
        """
        titles = self._column("title")
        held = [pc.match_substring(titles, word, ignore_case=True) for word in text.split()]
        if not held:
            return np.empty(0, dtype=np.int64)
        rows = np.flatnonzero(np.array(reduce(pc.and_, held).to_pylist(), dtype=np.bool_))
        lengths = np.array(pc.utf8_length(titles.take(pa.array(rows))).to_pylist(), dtype=np.int64)
        return rows[np.lexsort((rows, lengths))[:n]]

    def column(self, name: str) -> pa.ChunkedArray:
        """One column of `TABLE_SCHEMA`, for work on a whole corpus."""
        return self._column(name)

    def _column(self, name: str) -> pa.ChunkedArray:
        column = self._columns.table.column(name)
        return column if self._rows is None else _taken(column, self._rows)

    def _chosen(self, column: Floats) -> Floats:
        return column if self._rows is None else column[self._rows]


class _Columns:
    """The whole table, and the columns that weights are computed from, each worked out once."""

    def __init__(self, table: pa.Table) -> None:
        self.table = table
        self.n_papers: int = table.num_rows

    def paper(self, row: int) -> Paper:
        return _as_paper({name: self.table.column(name)[row].as_py() for name in _FIELDS})

    def papers(self) -> Iterator[Paper]:
        for batch in self.table.select(_FIELDS).to_batches():
            yield from papers_of(batch)

    @cached_property
    def years(self) -> Floats:
        return _frozen(years_of(self.table))

    @cached_property
    def published_days(self) -> Floats:
        mid_year = self.years - 1970
        known = ~np.isnan(mid_year)
        months = mid_year[known].astype(np.int64) * 12 + _MONTHS_TO_JULY
        mid_year[known] = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
        dates = _as_floats(self.table.column("date").cast(pa.int32()))
        return _frozen(np.where(np.isnan(dates), mid_year, dates))

    @cached_property
    def citation_counts(self) -> Floats:
        return _frozen(floats_of(self.table, "citation_count"))

    @cached_property
    def citation_percentiles(self) -> Floats:
        return _frozen(floats_of(self.table, "citation_percentile"))


def _taken(column: pa.ChunkedArray, rows: Rows) -> pa.ChunkedArray:
    """`column.take(rows)`, from those chunks alone that have some of them: Arrow would join all of them first."""
    ends = np.cumsum([len(chunk) for chunk in column.iterchunks()], dtype=np.int64)
    chunk_of = np.searchsorted(ends, rows, side="right")
    order = np.argsort(chunk_of, kind="stable")
    taken = []
    for i in np.unique(chunk_of):
        chunk = column.chunk(int(i))
        taken.append(chunk.take(pa.array(rows[order][chunk_of[order] == i] - (ends[i] - len(chunk)))))
    joined = pa.chunked_array(taken, column.type).combine_chunks()
    return pa.chunked_array([joined.take(pa.array(np.argsort(order, kind="stable")))], column.type)


def read_table(path: Path) -> pa.Table:
    """An Arrow file, memory-mapped."""
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def years_of(table: pa.Table) -> Floats:
    """The year, or the date's year, of each row; NaN where neither is known."""
    return _as_floats(pc.coalesce(table.column("year"), pc.year(table.column("date"))))


def floats_of(table: pa.Table, column: str) -> Floats:
    """A column of numbers; NaN where nothing is known."""
    return _as_floats(table.column(column))


def batch_of(papers: Sequence[Paper]) -> pa.RecordBatch:
    """`papers` as columns of `PAPER_SCHEMA`."""
    columns = [pa.array([getattr(paper, f.name) for paper in papers], f.type) for f in PAPER_SCHEMA]
    return pa.record_batch(columns, schema=PAPER_SCHEMA)


def papers_of(batch: pa.RecordBatch) -> Iterator[Paper]:
    """The rows of a batch of `PAPER_SCHEMA` as papers."""
    return map(_as_paper, batch.to_pylist())


def _as_paper(values: dict[str, object]) -> Paper:
    """A row as a paper; Arrow's lists become tuples."""
    return Paper(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})  # type: ignore[arg-type]


def _as_floats(column: pa.ChunkedArray) -> Floats:
    # Not `to_numpy`, which imports pandas: that would take half a second of the first question.
    return np.array(column.to_pylist(), dtype=np.float64)


def _frozen(column: Floats) -> Floats:
    # Every result of every reader is cut from these columns.
    column.flags.writeable = False
    return column
