"""Concepts of a corpus: its multi-word terms, each with the papers that contain it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.stats import hypergeom

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.statistics.keywords import as_written
from pathfinder.landscape.statistics.significance import FDR, benjamini_hochberg
from pathfinder.retrieval.weighting import weigh
from pathfinder.text.english import counted
from pathfinder.types import Rows, SearchResult

MIN_PAPERS = 4
"""Minimum number of papers with a term for it to count as a concept."""
MAX_SHARE = 0.1
"""Maximum share of papers that may have a concept; a more frequent concept says little."""
MAX_CONCEPTS = 2_000
"""Maximum number of concepts that are compared with each other; the most frequent are chosen."""
_MOST_TRIALS = 3 * MAX_CONCEPTS


@dataclass(frozen=True, slots=True, eq=False)
class Concepts:
    """Concepts, the most frequent first; column j of `papers` is concept j."""

    names: tuple[str, ...]
    """The most common spelling of each concept in the papers."""
    terms: tuple[str, ...]
    """Lemmas of each concept, joined by spaces."""
    papers: csr_array
    """1 where a paper has a concept, shape (n_papers, n_concepts)."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def n_papers(self) -> NDArray[np.int64]:
        """Number of papers with each concept, shape (n_concepts,)."""
        return np.asarray(self.papers.sum(axis=0), dtype=np.int64)

    def rows_with(self, *concepts: int) -> Rows:
        """Return the rows of the papers that have all of these concepts, ascending."""
        n_of = np.asarray(self.papers[:, list(concepts)].sum(axis=1))
        return np.flatnonzero(n_of == len(concepts))


def choose_concepts(
    index: KeywordIndex, papers: PaperTable, is_in: NDArray[np.bool_] | None = None, limit: int = MAX_CONCEPTS
) -> Concepts:
    """Choose up to `limit` terms of several words, each shared by at least `MIN_PAPERS` papers but by at most a tenth
    of all papers.

    A term counts only if it is a keyword in its own right, not merely a part of longer ones. `is_in` selects the
    papers, by default all; the others are ignored.
    """
    is_selected = np.ones(len(papers), dtype=np.bool_) if is_in is None else is_in
    of_term = np.repeat(np.arange(len(index.terms)), np.diff(index.starts))
    selected_rows = is_selected[index.rows]
    n_with = np.bincount(of_term[selected_rows], minlength=len(index.terms))
    most = max(MAX_SHARE * int(is_selected.sum()), MIN_PAPERS)
    has_words = pc.match_substring(index.terms, " ").to_numpy(zero_copy_only=False)
    places = np.flatnonzero((n_with >= MIN_PAPERS) & (n_with <= most) & has_words)
    places_to_try = places[np.argsort(-n_with[places], kind="stable")[:_MOST_TRIALS]]
    names = as_written(index, papers, places_to_try, is_selected)
    best_places = [place for place, name in zip(places_to_try.tolist(), names, strict=True) if name][:limit]
    return Concepts(
        tuple(name for name in names if name)[:limit],
        tuple(str(index.terms[place].as_py()) for place in best_places),
        _papers_with(index, best_places, is_selected),
    )


def _papers_with(index: KeywordIndex, places: list[int], is_selected: NDArray[np.bool_]) -> csr_array:
    rows = [index.rows[index.starts[place] : index.starts[place + 1]] for place in places]
    rows = [own[is_selected[own]] for own in rows]
    columns = np.repeat(np.arange(len(places)), [len(own) for own in rows])
    all_rows = np.concatenate([np.empty(0, dtype=np.int32), *rows])
    shape = len(is_selected), len(places)
    return csr_array((np.ones(len(all_rows), dtype=np.int32), (all_rows, columns)), shape=shape)


# A topic: a question or some papers, with the concepts that are more common in its papers than in the whole corpus.

MIN_AMONG = 2
"""Minimum number of a topic's papers that must have a concept for the concept to belong to the topic."""
N_MATCHES = 50
"""Number of a question's best matches that count as its papers."""


@dataclass(frozen=True, slots=True, eq=False)
class HypothesisTopic:
    """A question or some papers; every hypothesis on it contains at least one of its concepts."""

    name: str
    rows: Rows
    """Rows of its papers."""


def topic_of(papers: PaperTable, about: SearchResult | None, paper_ids: Sequence[str]) -> HypothesisTopic | None:
    """Return the topic of a question, or of papers; `None` if there is neither.

    Papers that a live search has added are left out. Raises `UsageError` for a paper that is not among `papers`.
    """
    if about is not None:
        hits = weigh(about.candidates, about.request.weighting, N_MATCHES)
        return HypothesisTopic(
            about.request.query, np.array([hit.row for hit in hits if hit.row < len(papers)], dtype=np.int64)
        )
    if not paper_ids:
        return None
    rows = papers.known_rows(paper_ids)
    return HypothesisTopic(counted(len(rows), "paper"), np.unique(rows))


def concepts_of_topic(concepts: Concepts, rows: Rows) -> NDArray[np.bool_]:
    """Return a mask, shape (n_concepts,), of the concepts that at least `MIN_AMONG` of the papers at `rows` have, and
    that more of them have than chance would explain (exact hypergeometric test, false discovery rate 5%).
    """
    n_among = np.asarray(concepts.papers[rows].sum(axis=0), dtype=np.float64)
    n_papers = concepts.papers.shape[0]
    p = hypergeom.sf(n_among - 1, n_papers, len(rows), concepts.n_papers)
    return np.asarray((benjamini_hochberg(p) <= FDR) & (n_among >= MIN_AMONG))
