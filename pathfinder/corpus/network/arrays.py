"""The citation network as arrays on disk, memory-mapped: each paper's references, and the papers that cite it.

References to papers in the corpus are pairs of rows, stored twice: by the paper that cites and by the paper that is
cited. References to other works are positions in a sorted table of identifiers. Papers are related if both cite
the same works, or if the same papers cite both.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pathfinder.index.file_maps import check_starts, damage_error, open_array
from pathfinder.types import Floats, Rows

CITED_STARTS, CITED_ROWS = "cited_starts.npy", "cited.npy"
CITING_STARTS, CITING_ROWS = "citing_starts.npy", "citing.npy"
OUTSIDE_STARTS, OUTSIDE = "outside_starts.npy", "outside.npy"
WORKS = "works.arrow"

Starts = NDArray[np.int64]
Places = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """A list of numbers for each paper; all lists are stored one after another in a single array."""

    starts: Starts
    """Start of each paper's list, followed by the length of `values`, shape (n_papers + 1,)."""
    values: Places
    """The numbers, ascending and without repetition within each list."""

    def of(self, row: int) -> Rows:
        """Return the list of the paper at `row`."""
        return self.values[self.starts[row] : self.starts[row + 1]].astype(np.int64)

    def of_all(self, rows: Rows) -> Rows:
        """Return the lists of the papers at `rows`, one after another."""
        return np.concatenate([np.empty(0, dtype=np.int64), *(self.of(int(row)) for row in rows)])

    def followed_by(self, n: int) -> "Lists":
        """Return the lists, followed by `n` empty ones."""
        return Lists(np.append(self.starts, np.full(n, self.starts[-1])), self.values)

    def lengths(self) -> Rows:
        """Return the length of each list, shape (n_papers,)."""
        return np.diff(self.starts)

    def owners(self, places: Rows) -> Rows:
        """Return, for each of `places` in `values`, the row whose list contains it."""
        return np.searchsorted(self.starts, places, side="right") - 1


@dataclass(frozen=True, slots=True, eq=False)
class CitationNetwork:
    """References and citations between the papers in a corpus, and the works outside the corpus that they cite."""

    references: Lists
    """Rows of the papers that each paper cites."""
    citing: Lists
    """Rows of the papers that cite each paper."""
    outside: Lists
    """Positions in `works` of each paper's references to works outside the corpus."""
    works: pa.StringArray
    """Works outside the corpus, as `scheme:id`, each in the spelling of the first paper that cites it."""

    def __len__(self) -> int:
        """Number of papers in the corpus."""
        return len(self.references.starts) - 1

    @property
    def n_inside(self) -> int:
        """Number of references to papers in the corpus."""
        return len(self.references.values)

    @property
    def n_outside(self) -> int:
        """Number of references to works outside the corpus."""
        return len(self.outside.values)

    def followed_by(self, n: int) -> "CitationNetwork":
        """Return the network with `n` more papers at its end, which cite nothing and are not cited."""
        references, citing, outside = (lists.followed_by(n) for lists in (self.references, self.citing, self.outside))
        return CitationNetwork(references, citing, outside, self.works)

    def n_references(self) -> Rows:
        """Return the number of references of each paper, inside and outside the corpus, shape (n_papers,)."""
        return self.references.lengths() + self.outside.lengths()

    def outside_of(self, row: int) -> tuple[str, ...]:
        """Return the works outside the corpus that a paper cites, as `scheme:id`."""
        return tuple(self.works[int(place)].as_py() for place in self.outside.of(row))

    def citation_counts(self) -> Rows:
        """Return the number of papers in the corpus that cite each paper, shape (n_papers,)."""
        return self.citing.lengths()


def open_network(folder: Path) -> CitationNetwork:
    """Open the network written by `write_network`. Raises `CorpusDamaged` if a file is missing or altered."""
    try:
        with pa.memory_map(str(folder / WORKS)) as file:
            works = pa.ipc.open_file(file).read_all().column("work").combine_chunks()
    except (OSError, pa.ArrowInvalid) as error:
        raise damage_error(folder / WORKS, str(error)) from error
    references = _lists(folder, CITED_STARTS, CITED_ROWS)
    citing = _lists(folder, CITING_STARTS, CITING_ROWS)
    outside = _lists(folder, OUTSIDE_STARTS, OUTSIDE)
    n_papers = len(references.starts) - 1
    if not len(references.starts) == len(citing.starts) == len(outside.starts) or len(references.values) != len(
        citing.values
    ):
        raise damage_error(folder, "its arrays do not belong to one network")
    for lists, n, name in (
        (references, n_papers, CITED_ROWS),
        (citing, n_papers, CITING_ROWS),
        (outside, len(works), OUTSIDE),
    ):
        if len(lists.values) and not 0 <= int(lists.values.min()) <= int(lists.values.max()) < n:
            raise damage_error(folder / name, f"it has numbers outside 0..{n - 1}")
    return CitationNetwork(references, citing, outside, works)


def _lists(folder: Path, starts_name: str, values_name: str) -> Lists:
    starts = open_array(folder / starts_name, np.dtype(np.int64))
    values = open_array(folder / values_name, np.dtype(np.int32))
    check_starts(folder / starts_name, starts, max(len(starts) - 1, 0), len(values))
    # Plain views, because a slice of a `memmap` costs ten times as much.
    return Lists(np.asarray(starts), np.asarray(values))


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
