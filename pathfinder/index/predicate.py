"""A filter as data: it describes the papers that a search may find, in a form that any engine can translate.

A server turns it into an expression, the embedded indexes into a mask over their rows.
"""

from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.types import Floats, Rows

Mask = NDArray[np.bool_]
"""True for the papers that may be found, shape (n_papers,)."""


class PaperColumns(Protocol):
    """The properties of papers that a predicate can test, by row."""

    def years(self) -> Floats:
        """Year of each paper; NaN where it is unknown."""

    def has_abstract(self) -> Mask:
        """True for the papers with an abstract."""

    def in_categories(self, categories: tuple[str, ...]) -> Mask:
        """True for the papers in at least one of `categories`."""

    def from_sources(self, sources: tuple[str, ...]) -> Mask:
        """True for the papers that appeared in one of `sources`."""


@dataclass(frozen=True, slots=True, eq=False)
class Predicate:
    """Conditions that a paper must all satisfy. A condition that is not set does not restrict anything."""

    year_from: int | None = None
    """First year, inclusive; a paper without a year fails both `year_from` and `year_to`."""
    year_to: int | None = None
    """Last year, inclusive."""
    categories: tuple[str, ...] = ()
    """The paper is in at least one of these arXiv categories."""
    sources: tuple[str, ...] = ()
    """The paper appeared in one of these journals, spelt as in the corpus."""
    has_abstract: bool | None = None
    """True: only papers with an abstract; False: only those without."""
    rows: Rows | None = None
    """Only these papers may be found, such as those in a region of the map."""
    excluded: Rows | None = None
    """These papers are excluded."""

    @property
    def is_open(self) -> bool:
        """True if every paper satisfies the predicate."""
        return not self.asks_columns and self.rows is None and self.excluded is None

    @property
    def asks_columns(self) -> bool:
        """True if it tests properties of papers and not only their rows."""
        is_set = (self.year_from is not None, self.year_to is not None, self.has_abstract is not None)
        return any(is_set) or bool(self.categories) or bool(self.sources)

    def within(self, rows: Rows) -> Self:
        """Return the same conditions, restricted to `rows`."""
        return replace(self, rows=np.unique(rows) if self.rows is None else np.intersect1d(self.rows, rows))

    def without(self, rows: Rows) -> Self:
        """Return the same conditions, with `rows` excluded."""
        return replace(self, excluded=np.unique(rows) if self.excluded is None else np.union1d(self.excluded, rows))

    def mask(self, n_papers: int, columns: PaperColumns | None) -> Mask | None:
        """Return the mask of the papers that satisfy it, shape (n_papers,); `None` if all do.

        Raises `ValueError` if it tests properties and there are no `columns` to read them from.
        """
        if self.is_open:
            return None
        mask = np.ones(n_papers, dtype=np.bool_)
        if self.asks_columns:
            if columns is None:
                raise ValueError(
                    "this index was opened without the columns of its papers: open it with them, or filter by rows"
                )
            _apply_columns(self, columns, mask)
        if self.rows is not None:
            chosen = np.zeros(n_papers, dtype=np.bool_)
            chosen[self.rows] = True
            mask &= chosen
        if self.excluded is not None:
            mask[self.excluded] = False
        return mask


EVERY_PAPER = Predicate()
"""The predicate that every paper satisfies."""


def _apply_columns(predicate: Predicate, columns: PaperColumns, mask: Mask) -> None:
    if predicate.year_from is not None:
        mask &= columns.years() >= predicate.year_from
    if predicate.year_to is not None:
        mask &= columns.years() <= predicate.year_to
    if predicate.categories:
        mask &= columns.in_categories(predicate.categories)
    if predicate.sources:
        mask &= columns.from_sources(predicate.sources)
    if predicate.has_abstract is not None:
        mask &= columns.has_abstract() == predicate.has_abstract
