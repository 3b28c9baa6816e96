"""Papers stored as columns: a table that creates `Paper` objects row by row."""

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial, reduce
from typing import TypeVar, overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.corpus.paper_columns import (
    PAPER_SCHEMA,
    TABLE_SCHEMA,
    as_floats,
    batch_of,
    floats_of,
    paper_of,
    papers_of,
    years_of,
)
from pathfinder.corpus.properties import from_sources, in_categories, in_venues, property_counts, refereed
from pathfinder.corpus.wording import Wording
from pathfinder.errors import UsageError
from pathfinder.index.authors import AuthorLists, ByAuthors
from pathfinder.types import Floats, Paper, Rows

_MONTHS_TO_JULY = 6
MAX_FILTERS, MAX_PAPERS = 16, 1024
"""Maximum numbers of filters of each kind and of papers that are kept in memory; a filter takes a byte per paper."""
_Scalar = TypeVar("_Scalar", bound=np.generic)


class PaperTable(Sequence[Paper]):
    """Papers, in the order of the corpus or of the selected rows.

    Nothing is copied: a selection shares the columns, and a `Paper` is created only when it is read.
    """

    def __init__(self, table: pa.Table, rows: Rows | None = None, columns: "_Columns | None" = None) -> None:
        """Wrap `table` (whose schema is `TABLE_SCHEMA`), or only its `rows`; `columns` holds any columns already
        computed.
        """
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
        # `range` handles negative indices, and rejects those out of range, as a list would.
        place = range(len(self))[index]
        return self._columns.paper(place if self._rows is None else int(self._rows[place]))

    def __iter__(self) -> Iterator[Paper]:
        if self._rows is None:
            return self._columns.papers()
        return (self._columns.paper(int(row)) for row in self._rows)

    def take(self, rows: Rows) -> "PaperTable":
        """Select the papers at `rows` of this table, in that order, sharing the same columns."""
        rows = np.asarray(rows, dtype=np.int64)
        return PaperTable(self._columns.table, rows if self._rows is None else self._rows[rows], self._columns)

    def followed_by(self, papers: Sequence[Paper]) -> "PaperTable":
        """Return a table of all papers in the whole corpus, followed by `papers`, whose percentiles are unknown."""
        more = pa.Table.from_batches([batch_of(papers)], PAPER_SCHEMA)
        percentile = TABLE_SCHEMA.field("citation_percentile")
        new_columns = _Columns(more.append_column(percentile, pa.nulls(len(papers), percentile.type)))
        all_columns = _JoinedColumns(self._columns, new_columns)
        return PaperTable(all_columns.table, columns=all_columns)

    def years(self) -> Floats:
        """Year of each paper, or the year of its date; NaN where neither is known."""
        return self._at_rows(self._columns.years)

    def published_days(self) -> Floats:
        """Days from 1970-01-01 to publication; if only the year is known, it counts as 1 July; NaN where neither is
        known.
        """
        return self._at_rows(self._columns.published_days)

    def newest_day(self) -> datetime.date | None:
        """The day of the newest paper; `None` if no paper has a date."""
        days = self.published_days()
        known_days = days[~np.isnan(days)]
        return datetime.date(1970, 1, 1) + datetime.timedelta(days=float(known_days.max())) if len(known_days) else None

    def citation_counts(self) -> Floats:
        """Citations of each paper; NaN where unknown."""
        return self._at_rows(self._columns.citation_counts)

    def citation_percentiles(self) -> Floats:
        """Percentile of each paper's citations among the papers of its year, in (0, 1]; NaN where unknown."""
        return self._at_rows(self._columns.citation_percentiles)

    def has_abstract(self) -> NDArray[np.bool_]:
        """True for the papers with an abstract, shape (n,)."""
        return self._at_rows(self._columns.has_abstract)

    def by_authors(self, names: tuple[str, ...]) -> ByAuthors:
        """Return the papers by any of the authors `names`, and the spellings of these names (`index/authors.py`)."""
        by_authors = self._columns.by_authors(names)
        return by_authors if self._rows is None else ByAuthors(by_authors.mask[self._rows], by_authors.spellings)

    def in_categories(self, categories: tuple[str, ...]) -> NDArray[np.bool_]:
        """True for the papers in at least one of `categories` or their subclasses, shape (n,): astro-ph includes
        astro-ph.GA.
        """
        return self._at_rows(self._columns.in_categories(categories))

    def in_venues(self, venues: tuple[str, ...]) -> NDArray[np.bool_]:
        """True for the papers that appeared in one of `venues`, ignoring case, shape (n,)."""
        return self._at_rows(self._columns.in_venues(venues))

    def from_sources(self, sources: tuple[str, ...]) -> NDArray[np.bool_]:
        """True for the papers that one of `sources` describes, such as "openalex", shape (n,)."""
        return self._at_rows(self._columns.from_sources(sources))

    def refereed(self, *, is_refereed: bool) -> NDArray[np.bool_]:
        """True for the papers known to be refereed, or known not to be, shape (n,); `False` where this is unknown."""
        return self._at_rows(self._columns.refereed(is_refereed))

    def property_counts(self, name: str) -> Mapping[str, int]:
        """Count the papers by category, venue or source, most frequent first; empty if no paper has that property."""
        return self._columns.property_counts(name)

    def with_ids(self, paper_ids: Iterable[str]) -> NDArray[np.bool_]:
        """True for the papers with one of `paper_ids`, shape (n,)."""
        mask = np.zeros(len(self), dtype=np.bool_)
        is_listed = pc.is_in(self.column("paper_id"), value_set=pa.array(list(paper_ids), pa.string()))
        mask[pc.indices_nonzero(is_listed).to_pylist()] = True
        return mask

    def paper_ids(self) -> tuple[str, ...]:
        """The id of each paper."""
        return tuple(self.column("paper_id").to_pylist())

    def titles(self) -> tuple[str, ...]:
        """The title of each paper."""
        return tuple(self.column("title").to_pylist())

    def keywords(self) -> tuple[tuple[str, ...], ...]:
        """Return the keywords extracted from each paper, followed by the subjects supplied with it."""
        own_keywords, subjects = self._columns.table.column("keywords"), self._columns.table.column("subjects")
        if self._rows is None:
            pairs = zip(own_keywords.to_pylist(), subjects.to_pylist(), strict=True)
            return tuple((*extracted_terms, *own) for extracted_terms, own in pairs)
        # Read row by row: for lists, Arrow's `take` would first concatenate all chunks, however few rows were wanted.
        return tuple((*own_keywords[row].as_py(), *subjects[row].as_py()) for row in self._rows.tolist())

    def rows_of(self, paper_ids: Sequence[str]) -> Rows:
        """Return the row of each id, shape (len(paper_ids),); -1 for an id that is not in the table."""
        # Arrow holds no half of a character, which an argument that is not UTF-8 has.
        ids = [None if re.search("[\ud800-\udfff]", paper_id) else paper_id for paper_id in paper_ids]
        rows = pc.index_in(pa.array(ids, pa.string()), value_set=self.column("paper_id").combine_chunks())
        return np.array(pc.fill_null(rows, -1).to_pylist(), dtype=np.int64)

    def known_rows(self, paper_ids: Sequence[str]) -> Rows:
        """Return the row of each id. Raises `UsageError` for an id that is not in the table."""
        rows = self.rows_of(paper_ids)
        for paper_id, row in zip(paper_ids, rows, strict=True):
            if row < 0:
                raise UsageError(f"no paper in this corpus has the id {paper_id!r}: `pathfinder search` shows ids")
        return rows

    def rows_with_title_words(self, text: str, n: int) -> Rows:
        """Return at most `n` rows of papers whose title contains every word of `text` as the beginning of a word,
        ignoring case.

        The shortest title comes first. A text without words matches nothing.
        """
        titles = self.column("title")
        matches = [pc.match_substring(titles, word, ignore_case=True) for word in text.split()]
        if not matches:
            return np.empty(0, dtype=np.int64)
        rows = np.flatnonzero(np.array(reduce(pc.and_, matches).to_pylist(), dtype=np.bool_))
        lengths = np.array(pc.utf8_length(titles.take(pa.array(rows))).to_pylist(), dtype=np.int64)
        return rows[np.lexsort((rows, lengths))[:n]]

    @property
    def wording(self) -> Wording:
        """Words and abbreviations of the whole corpus, even if only some rows are selected; papers that live sources
        add count for nothing.
        """
        return self._columns.wording

    def column(self, name: str) -> pa.ChunkedArray:
        """Return one column of `TABLE_SCHEMA`, for work on a whole corpus."""
        column = self._columns.table.column(name)
        return column if self._rows is None else _take_rows(column, self._rows)

    def _at_rows(self, column: NDArray[_Scalar]) -> NDArray[_Scalar]:
        return column if self._rows is None else column[self._rows]


class _Columns:
    """The whole table, with the columns from which weights are computed; each column is computed only once.

    Of two tables as one, whose `parts` are given, columns already computed for the first are not computed again.
    """

    def __init__(self, table: pa.Table, parts: "tuple[_Columns, ...]" = ()) -> None:
        self.table, self.parts = table, parts
        self.n_papers: int = table.num_rows
        self.wording = Wording(table)
        # Cached, because all indexes of a search test the same filter, and a search reads its hits twice.
        self.by_authors = lru_cache(MAX_FILTERS)(self.author_lists.papers_by)
        self.in_categories = lru_cache(MAX_FILTERS)(partial(in_categories, table))
        self.in_venues = lru_cache(MAX_FILTERS)(partial(in_venues, table))
        self.from_sources = lru_cache(MAX_FILTERS)(partial(from_sources, table))
        self.refereed = lru_cache(MAX_FILTERS)(partial(refereed, table))
        self.property_counts = lru_cache(MAX_FILTERS)(partial(property_counts, table))
        self.paper = lru_cache(MAX_PAPERS)(
            lambda row: paper_of({name: table.column(name)[row].as_py() for name in PAPER_SCHEMA.names})
        )

    def papers(self) -> Iterator[Paper]:
        for batch in self.table.select(PAPER_SCHEMA.names).to_batches():
            yield from papers_of(batch)

    @cached_property
    def author_lists(self) -> AuthorLists:
        return AuthorLists(self.table.column("authors"))

    @cached_property
    def years(self) -> Floats:
        return self._joined("years", lambda: years_of(self.table))

    @cached_property
    def published_days(self) -> Floats:
        def days() -> Floats:
            mid_year = self.years - 1970
            is_known = ~np.isnan(mid_year)
            months = mid_year[is_known].astype(np.int64) * 12 + _MONTHS_TO_JULY
            mid_year[is_known] = months.astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
            dates = as_floats(self.table.column("date").cast(pa.int32()))
            return np.where(np.isnan(dates), mid_year, dates)

        return self._joined("published_days", days)

    @cached_property
    def has_abstract(self) -> NDArray[np.bool_]:
        present = pc.greater(pc.binary_length(self.table.column("abstract")), 0)
        return self._joined("has_abstract", lambda: np.array(present.to_pylist(), dtype=np.bool_))

    @cached_property
    def citation_counts(self) -> Floats:
        return self._joined("citation_counts", lambda: floats_of(self.table, "citation_count"))

    @cached_property
    def citation_percentiles(self) -> Floats:
        return self._joined("citation_percentiles", lambda: floats_of(self.table, "citation_percentile"))

    def _joined(self, name: str, own: Callable[[], NDArray[_Scalar]]) -> NDArray[_Scalar]:
        """Return a column, read-only, because all tables share these columns, and return them or slices of them."""
        column = np.concatenate([getattr(part, name) for part in self.parts]) if self.parts else own()
        column.flags.writeable = False
        return column


class _JoinedColumns(_Columns):
    """Two tables as one."""

    def __init__(self, first: _Columns, second: _Columns) -> None:
        table = pa.concat_tables([first.table, second.table.cast(first.table.schema)])
        super().__init__(table, (first, second))
        for name in ("in_categories", "in_venues", "from_sources", "refereed"):
            setattr(self, name, lru_cache(MAX_FILTERS)(partial(self._filter, name)))
        self.by_authors = lru_cache(MAX_FILTERS)(self._by_authors)
        self.property_counts = first.property_counts
        self.wording = first.wording

    def _filter(self, name: str, value: object) -> NDArray[np.bool_]:
        return np.concatenate([getattr(part, name)(value) for part in self.parts])

    def _by_authors(self, names: tuple[str, ...]) -> ByAuthors:
        first, second = (part.by_authors(names) for part in self.parts)
        spellings = dict.fromkeys((*first.spellings, *second.spellings))
        return ByAuthors(np.concatenate([first.mask, second.mask]), tuple(spellings))


def _take_rows(column: pa.ChunkedArray, rows: Rows) -> pa.ChunkedArray:
    """Return `column.take(rows)`, reading only the chunks that contain those rows: Arrow would first concatenate all
    chunks.
    """
    ends = np.cumsum([len(chunk) for chunk in column.iterchunks()], dtype=np.int64)
    chunk_of = np.searchsorted(ends, rows, side="right")
    order = np.argsort(chunk_of, kind="stable")
    chunks = []
    for i in np.unique(chunk_of):
        chunk = column.chunk(int(i))
        chunks.append(chunk.take(_places(rows[order][chunk_of[order] == i] - (ends[i] - len(chunk)))))
    all_chunks = pa.chunked_array(chunks, column.type).combine_chunks()
    return pa.chunked_array([all_chunks.take(_places(np.argsort(order, kind="stable")))], column.type)


def _places(rows: Rows) -> pa.Array:
    # `pa.array` would import pandas, which a search does not need and which takes half a second.
    return pa.Array.from_buffers(pa.int64(), len(rows), [None, pa.py_buffer(np.ascontiguousarray(rows, np.int64))])
