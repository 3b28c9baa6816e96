"""Properties of papers by which a search can be filtered: category, venue, source, refereed or not."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pathfinder.text.spelling import fold

Mask = NDArray[np.bool_]
"""True for the papers with a property, shape (n_papers,)."""

_JOURNAL = re.compile(r"\D*[^\W\d_][).]?(?=[\s,]*(?:vol\.?\s*)?[\d(]|[\s,]*$)", re.IGNORECASE)
"""Name of a journal before its volume, year or page."""


def in_categories(table: pa.Table, categories: tuple[str, ...]) -> Mask:
    """Select the papers in at least one of `categories` or their subclasses."""
    folded_categories = tuple(map(fold, categories))

    def is_in(own: str) -> bool:
        return any(fold(own) == category or fold(own).startswith(f"{category}.") for category in folded_categories)

    return _with_any(table.column("categories"), is_in)


def in_venues(table: pa.Table, venues: tuple[str, ...]) -> Mask:
    """Select the papers that appeared in one of `venues`; for a paper without a venue, the name of its journal
    counts.
    """
    folded_venues = {fold(venue) for venue in venues}
    return _with_value(_venues(table), lambda own: fold(_name_of(own)) in folded_venues)


def from_sources(table: pa.Table, sources: tuple[str, ...]) -> Mask:
    """Select the papers that at least one of `sources` describes."""
    folded_sources = {fold(source) for source in sources}
    return _with_any(_sources(table), lambda own: fold(own) in folded_sources)


def refereed(table: pa.Table, is_refereed: bool) -> Mask:
    """Select the papers known to be refereed, or those known not to be."""
    return _mask(pc.equal(table.column("refereed"), is_refereed), table.num_rows)


def property_counts(table: pa.Table, name: str) -> Mapping[str, int]:
    """Count the papers by `name`: "categories", "venues" or "sources", most frequent first; for "authors" and
    "refereed", count the papers for which these are known.
    """
    if name in ("authors", "refereed"):
        column = table.column(name)
        is_known = pc.greater(pc.list_value_length(column), 0) if name == "authors" else pc.is_valid(column)
        n_known = pc.sum(is_known).as_py() or 0
        return {name: n_known} if n_known else {}
    values: Iterable[str | None]
    if name == "venues":
        values = map(_name_of, _venues(table).drop_null().to_pylist())
    else:
        lists = table.column("categories") if name == "categories" else _sources(table)
        values = (value for own in lists.to_pylist() for value in set(own))
    return dict(Counter(value for value in values if value).most_common())


def _venues(table: pa.Table) -> pa.ChunkedArray:
    return pc.coalesce(table.column("venue"), table.column("journal"))


def _name_of(journal: str) -> str:
    """Return "Astrophys. J." for "Astrophys. J. 934 (2022) L7", and leave other names as they are."""
    name = _JOURNAL.match(journal)
    return name[0].strip() if name else journal


def _sources(table: pa.Table) -> pa.ChunkedArray:
    lists = [[origin["source"] for origin in own] for own in table.column("provenance").to_pylist()]
    return pa.chunked_array([pa.array(lists, pa.list_(pa.string()))])


def _with_any(lists: pa.ChunkedArray, meets: Callable[[str], bool]) -> Mask:
    """Select the rows of a column of lists in which at least one value `meets` a condition."""
    column = lists.combine_chunks()
    mask = np.zeros(len(column), dtype=np.bool_)
    is_met = _with_value(pc.list_flatten(column), meets)
    mask[np.array(pc.list_parent_indices(column).to_pylist(), dtype=np.int64)[is_met]] = True
    return mask


def _with_value(column: pa.ChunkedArray | pa.Array, meets: Callable[[str], bool]) -> Mask:
    """Select the rows whose value `meets` a condition, which is tested once for each distinct value."""
    values = [value for value in pc.unique(column).to_pylist() if value is not None and meets(value)]
    return _mask(pc.is_in(column, value_set=pa.array(values, pa.string())), len(column))


def _mask(column: pa.ChunkedArray | pa.Array, n_rows: int) -> Mask:
    mask = np.zeros(n_rows, dtype=np.bool_)
    mask[pc.indices_nonzero(pc.fill_null(column, False)).to_pylist()] = True
    return mask
