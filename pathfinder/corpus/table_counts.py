"""Counts the papers in a table that have each kind of metadata, and computes each paper's citation percentile."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from pathfinder.corpus.manifest import Counts
from pathfinder.corpus.paper_columns import TABLE_SCHEMA, floats_of, years_of
from pathfinder.types import Floats

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
