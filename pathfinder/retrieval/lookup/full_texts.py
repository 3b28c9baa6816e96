"""Full-text passages: the parts of the papers' full texts that are relevant to the question.

A paper gains half of the amount by which the lead of its best full-text passage over its abstract exceeds the lead
expected of the best of its n passages. Its cosine c becomes

    c + 0.5 max(0, p - c - 0.05 ln n)

where p is the cosine of its best passage, and its BM25 score s becomes

    s + 0.5 max(0, w - s - 0.1 m ln n)

where w is the score of its best passage and m the best score of any abstract. Without the terms in ln n, long texts
would push out short ones (benchmarks/FULLTEXT.md has the measurements).
"""

from dataclasses import replace

import numpy as np

from pathfinder.corpus.store import FULL_TEXTS, Corpus
from pathfinder.errors import UsageError
from pathfinder.index.ports import NO_HITS, Ranking
from pathfinder.retrieval.lookup.indexes import NO_PASSAGES, FoundPassages, MergedHits, Rankings
from pathfinder.retrieval.stages import StageLog, StageReport, failed_stage, skipped_stage
from pathfinder.types import POOL_SIZE, Floats, RetrievalMode, Rows, SearchRequest
from pathfinder.types.full_texts import SECTION_LABELS

GAIN = 0.5
"""Share of the excess (the lead minus the expected lead) that is added to the paper's score."""
COSINE_PER_LOG, BM25_PER_LOG = 0.05, 0.1
"""Lead expected of the best of n passages, divided by ln n: for cosines, and for BM25 as a share of the best score of
any abstract.
"""


def add_full_texts(request: SearchRequest, rankings: Rankings, corpus: Corpus, log: StageLog) -> Rankings:
    """Add the papers whose full-text passages match the question; return `rankings` unchanged if the corpus has no full
    texts.

    If sections are chosen, papers are ranked by their passages in these sections alone. Raises `UsageError` if sections
    are chosen but no paper has a full text.
    """
    if FULL_TEXTS not in corpus.manifest.parts:
        if request.sections:
            raise UsageError(
                f"no paper in {corpus.folder} has a full text, so there are no sections to search: search without "
                f"--section, or add texts with `pathfinder fulltext add {corpus.folder} FILE`"
            )
        return rankings
    with log.stage("full texts") as stage:
        matches, stage.report = _look_up(request, rankings, corpus)
    if request.sections and request.full_texts:
        return Rankings(
            _rank(matches.papers, matches.cosines),
            _rank(matches.papers, matches.sparse),
            rankings.vector,
            rankings.predicate,
            named_rows=rankings.named_rows,
            full_texts=matches,
        )
    return replace(rankings, full_texts=matches)


def _look_up(request: SearchRequest, rankings: Rankings, corpus: Corpus) -> tuple[FoundPassages, StageReport]:
    """Return, from the requested sections, the 1,000 passages nearest to the question in meaning, and the 1,000 that
    match it best by words.
    """
    if not request.full_texts:
        return NO_PASSAGES, skipped_stage(
            "switched off, so the sections are ignored" if request.sections else "switched off"
        )
    index = corpus.full_texts
    if index is None:
        return NO_PASSAGES, failed_stage(
            f"full texts have changed or gone since they were indexed: run `pathfinder fulltext index {corpus.folder}`"
        )
    mask, vector = index.mask(rankings.predicate, request.sections), rankings.vector
    near = index.by_meaning(vector, POOL_SIZE, mask).rows if vector is not None else NO_HITS.rows
    by_words = NO_HITS
    if request.sides is not RetrievalMode.DENSE:
        by_words = index.by_words(request.query, POOL_SIZE, mask, corpus.sparse)
    places = np.union1d(near, by_words.rows)
    sparse, cosines = np.full(len(places), np.nan), np.full(len(places), np.nan)
    sparse[np.searchsorted(places, by_words.rows)] = by_words.scores
    if vector is not None and len(places):
        cosines = np.einsum("ij,j->i", index.vectors_at(places), vector, dtype=np.float64)
    matches = FoundPassages(places, index.papers[places], cosines, sparse)
    where = ", ".join(SECTION_LABELS[section] for section in request.sections) or "all sections"
    n_papers = int((index.passage_counts > 0).sum())
    papers_have = f"{n_papers:,} of {index.n_papers:,} papers {'has' if n_papers == 1 else 'have'}"
    return matches, StageReport(f"{papers_have} full text; {where}: {len(matches.rows):,} found")


def with_full_texts(hits: MergedHits, request: SearchRequest, matches: FoundPassages, corpus: Corpus) -> MergedHits:
    """Raise the scores of papers with a passage that clearly matches the question better than the abstract does; if
    sections are chosen, only the passages count.
    """
    index = corpus.full_texts
    if index is None or not len(matches.places):
        return hits
    n_passages = index.passage_counts
    near = _best_of(matches.papers, matches.cosines)
    lead = COSINE_PER_LOG * np.log(n_passages[near.rows])
    places = np.searchsorted(hits.rows, near.rows)
    dense = hits.dense.copy()
    if request.sections:
        dense[places] = near.scores - lead
        return replace(hits, dense=dense)
    dense[places] += GAIN * np.maximum(near.scores - dense[places] - lead, 0.0)
    by_words = _best_of(matches.papers, matches.sparse)
    scores = np.nan_to_num(hits.sparse)
    places = np.searchsorted(hits.rows, by_words.rows)
    lead = BM25_PER_LOG * np.log(n_passages[by_words.rows]) * scores.max(initial=0.0)
    scores[places] += GAIN * np.maximum(by_words.scores - scores[places] - lead, 0.0)
    return replace(hits, dense=dense, sparse=np.where(np.isnan(hits.sparse) & (scores == 0), np.nan, scores))


def _best_of(papers: Rows, scores: Floats) -> Ranking:
    """Return each paper with the best score of its passages, in the order of the rows; NaN means a miss and does not
    count.
    """
    is_hit = ~np.isnan(scores)
    rows = np.unique(papers[is_hit])
    best = np.full(len(rows), -np.inf)
    np.maximum.at(best, np.searchsorted(rows, papers[is_hit]), scores[is_hit])
    return Ranking(rows, best)


def _rank(papers: Rows, scores: Floats) -> Ranking:
    rows, best = _best_of(papers, scores)
    order = np.argsort(-best, kind="stable")
    return Ranking(rows[order], best[order])
