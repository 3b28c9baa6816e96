"""Papers related to a paper because both cite the same works, or because the same papers cite both."""

from typing import NamedTuple

import numpy as np

from pathfinder.corpus.network.arrays import CitationNetwork, Lists
from pathfinder.types import Floats, Rows


class Relatives(NamedTuple):
    """Papers related to a paper, closest first."""

    rows: Rows
    n_shared: Rows
    """Number of papers that cite both, or of works that both cite."""
    similarity: Floats
    """Salton's cosine, `n_shared / sqrt(n_a n_b)`, in (0, 1], where n_a and n_b are the numbers of citations, or of
    references, of the two papers.
    """


def co_cited(network: CitationNetwork, row: int) -> Relatives:
    """Return the papers that papers in the corpus cite together with a given paper (Small 1973)."""
    counts = _count_rows(network.references.of_all(network.citing.of(row)), len(network))
    return _closest_first(row, counts, network.citation_counts())


def coupled_papers(network: CitationNetwork, row: int) -> Relatives:
    """Return the papers that cite works, in the corpus or outside it, that a given paper also cites (bibliographic
    coupling, Kessler 1963).
    """
    inside = network.citing.of_all(network.references.of(row))
    outside = _owners_of(network.outside, network.outside.of(row))
    counts = _count_rows(np.concatenate([inside, outside]), len(network))
    return _closest_first(row, counts, network.n_references())


def _owners_of(lists: Lists, values: Rows) -> Rows:
    """Return the row of every list that contains one of `values`, once for each value that it contains.

    No array lists the papers that cite a work outside the corpus: such an array would take up as much space again as
    the lists, and a scan is fast enough.
    """
    if not len(values):
        return np.empty(0, dtype=np.int64)
    is_wanted = np.zeros(int(lists.values.max()) + 1, dtype=np.bool_)
    is_wanted[values] = True
    return lists.owners(np.flatnonzero(is_wanted[lists.values]))


def _count_rows(rows: Rows, n_papers: int) -> Rows:
    return np.bincount(rows, minlength=n_papers)


def _closest_first(row: int, counts: Rows, sizes: Rows) -> Relatives:
    """Order the papers by how much they share with the paper at `row`, then by similarity; ties keep the corpus's
    order.
    """
    rows = np.flatnonzero(counts)
    rows = rows[rows != row]
    n_shared = counts[rows]
    similarity = n_shared / np.sqrt(np.maximum(1, sizes[row]) * np.maximum(1, sizes[rows]))
    order = np.lexsort((rows, -similarity, -n_shared))
    return Relatives(rows[order], n_shared[order], similarity[order])
