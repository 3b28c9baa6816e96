"""Ties between papers: the neighbours of papers, and the links and the groups within a set of papers, by each kind of
tie.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.network import CitationNetwork
from pathfinder.corpus.network.arrays import Relatives, co_cited, coupled_papers
from pathfinder.corpus.papers import PaperTable
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.types import Floats, NetworkLink, PaperCitations, RelatedPaper, Rows, Tie

N_STRONGEST = 4
"""Maximum number of links drawn for a paper, the strongest first; all references are drawn."""
N_SIMILAR = 20
"""Number of papers nearest to a hit that are initially considered as its neighbours."""


def neighbours(tie: Tie, rows: Rows, corpus: Corpus, n_wanted: int) -> Rows:
    """Return the papers that are tied to papers at `rows`, the most strongly tied first, without those at `rows`
    themselves.

    By likeness, every paper is tied to every other, so more and more of the nearest papers are included until there are
    `n_wanted` papers in all, if the corpus has that many. Raises `UsageError` for a tie by citations in a corpus
    without a citation network.
    """
    if tie is not Tie.LIKENESS:
        return _by_strength(rows, lambda row: _OF_PAPER[tie](corpus, row))
    n_similar, most = N_SIMILAR, len(corpus.papers) - 1
    others = _by_strength(rows, partial(_similar, corpus, n=n_similar))
    while len(others) + len(rows) < n_wanted and n_similar < most:
        n_similar *= 2
        others = _by_strength(rows, partial(_similar, corpus, n=n_similar))
    return others


def _by_strength(rows: Rows, tied_to: Callable[[int], tuple[Rows, Floats]]) -> Rows:
    """Return the papers that `tied_to` ties to papers at `rows`, those with the highest total strength first."""
    strengths: Counter[int] = Counter()
    for row in rows.tolist():
        tied_rows, strength = tied_to(row)
        for other, gain in zip(tied_rows.tolist(), strength.tolist(), strict=True):
            strengths[other] += gain
    own = set(rows.tolist())
    others = sorted((row for row in strengths if row not in own), key=lambda row: (-strengths[row], row))
    return np.array(others, dtype=np.int64)


def links_among(tie: Tie, rows: Rows, corpus: Corpus) -> tuple[NetworkLink, ...]:
    """Return the links between papers at `rows`, in the order of `rows`; their ends are positions in `rows`."""
    if tie is Tie.REFERENCES:
        return tuple(NetworkLink(first, second, 1.0) for first, second in references_among(rows, corpus))
    strongest: dict[tuple[int, int], float] = {}
    for place, strengths in enumerate(_strengths(tie, rows, corpus)):
        for other in np.argsort(-strengths, kind="stable")[:N_STRONGEST].tolist():
            if strengths[other] > 0:
                strongest[min(place, other), max(place, other)] = float(strengths[other])
    return tuple(NetworkLink(first, second, strongest[first, second]) for first, second in sorted(strongest))


def references_among(rows: Rows, corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Yield each pair of papers in which the first cites the second, as positions in `rows`."""
    references, places = network_of(corpus).references, _places(rows)
    for place, row in enumerate(rows.tolist()):
        yield from ((place, places[other]) for other in references.of(row).tolist() if other in places and other != row)


def _strengths(tie: Tie, rows: Rows, corpus: Corpus) -> Iterator[Floats]:
    """Yield, for each paper at `rows`, the strengths of its ties to all papers at `rows`; its tie to itself is 0."""
    if tie is Tie.LIKENESS:
        vectors = np.asarray(corpus.dense.vectors(rows), dtype=np.float64)
        for place, vector in enumerate(vectors):
            similarities: Floats = vectors @ vector
            similarities[place] = 0.0
            yield similarities
        return
    places = _places(rows)
    for row in rows.tolist():
        strengths = np.zeros(len(rows))
        tied_rows, strength = _OF_PAPER[tie](corpus, row)
        for other, value in zip(tied_rows.tolist(), strength.tolist(), strict=True):
            if other in places:
                strengths[places[other]] = value
        yield strengths


def _places(rows: Rows) -> dict[int, int]:
    return {row: place for place, row in enumerate(rows.tolist())}


def _cited_or_citing(corpus: Corpus, row: int) -> tuple[Rows, Floats]:
    network = network_of(corpus)
    tied_rows = np.union1d(network.references.of(row), network.citing.of(row))
    return tied_rows, np.ones(len(tied_rows))


def _similar(corpus: Corpus, row: int, n: int) -> tuple[Rows, Floats]:
    vector: NDArray[np.float32] = np.asarray(corpus.dense.vectors(np.array([row])), dtype=np.float32)[0]
    nearest = corpus.dense.search(vector, n + 1)
    return nearest.rows, nearest.scores


def _rows_and_cosines(relatives: Relatives) -> tuple[Rows, Floats]:
    return relatives.rows, relatives.similarity


_OF_PAPER: dict[Tie, Callable[[Corpus, int], tuple[Rows, Floats]]] = {
    Tie.REFERENCES: _cited_or_citing,
    Tie.CO_CITATION: lambda corpus, row: _rows_and_cosines(co_cited(network_of(corpus), row)),
    Tie.COUPLING: lambda corpus, row: _rows_and_cosines(coupled_papers(network_of(corpus), row)),
}
"""Functions that return the papers tied to a paper by citations, with the strengths of these ties."""


SEED = 20260
"""Seed for the layout and the groups, so that the same papers are drawn in the same places."""


def graph_of(n_papers: int, links: Iterable[NetworkLink]) -> "nx.Graph[int]":
    """Return the graph of `n_papers` papers and their links, weighted by strength."""
    graph = nx.Graph()
    graph.add_nodes_from(range(n_papers))
    graph.add_weighted_edges_from((link.first, link.second, link.strength) for link in links)
    return graph


def groups_of(graph: "nx.Graph[int]") -> list[list[int]]:
    """Return the groups (Louvain, Blondel et al. 2008) as ascending positions, the largest group first."""
    groups = nx.community.louvain_communities(graph, seed=SEED)
    return sorted((sorted(group) for group in groups), key=lambda group: (-len(group), group[0]))


def groups_by_likeness(rows: Rows, corpus: Corpus) -> list[list[int]]:
    """Return the groups of the papers at `rows` that resemble each other, as positions in `rows`."""
    return groups_of(graph_of(len(rows), links_among(Tie.LIKENESS, rows, corpus)))


N_RELATED = 10
"""Number of papers returned for each of the two relations: co-citation and coupling."""


def citations_of(paper_id: str, corpus: Corpus) -> PaperCitations:
    """Return what a paper cites, what cites it, and the `N_RELATED` papers closest to it by co-citation and by
    coupling.

    Raises `UsageError` for a paper that is not in the corpus, and for a corpus without a citation network.
    """
    network, papers = network_of(corpus), corpus.papers
    row = int(papers.known_rows((paper_id,))[0])
    citing = network.citing.of(row)
    years = papers.years()[citing]
    return PaperCitations(
        paper=papers[row],
        references=tuple(papers.take(network.references.of(row))),
        outside=network.outside_of(row),
        cited_by=tuple(papers.take(citing)),
        citations_by_year=dict(sorted(Counter(years[~np.isnan(years)].astype(np.int64).tolist()).items())),
        co_cited=_related_papers(co_cited(network, row), papers),
        coupled_papers=_related_papers(coupled_papers(network, row), papers),
    )


def network_of(corpus: Corpus) -> CitationNetwork:
    """Return the citation network of a corpus. Raises `UsageError` with the reason if it has none."""
    if corpus.network is None:
        raise UsageError(f"this corpus has no citation network: {corpus.absent['network']}")
    return corpus.network


def _related_papers(relatives: Relatives, papers: PaperTable) -> tuple[RelatedPaper, ...]:
    shares = zip(relatives.n_shared[:N_RELATED].tolist(), relatives.similarity[:N_RELATED].tolist(), strict=True)
    rows = zip(papers.take(relatives.rows[:N_RELATED]), shares, strict=True)
    return tuple(RelatedPaper(paper, n_shared, similarity) for paper, (n_shared, similarity) in rows)
