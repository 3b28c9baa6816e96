"""A predicate as a filter for the server."""

from dataclasses import replace

import numpy as np

from pathfinder.index.predicate import PaperColumns, Predicate

YEAR_UNKNOWN = -32_768
"""Year that the server stores for papers without one: below any year that a filter can name."""
_LATEST = 32_767


def expression(predicate: Predicate, n_papers: int, columns: PaperColumns | None) -> str:
    """Return `predicate` in the language of Milvus; an empty text admits every paper.

    The server itself checks years and whether there is an abstract. Papers that satisfy the other conditions are looked
    up in `columns` and listed by their rows in the corpus; if most papers do, those that do not are listed instead.
    """
    conditions = []
    if predicate.year_from is not None:
        conditions.append(f"year >= {max(predicate.year_from, YEAR_UNKNOWN + 1)}")
    if predicate.year_to is not None:
        conditions.append(f"year > {YEAR_UNKNOWN} and year <= {min(predicate.year_to, _LATEST)}")
    if predicate.has_abstract is not None:
        conditions.append(f"has_abstract == {str(predicate.has_abstract).lower()}")
    others = replace(predicate, year_from=None, year_to=None, has_abstract=None)
    mask = others.mask(n_papers, columns)
    if mask is not None:
        conditions.append(_row_list(mask))
    return " and ".join(f"({condition})" for condition in conditions)


def _row_list(mask: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    inside, outside = np.flatnonzero(mask), np.flatnonzero(~mask)
    if len(inside) <= len(outside):
        return f"paper in {inside.tolist()}"
    return f"paper not in {outside.tolist()}"
