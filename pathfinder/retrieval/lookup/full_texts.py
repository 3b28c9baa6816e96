"""Full-text passages: the parts of the papers' full texts that are relevant to the question.

The cosine c of a paper that has n full-text passages becomes

    c + 0.5 max(0, p - c - 0.05 ln n)

where p is the cosine of its best passage. The logarithm is there because the best of many passages is closer to any
question than the best of few: without it, long texts push out short ones (benchmarks/full_text_passages.md).
"""

from dataclasses import replace

import numpy as np

from pathfinder.corpus.store import FULL_TEXTS, Corpus
from pathfinder.errors import UsageError
from pathfinder.index.full_texts import FullTextIndex
from pathfinder.index.ports import NO_HITS, Ranking
from pathfinder.retrieval.lookup.found_passages import NO_PASSAGES, FoundPassages
from pathfinder.retrieval.lookup.indexes import MergedHits, Rankings
from pathfinder.retrieval.lookup.question import Direction
from pathfinder.retrieval.stages import StageLog, StageReport, failed, skipped
from pathfinder.types import POOL_SIZE, Floats, RetrievalMode, Rows, SearchRequest
from pathfinder.types.full_texts import SECTION_LABELS

GAIN, PER_LOG = 0.5, 0.05
"""Share of the lead of the best passage that a paper gains, and the lead expected for each e-fold of passages."""


def add_full_texts(request: SearchRequest, rankings: Rankings, corpus: Corpus, log: StageLog) -> Rankings:
    """Add the papers with full-text passages on the question; nothing happens in a corpus without full texts.

    With chosen sections, papers are ranked by their passages there alone. Raises `UsageError` if no paper has any.
    """
    if FULL_TEXTS not in corpus.manifest.parts:
        if request.sections:
            raise UsageError(
                f"no paper of {corpus.folder} has a full text, so there are no sections to search: search without "
                f"--section, or add texts with `pathfinder fulltext add {corpus.folder} FILE`"
            )
        return rankings
    with log.stage("full texts") as stage:
        found, stage.report = _look_up(request, rankings, corpus)
    if request.sections:
        return Rankings(
            _ranked(found.papers, found.cosines),
            _ranked(found.papers, found.sparse),
            rankings.vector,
            rankings.predicate,
            known=rankings.known,
            full_texts=found,
        )
    return replace(rankings, full_texts=found)


def _look_up(request: SearchRequest, rankings: Rankings, corpus: Corpus) -> tuple[FoundPassages, StageReport]:
    """Return the 1,000 passages nearest to the question in meaning, and the 1,000 that match it best by words, in the
    sections that the request asks for.
    """
    if not request.full_texts:
        return NO_PASSAGES, skipped("switched off")
    index = corpus.full_texts
    if index is None:
        return NO_PASSAGES, failed(
            f"the full texts changed since they were indexed: run `pathfinder fulltext index {corpus.folder}`"
        )
    mask, vector = index.mask(rankings.predicate, request.sections), rankings.vector
    near = index.by_meaning(vector, POOL_SIZE, mask).rows if vector is not None else NO_HITS.rows
    by_words = index.by_words(request.query, POOL_SIZE, mask) if request.sides is not RetrievalMode.DENSE else NO_HITS
    found = _compared(np.union1d(near, by_words.rows), by_words, vector, index)
    where = ", ".join(SECTION_LABELS[section] for section in request.sections) or "all sections"
    n_papers = len(index.rows)
    papers_have = "1 paper has" if n_papers == 1 else f"{n_papers:,} of {index.n_papers:,} papers have"
    return found, StageReport(f"{papers_have} full text; {where}: {len(found.rows):,} found")


def with_full_texts(hits: MergedHits, request: SearchRequest, found: FoundPassages, corpus: Corpus) -> MergedHits:
    """Raise the cosines of papers with a passage that is clearly closer to the question than the abstract is; with
    chosen sections, the passage counts alone.
    """
    index = corpus.full_texts
    if index is None or not len(found.places) or np.isnan(found.cosines).all():
        return hits
    n_passages = np.bincount(index.papers[index.papers >= 0], minlength=index.n_papers)
    positions, best = _best_cosines(found, hits.rows)
    lead = PER_LOG * np.log(n_passages[hits.rows[positions]])
    dense = hits.dense.copy()
    if request.sections:
        dense[positions] = best - lead
    else:
        dense[positions] += GAIN * np.maximum(best - dense[positions] - lead, 0.0)
    return replace(hits, dense=dense)


def _compared(places: Rows, by_words: Ranking, vector: Direction, index: FullTextIndex) -> FoundPassages:
    """Score the passages at `places`, which are ascending and include those found by words."""
    sparse, cosines = np.full(len(places), np.nan), np.full(len(places), np.nan)
    sparse[np.searchsorted(places, by_words.rows)] = by_words.scores
    if vector is not None and len(places):
        cosines = np.einsum("ij,j->i", index.vectors_at(places), vector, dtype=np.float64)
    return FoundPassages(places, index.papers[places], cosines, sparse)


def _best_cosines(found: FoundPassages, rows: Rows) -> tuple[Rows, Floats]:
    """Return the positions in `rows`, which are ascending, of the papers with passages, and their highest cosines."""
    best = np.full(len(rows), -np.inf)
    np.maximum.at(best, np.searchsorted(rows, found.papers), found.cosines)
    positions = np.flatnonzero(np.isfinite(best))
    return positions, best[positions]


def _ranked(papers: Rows, scores: Floats) -> Ranking:
    """Rank papers by the best of their passages; NaN, a miss, does not count."""
    rows = np.unique(papers[~np.isnan(scores)])
    best = np.full(len(rows), -np.inf)
    np.maximum.at(best, np.searchsorted(rows, papers[~np.isnan(scores)]), scores[~np.isnan(scores)])
    order = np.argsort(-best, kind="stable")
    return Ranking(rows[order], best[order])
