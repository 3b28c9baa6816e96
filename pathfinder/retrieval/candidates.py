"""The candidate pool: the best 1,000 papers found, each with every factor that can affect its rank."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import Ranking, VectorIndex
from pathfinder.index.predicate import Predicate
from pathfinder.models.ports import Vectors
from pathfinder.retrieval.best_passages import best_passages
from pathfinder.retrieval.expansion.query_expansion import N_HITS
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.lookup.indexes import FoundPassages, LookupResult, MergedHits, Rankings, look_up_dense, unite
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.weighting import DAYS_PER_YEAR
from pathfinder.types import POOL_SIZE, Candidates, Expansion, Floats, Keyword, Rows, SearchRequest
from pathfinder.types.full_texts import MAX_FULL_TEXT_PASSAGES, FullTextPassage

EPOCH = datetime.date(1970, 1, 1)


def gather(
    request: SearchRequest,
    hits: MergedHits,
    keywords: tuple[Keyword, ...],
    corpus: Corpus,
    expansions: tuple[Expansion, ...] = (),
    named_rows: Mapping[int, str] | None = None,
) -> Candidates:
    """Fuse the rankings and keep the best 1,000 papers, each with its factors, best first; the papers at `named_rows`
    are always kept.
    """
    fused = np.maximum(fuse(hits.dense, hits.sparse, hits.lowest_cosine, request.fusion), hits.floors)
    best = np.lexsort((hits.rows, -fused))
    is_kept = np.isin(hits.rows[best], [*named_rows]) if named_rows else np.zeros(len(best), dtype=np.bool_)
    best = best[is_kept | (np.cumsum(~is_kept) <= POOL_SIZE - int(is_kept.sum()))]
    rows = hits.rows[best]
    return Candidates(
        papers=corpus.papers.take(rows),
        rows=rows,
        vectors=hits.vectors[best],
        dense=np.clip(hits.dense[best], 0.0, 1.0),
        sparse=(hits.sparse if np.isnan(hits.sparse).all() else np.nan_to_num(hits.sparse))[best],
        fused=fused[best],
        keyword=corpus.terms.weights(keywords, rows, expansions),
        age_years=_ages(corpus, rows, request.today),
        citation_count=corpus.papers.citation_counts()[rows],
        citation_percentile=corpus.papers.citation_percentiles()[rows],
        named_rows=named_rows or {},
        live=corpus.live,
        places=corpus.live_places,
        searched_keywords=corpus.sparse.has_keywords and not np.isnan(hits.sparse).all(),
        activations=corpus.features.activations(rows, hits.vectors[best]) if corpus.features else None,
    )


def with_found_passages(candidates: Candidates, matches: FoundPassages, corpus: Corpus) -> Candidates:
    """Give each candidate at most three of the passages found in its full text, best first, ranked by meaning and words
    together, like the papers themselves.
    """
    if corpus.full_texts is None or not len(matches.places):
        return candidates
    known_cosines = matches.cosines[~np.isnan(matches.cosines)]
    fused = fuse(matches.cosines, matches.sparse, float(known_cosines.min(initial=1.0)))
    order = np.lexsort((matches.places, -fused, matches.papers))
    papers = matches.papers[order]
    place_in_paper = np.arange(len(order)) - np.searchsorted(papers, papers)
    best = order[(place_in_paper < MAX_FULL_TEXT_PASSAGES) & np.isin(papers, candidates.rows)]
    by_row: dict[int, tuple[FullTextPassage, ...]] = {}
    passages = corpus.full_texts.passages(matches.places[best], matches.cosines[best])
    for row, passage in zip(matches.papers[best].tolist(), passages, strict=True):
        by_row[row] = (*by_row.get(row, ()), passage)
    return replace(candidates, full_texts=by_row)


def with_best_passages(candidates: Candidates, rows: Sequence[int], lookup: LookupResult, corpus: Corpus) -> Candidates:
    """Order and extend the passages of the papers at `rows`, as far as any were found in their full texts."""
    index, request = corpus.full_texts, lookup.request
    rows = [row for row in rows if row in candidates.full_texts]
    if index is None or not rows:
        return candidates
    is_in = index.mask(lookup.rankings.predicate, request.sections)
    by_row, absent_words = dict(candidates.full_texts), dict(candidates.absent_words)
    for row in rows:
        places = index.places_of(row)
        title = candidates.papers[int(np.flatnonzero(candidates.rows == row)[0])].title
        own = None if is_in is None else is_in[places]
        best = best_passages(request.query, title, places, index, lookup.rankings.vector, own)
        by_row[row], absent_words[row] = best.passages, best.absent_words
    return replace(candidates, full_texts=by_row, absent_words=absent_words)


def first_vectors(
    request: SearchRequest, vector: Direction, sparse: Ranking, predicate: Predicate, index: VectorIndex
) -> Vectors:
    """Return the vectors of the question's top hits before weighting, shape (at most 5, dimension)."""
    dense, _ = look_up_dense(vector, predicate, index)
    return index.vectors(first_hits(request, Rankings(dense, sparse, vector, predicate), index, N_HITS).rows)


def first_hits(request: SearchRequest, rankings: Rankings, index: VectorIndex, n: int) -> Ranking:
    """Return the question's top `n` hits before reranking and weighting, with their fused scores."""
    hits = unite(rankings, index)
    fused = fuse(hits.dense, hits.sparse, hits.lowest_cosine, request.fusion)
    best = np.lexsort((hits.rows, -fused))[:n]
    return Ranking(hits.rows[best], fused[best])


def _ages(corpus: Corpus, rows: Rows, today: datetime.date | None) -> Floats:
    """Return the time from publication to `today` in years of 365.25 days; a paper dated after `today` has age 0."""
    if today is None:
        return np.full(len(rows), np.nan)
    days = (today - EPOCH).days - corpus.papers.published_days()[rows]
    return np.clip(days / DAYS_PER_YEAR, 0.0, None)
