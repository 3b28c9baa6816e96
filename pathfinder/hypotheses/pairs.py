"""Pairs of concepts that are never keywords of the same paper, and what links them (Swanson 1986)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from pathfinder.hypotheses.concepts import Concepts
from pathfinder.landscape.statistics.significance import FDR, at_least, benjamini_hochberg
from pathfinder.types import Floats, Rows

MIN_TOGETHER = 2
"""Minimum number of papers in which two associated concepts occur together."""


@dataclass(frozen=True, slots=True, eq=False)
class Associations:
    """Pairs of concepts that occur together in more papers than chance would explain."""

    together: NDArray[np.int32]
    """Number of papers with both concepts, shape (n, n); on the diagonal, the number with that concept."""
    is_associated: NDArray[np.bool_]
    """Mask of the associated pairs, shape (n, n), symmetric."""
    is_comparable: NDArray[np.bool_]
    """Mask of the pairs that share no word, shape (n, n), symmetric."""

    @property
    def degrees(self) -> Rows:
        """Number of concepts associated with each, shape (n,)."""
        return np.asarray(self.is_associated.sum(axis=1), dtype=np.int64)


def associations_of(concepts: Concepts, n_papers: int) -> Associations:
    """Test every pair of concepts that share no word: they are associated if at least `MIN_TOGETHER` of the `n_papers`
    papers have both, and more than chance would explain (exact hypergeometric test, false discovery rate 5%).
    """
    together = (concepts.papers.T @ concepts.papers).toarray()
    is_comparable = ~_shares_a_word(concepts)
    first, second = np.nonzero(np.triu(is_comparable & (together > 0), 1))
    n_of = np.diag(together).astype(np.float64)
    both = together[first, second]
    q = benjamini_hochberg(at_least(both, n_papers, n_of[first], n_of[second]))
    is_one = (q <= FDR) & (both >= MIN_TOGETHER)
    is_associated = np.zeros(together.shape, dtype=np.bool_)
    is_associated[first[is_one], second[is_one]] = is_associated[second[is_one], first[is_one]] = True
    return Associations(together, is_associated, is_comparable)


def _shares_a_word(concepts: Concepts) -> NDArray[np.bool_]:
    """Return a mask of the pairs of concepts with a lemma in common; each concept shares its lemmas with itself."""
    numbers: dict[str, int] = {}
    words = [
        (row, numbers.setdefault(lemma, len(numbers)))
        for row, term in enumerate(concepts.terms)
        for lemma in set(term.split())
    ]
    rows, columns = (np.array([pair[side] for pair in words], dtype=np.int64) for side in (0, 1))
    has_word = csr_array((np.ones(len(words), dtype=np.int32), (rows, columns)), shape=(len(concepts), len(numbers)))
    return np.asarray((has_word @ has_word.T).toarray() > 0)


@dataclass(frozen=True, eq=False)
class UnlinkedPairs:
    """Pairs of concepts that are never keywords of the same paper, although at least one other concept is associated
    with both.
    """

    associations: Associations
    first: Rows
    second: Rows
    """Positions of the two concepts of each pair, shape (n,); `first` is the more frequent."""
    n_shared: Rows
    """Number of concepts associated with both, shape (n,)."""

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def q(self) -> Floats:
        """Lowest false discovery rate at which sharing so many concepts is significant, [0, 1], shape (n,).

        Exact hypergeometric test for each pair: as many concepts as are associated with the first one are drawn from
        all concepts, and those associated with the second are counted. Benjamini and Hochberg's method corrects for the
        number of pairs.
        """
        degrees = self.associations.degrees.astype(np.float64)
        first, second = degrees[self.first], degrees[self.second]
        p = at_least(self.n_shared.astype(np.float64), len(degrees), first, second)
        return benjamini_hochberg(p)

    @cached_property
    def scores(self) -> Floats:
        """Sum of `1 / log(degree)` over the shared concepts (Adamic & Adar 2003) times the logarithm of the product of
        the numbers of papers with each concept of the pair, shape (n,).

        A shared concept that is associated with few others counts more. Among the scores that
        `benchmarks/hypotheses.py` compares, this one did best in the years that were used to choose it.
        """
        n_of = np.diag(self.associations.together).astype(np.float64)
        closeness = adamic_adar(self.associations)[self.first, self.second]
        return np.asarray(closeness * np.log(n_of[self.first] * n_of[self.second]), dtype=np.float64)


def adamic_adar(associations: Associations) -> NDArray[np.float32]:
    """Return the sum of `1 / log(degree)` over the shared concepts of every pair, shape (n, n)."""
    links = associations.is_associated.astype(np.float32)
    # A concept that is shared has a degree of at least 2.
    weights = 1 / np.log(np.maximum(associations.degrees, 2))
    return np.asarray((links * weights.astype(np.float32)) @ links, dtype=np.float32)


def unlinked_pairs(associations: Associations) -> UnlinkedPairs:
    """List the pairs of concepts that are never keywords of the same paper and share no word, although at least one
    other concept is associated with both.
    """
    links = associations.is_associated.astype(np.float32)
    n_shared = np.rint(links @ links).astype(np.int64)
    is_open = associations.is_comparable & (associations.together == 0) & (n_shared > 0)
    first, second = np.nonzero(np.triu(is_open, 1))
    return UnlinkedPairs(associations, first, second, n_shared[first, second])


def rank_pairs(pairs: UnlinkedPairs, scores: Floats, most_each: int) -> Iterator[int]:
    """Yield the places of the pairs, highest score first; each concept occurs at most `most_each` times."""
    n_of = np.zeros(len(pairs.associations.together), dtype=np.int64)
    for place in np.lexsort((pairs.second, pairs.first, -scores)):
        concepts = [pairs.first[place], pairs.second[place]]
        if (n_of[concepts] < most_each).all():
            n_of[concepts] += 1
            yield int(place)
