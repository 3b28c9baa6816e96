"""A filter as data: it describes the papers that a search may find, in a form that every engine can translate.

It names papers by their ids, never by their place in an index: a server turns it into an expression, the embedded
indexes into a mask over their rows.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.authors import ByAuthors
from pathfinder.types import Floats

Mask = NDArray[np.bool_]
"""True for the papers that may be found, shape (n_papers,)."""


class PaperColumns(Protocol):
    """The properties of papers that a predicate can test, by row."""

    def with_ids(self, paper_ids: Iterable[str]) -> Mask:
        """True for the papers with one of `paper_ids`; ids that no paper has are ignored."""

    def years(self) -> Floats:
        """Year of each paper; NaN where it is unknown."""

    def has_abstract(self) -> Mask:
        """True for the papers with an abstract."""

    def in_categories(self, categories: tuple[str, ...]) -> Mask:
        """True for the papers in at least one of `categories`."""

    def by_authors(self, names: tuple[str, ...]) -> ByAuthors:
        """Papers by at least one of the authors in `names`."""

    def in_venues(self, venues: tuple[str, ...]) -> Mask:
        """True for the papers that appeared in one of `venues`."""

    def from_sources(self, sources: tuple[str, ...]) -> Mask:
        """True for the papers that one of `sources` describes."""

    def refereed(self, *, is_refereed: bool) -> Mask:
        """True for the papers known to be refereed or, if `is_refereed` is false, known not to be."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """Conditions, all of which a paper must satisfy. A condition that is not set restricts nothing."""

    year_from: int | None = None
    """First year, inclusive; a paper without a year fails both `year_from` and `year_to`."""
    year_to: int | None = None
    """Last year, inclusive."""
    categories: tuple[str, ...] = ()
    """The paper is in at least one of these arXiv categories, or in a subclass of one."""
    authors: tuple[str, ...] = ()
    """The paper is by at least one of these authors; a name with ^ before it must be that of the first author."""
    venues: tuple[str, ...] = ()
    """The paper appeared in one of these journals or series."""
    sources: tuple[str, ...] = ()
    """At least one of these sources, such as "openalex", describes the paper."""
    refereed: bool | None = None
    """True: only papers known to be refereed; False: only those known not to be."""
    has_abstract: bool | None = None
    """True: only papers with an abstract; False: only those without."""
    ids: frozenset[str] | None = None
    """Only papers with these ids may be found, such as those in a region of the map."""
    excluded_ids: frozenset[str] = frozenset()
    """Papers with these ids are excluded."""

    @property
    def is_open(self) -> bool:
        """True if every paper satisfies the predicate."""
        return self == EVERY_PAPER

    def within(self, paper_ids: Iterable[str]) -> Self:
        """Return the same conditions, restricted to the papers with these ids."""
        ids = frozenset(paper_ids)
        return replace(self, ids=ids if self.ids is None else self.ids & ids)

    def without(self, paper_ids: Iterable[str]) -> Self:
        """Return the same conditions, excluding the papers with these ids."""
        return replace(self, excluded_ids=self.excluded_ids.union(paper_ids))

    def mask(self, n_papers: int, columns: PaperColumns | None) -> Mask | None:
        """Return the mask of the papers that satisfy the predicate, shape (n_papers,); `None` if all do.

        Raises `ValueError` if the predicate sets a condition and there are no `columns` to test it on.
        """
        if self.is_open:
            return None
        if columns is None:
            raise ValueError("this index was opened without the columns of its papers: open it with them to filter it")
        mask = np.ones(n_papers, dtype=np.bool_)
        for name, test in _TESTS.items():
            value = getattr(self, name)
            if value != getattr(EVERY_PAPER, name):
                mask &= test(columns, value)
        return mask


EVERY_PAPER = Predicate()
"""The predicate that every paper satisfies."""


_TESTS: Mapping[str, Callable[[PaperColumns, Any], Mask]] = {
    "year_from": lambda columns, year: columns.years() >= year,
    "year_to": lambda columns, year: columns.years() <= year,
    "categories": lambda columns, categories: columns.in_categories(categories),
    "authors": lambda columns, names: columns.by_authors(names).mask,
    "venues": lambda columns, venues: columns.in_venues(venues),
    "sources": lambda columns, sources: columns.from_sources(sources),
    "refereed": lambda columns, is_refereed: columns.refereed(is_refereed=is_refereed),
    "has_abstract": lambda columns, has_abstract: columns.has_abstract() == has_abstract,
    "ids": lambda columns, ids: columns.with_ids(ids),
    "excluded_ids": lambda columns, ids: ~columns.with_ids(ids),
}
"""For each condition, by the name of its field: the function that tests the columns of the papers for it."""
