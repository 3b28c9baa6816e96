"""Widens a search by citations: adds papers that the first hits cite, and papers that cite the first hits.

They join the pool, and each gets at least `LINKED_SHARE` of the fused score of the best hit that it is linked to,
because otherwise a paper that the indexes rank low could not rise. The preset `paper` ranks by cosine, to which this
limit does not apply, so with that preset they only join the pool.
"""

from collections.abc import Callable, Iterator

import numpy as np

from pathfinder.corpus.network import CitationNetwork, Lists
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.index.ports import NO_HITS, Ranking
from pathfinder.index.predicate import Predicate
from pathfinder.retrieval.lookup.indexes import Rankings
from pathfinder.retrieval.stages import StageReport, failed_stage
from pathfinder.types import Rows, SearchRequest

N_FIRST = 10
"""Number of top hits, before reranking, from which citations are followed."""

LINKED_SHARE = 0.7
"""Minimum share of a hit's score that a paper linked to it gets. On cacm, 0.5 moves no paper, and 0.85 costs 0.02
nDCG@10 without the reranker (`benchmarks/RETRIEVAL.md`).
"""


def widen(
    request: SearchRequest, rankings: Rankings, corpus: Corpus, first_hits: Callable[[int], Ranking]
) -> tuple[Ranking, StageReport]:
    """Find the papers that the first hits cite, those that cite the first hits, or both, as requested.

    The filters apply to these papers, too. `first_hits` returns the best hits so far, with their fused scores. The
    scores returned for these papers are lower limits of their fused scores. If the corpus has no citation network, the
    stage fails and its report says why.
    """
    if corpus.network is None:
        return NO_HITS, failed_stage(corpus.absent["network"])
    first = first_hits(N_FIRST)
    floors: dict[int, float] = {}
    counts: list[str] = []
    for words, links in _ways(request, corpus.network):
        floors_of_way = _floors_of_links(first, links, rankings.predicate, corpus.papers)
        counts.append(words.format(len(floors_of_way)))
        floors |= {row: max(floor, floors.get(row, 0.0)) for row, floor in floors_of_way.items()}
    linked_papers = Ranking(np.array([*floors], dtype=np.int64), np.array([*floors.values()], dtype=np.float64))
    return linked_papers, StageReport(_describe(len(first.rows), counts, _n_new(linked_papers.rows, rankings.rows)))


def _ways(request: SearchRequest, network: CitationNetwork) -> Iterator[tuple[str, Lists]]:
    """Yield the kinds of links to follow, each with the words that report how many papers were found."""
    if request.cited_by_hits:
        yield "cite {}", network.references
    if request.citing_hits:
        yield "are cited by {}", network.citing


def _floors_of_links(first: Ranking, links: Lists, predicate: Predicate, papers: PaperTable) -> dict[int, float]:
    """Map the row of each paper that is linked to a hit and satisfies `predicate` to the lower limit of its score."""
    mask = predicate.mask(len(papers), papers)
    floors: dict[int, float] = {}
    for row, score in zip(first.rows.tolist(), first.scores.tolist(), strict=True):
        for neighbour in links.of(row).tolist():
            if mask is None or mask[neighbour]:
                floors[neighbour] = max(LINKED_SHARE * score, floors.get(neighbour, 0.0))
    return floors


def _n_new(linked_rows: Rows, rows: Rows) -> int:
    return int((~np.isin(linked_rows, rows)).sum())


def _describe(n_first: int, counts: list[str], n_new: int) -> str:
    """Report how many papers in the corpus are linked to the hits, and how many of them had not been found by any
    index.
    """
    hits = "the first hit" if n_first == 1 else f"the first {n_first} hits"
    return f"{hits} {' and '.join(counts)} papers that pass the filters, {n_new} of them new"
