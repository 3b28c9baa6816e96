"""Lookup in the indexes: the nearest papers in meaning, and the best matches by words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.ports import NO_HITS, Ranking, VectorIndex, WordIndex
from pathfinder.index.predicate import Predicate
from pathfinder.index.words import INDEX_STOP_WORDS, QUESTION_STOP_WORDS, stems, words
from pathfinder.models.ports import Vectors
from pathfinder.retrieval.authors.persons import Person
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.stages import StageReport, skipped_stage, unusable_stage
from pathfinder.retrieval.wording.question_wording import Reading
from pathfinder.types import (
    POOL_SIZE,
    Expansion,
    Floats,
    Keyword,
    Paper,
    RetrievalMode,
    Rows,
    SearchRequest,
    SearchResult,
)

_NO_ROWS: Rows = np.empty(0, dtype=np.int64)
_NO_SCORES: Floats = np.empty(0, dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class FoundPassages:
    """Full-text passages found for a question; arrays have shape (n,)."""

    places: Rows
    """Positions in the index, ascending."""
    papers: Rows
    """Row of each passage's paper."""
    cosines: Floats
    """Cosines, in [-1, 1]; NaN if only words were searched."""
    sparse: Floats
    """BM25 scores; NaN for passages that were found by meaning alone."""

    @property
    def rows(self) -> Rows:
        """Rows of the papers to which the passages belong, ascending, each once."""
        return np.unique(self.papers)


NO_PASSAGES = FoundPassages(_NO_ROWS, _NO_ROWS, _NO_SCORES, _NO_SCORES)


@dataclass(frozen=True, slots=True, eq=False)
class Rankings:
    """Hits from each index for one question, and descriptions of the lookups."""

    dense: Ranking
    sparse: Ranking
    vector: Direction
    predicate: Predicate
    passages: Ranking = NO_HITS
    """Papers with the best-matching passages, if passages were requested."""
    titles: Ranking = NO_HITS
    """Papers with the best-matching titles, if titles were requested."""
    score_floors: Ranking = NO_HITS
    """Papers found for other questions, each listed once with the lower limit of its fused score."""
    linked_papers: Ranking = NO_HITS
    """If requested, the papers linked to the first hits by citations, each with the lower limit of its fused score."""
    named_rows: Mapping[int, str] = field(default_factory=dict)
    """Papers that the question names by an identifier, whether or not an index finds them: the identifier of each, by
    row.
    """
    person: Person | None = None
    """Person whose name is the whole question."""
    full_texts: FoundPassages = NO_PASSAGES
    """Passages found in full texts."""

    @property
    def rows(self) -> Rows:
        """Rows of all papers found, ascending, each once."""
        hits = (self.dense, self.sparse, self.score_floors, self.linked_papers, self.passages, self.titles)
        own_rows = () if self.person is None else self.person.rows
        known_rows = np.array([*self.named_rows, *own_rows], dtype=np.int64)
        return np.unique(
            np.concatenate([known_rows, self.full_texts.rows, *(ranking.rows for ranking in hits)])
        ).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class LookupResult:
    """A question as it was searched, and its hits: everything needed for ranking."""

    request: SearchRequest
    keywords: tuple[Keyword, ...]
    rankings: Rankings
    expansions: tuple[Expansion, ...] = ()
    hypothetical: tuple[str, ...] = ()
    """Abstracts that a chat model wrote."""
    question: str | None = None
    """The question as written, if other words have replaced some of its own in the request."""
    reading: Reading | None = None
    """The question as read, before any identifiers and authors in it were replaced; `None` in a search by a vector."""


@dataclass(frozen=True, slots=True, eq=False)
class MergedHits:
    """Union of the hits of all indexes, shape (n,), in corpus order."""

    rows: Rows
    vectors: Vectors
    dense: Floats
    """Cosine of every row, in [-1, 1]; NaN if there was no search by meaning."""
    sparse: Floats
    """BM25 score; NaN for papers that the sparse index did not find."""
    lowest_cosine: float
    """Lowest cosine among all papers that pass the filter."""
    floors: Floats
    """Lower limits of the fused score, in (0, 1]; 0 for papers that only this question's lookups found."""


def look_up_dense(vector: Direction, predicate: Predicate, index: VectorIndex) -> tuple[Ranking, StageReport]:
    """Find the 1,000 papers nearest to the question."""
    if vector is None:
        return NO_HITS, skipped_stage("words only")
    return index.search(vector, POOL_SIZE, predicate), StageReport(index.method)


def look_up_sparse(
    request: SearchRequest, predicate: Predicate, index: WordIndex, expansions: Sequence[Expansion] = ()
) -> tuple[Ranking, StageReport]:
    """Find the 1,000 papers whose words match best; if the question has no usable words, find none and report why."""
    if request.sides is RetrievalMode.DENSE:
        return NO_HITS, skipped_stage("meaning only")
    content_words = index.content_words(request.query)
    if not content_words:
        only = "only stop words" if words(request.query) else "no words, only symbols"
        return NO_HITS, unusable_stage(f"the question has {only}")
    if (language := index.foreign_language(request.query)) is not None:
        return NO_HITS, unusable_stage(f"the question is in {language}, the corpus in {index.language}")
    hits = index.search(request.query, POOL_SIZE, predicate, expansions)
    if not len(hits.rows):
        return NO_HITS, StageReport("found nothing: no paper contains any word in the question")
    return hits, StageReport(index.method(expansions))


def unite(rankings: Rankings, index: VectorIndex) -> MergedHits:
    """Merge the hits of all indexes, and add the cosines of papers that the dense index did not return."""
    rows, vector = rankings.rows, rankings.vector
    vectors = index.vectors(rows)
    bm25 = _scores_at(rankings.sparse, rows, np.nan)
    floors = np.maximum(_scores_at(rankings.score_floors, rows, 0.0), _scores_at(rankings.linked_papers, rows, 0.0))
    if vector is None:
        return MergedHits(rows, vectors, np.full(len(rows), np.nan), bm25, 0.0, floors)
    lowest = lowest_cosine(vector, rankings.predicate, index)
    # Without `@`: for so few rows, a second thread costs more than it saves, especially on a busy machine.
    cosines: Floats = np.einsum("ij,j->i", vectors, vector, dtype=np.float64)
    return MergedHits(rows, vectors, cosines, bm25, lowest, floors)


def lowest_cosine(vector: NDArray[np.float32], predicate: Predicate, index: VectorIndex) -> float:
    """Return the lowest cosine similarity to `vector` among the papers that pass `predicate`; 0 if none does.

    It is found as the best match for the opposite direction, which every vector engine can look up. No engine returns
    both ends of a ranking from one scan: FAISS takes as long for both directions in one call as in two calls.
    """
    opposite = index.search(-vector, 1, predicate)
    return -float(opposite.scores[0]) if len(opposite.scores) else 0.0


def _scores_at(ranking: Ranking, rows: Rows, otherwise: float) -> Floats:
    """Return the score of each of `rows`, which are ascending and include those of the ranking; rows without a score
    get `otherwise`.
    """
    scores = np.full(len(rows), otherwise)
    scores[np.searchsorted(rows, ranking.rows)] = ranking.scores
    return scores


def describe_fusion(hits: MergedHits, request: SearchRequest) -> str:
    """Describe the fusion, or say that there was nothing to fuse because only one side found anything."""
    if not len(hits.rows):
        return "nothing was found"
    if np.isnan(hits.dense).all():
        return "not needed: only words were searched"
    return "not needed: only meaning was searched" if np.isnan(hits.sparse).all() else request.fusion.value


def found_by_keywords(result: SearchResult, paper: Paper) -> tuple[str, ...]:
    """Return the keywords by which `paper` was found: those with a word of the question that its title and abstract
    lack; none if keywords were not searched.
    """
    if not result.candidates.searched_keywords:
        return ()
    sought = {*stems(words(result.words), QUESTION_STOP_WORDS)} - {*stems(words(paper.text), INDEX_STOP_WORDS)}
    return tuple(keyword for keyword in paper.subjects if sought & {*stems(words(keyword), INDEX_STOP_WORDS)})
