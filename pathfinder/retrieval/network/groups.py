"""Groups of papers that are linked more closely to each other than to the rest of their network."""

from collections.abc import Iterable

import networkx as nx

from pathfinder.corpus.store import Corpus
from pathfinder.retrieval.network.ties import links_among
from pathfinder.types import NetworkLink, Rows, Tie

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
