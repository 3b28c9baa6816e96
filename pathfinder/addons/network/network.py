"""The network of a search result: the hits and their neighbours, with the main path through its citations, the chain of
papers whose citations lie on the most chains.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import networkx as nx
import numpy as np

from pathfinder.addons.network.outcome import DEFAULT_PAPERS, MAX_PAPERS, NetworkPaper, PaperNetwork
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.retrieval.citations.ties import SEED, graph_of, groups_of, links_among, neighbours, references_among
from pathfinder.retrieval.filters import filter_papers
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import NetworkLink, Rows, SearchResult, Tie

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder


def paper_network(
    pf: "Pathfinder", result: SearchResult, tie: Tie | None = None, n_papers: int = DEFAULT_PAPERS
) -> PaperNetwork:
    """Return the network of the hits of `result` and of their closest neighbours that pass its filters.

    Args:
        pf: open corpus.
        result: result of a search in it.
        tie: what links two papers; by default references, or likeness in a corpus without a citation network.
        n_papers: number of papers, 2 to `MAX_PAPERS`; there are fewer if the hits have too few neighbours.

    Raises:
        UsageError: for a tie by citations in a corpus without a citation network, and for a number of papers outside
            this range.
    """
    if not 2 <= n_papers <= MAX_PAPERS:
        raise UsageError(f"a network of {n_papers} papers cannot be drawn: ask for 2 to {MAX_PAPERS}")
    corpus, notes = pf.of(result).corpus, list[str]()
    if tie is None:
        tie = Tie.REFERENCES if corpus.network is not None else Tie.LIKENESS
    if corpus.network is None:
        notes.append(f"papers are linked by likeness, and there is no main path: {corpus.absent['network']}")
    hits = [hit for hit in result.hits if hit.live is None][:n_papers]
    if len(hits) < len(result.hits[:n_papers]):
        notes.append("papers from live sources are not in the network, because the corpus has none of their links")
    rows = _with_neighbours(np.array([hit.row for hit in hits], dtype=np.int64), result, corpus, tie, n_papers)
    links = links_among(tie, rows, corpus)
    path = main_path(corpus.papers.years()[rows].tolist(), references_among(rows, corpus)) if corpus.network else ()
    papers = _network_papers(rows, links, corpus, {hit.row: rank for rank, hit in enumerate(result.hits, start=1)})
    return PaperNetwork(result.request.query, tie, papers, links, path, tuple(notes))


def _with_neighbours(rows: Rows, result: SearchResult, corpus: Corpus, tie: Tie, n_papers: int) -> Rows:
    """Return the rows of the hits, followed by those of their neighbours that pass the filters of the search."""
    _, predicate = filter_papers(result.request, corpus, StageLog())
    mask = predicate.mask(len(corpus.papers), corpus.papers)
    others = (row for row in neighbours(tie, rows, corpus, n_papers).tolist() if mask is None or mask[row])
    return np.array([*rows.tolist(), *islice(others, n_papers - len(rows))], dtype=np.int64)


def _network_papers(
    rows: Rows, links: Sequence[NetworkLink], corpus: Corpus, ranks: dict[int, int]
) -> tuple[NetworkPaper, ...]:
    """Place the papers with a force-directed layout (Fruchterman & Reingold 1991), and add their groups and
    betweenness.
    """
    graph = graph_of(len(rows), links)
    places = nx.spring_layout(graph, seed=SEED) if len(rows) else {}
    cluster_of = {place: number for number, group in enumerate(groups_of(graph)) for place in group}
    betweenness = nx.betweenness_centrality(graph)
    papers = corpus.papers.take(rows)
    return tuple(
        NetworkPaper(
            paper=papers[place],
            row=row,
            rank=ranks.get(row),
            x=float(places[place][0]),
            y=float(places[place][1]),
            cluster=cluster_of[place],
            betweenness=betweenness[place],
        )
        for place, row in enumerate(rows.tolist())
    )


def main_path(order: Sequence[float], references: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the papers on the main path, earliest first, by the search path count (Hummon & Doreian 1989; Batagelj
    2003): a citation counts as many times as there are chains through it from a paper that cites none of the others to
    one that none of them cites, and the path with the highest sum is the main one.

    Args:
        order: time of each paper, such as its year; a reference to a paper from the same time or later is left out, so
            that no chain forms a loop; a reference by a paper whose time is unknown (NaN) is left out as well.
        references: pairs of positions in `order`, the citing paper first.

    Returns:
        Positions in `order`; empty if there is no reference.
    """
    chains = nx.DiGraph(
        (earlier_paper, citing) for citing, earlier_paper in references if order[earlier_paper] < order[citing]
    )
    ordered_papers = list(nx.topological_sort(chains))
    until: dict[int, int] = {}
    for paper in ordered_papers:
        until[paper] = sum(until[earlier] for earlier in chains.pred[paper]) or 1
    beyond: dict[int, int] = {}
    for paper in reversed(ordered_papers):
        beyond[paper] = sum(beyond[later] for later in chains.succ[paper]) or 1
    for earlier_paper, citing in chains.edges:
        chains.edges[earlier_paper, citing]["weight"] = until[earlier_paper] * beyond[citing]
    return tuple(nx.dag_longest_path(chains)) if ordered_papers else ()
