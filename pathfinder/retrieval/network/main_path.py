"""The main path through citations: the chain of papers through which most of the chains of citations pass."""

from collections.abc import Iterable, Sequence

import networkx as nx


def main_path(order: Sequence[float], references: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return the papers on the main path, earliest first, by the search path count (Hummon & Doreian 1989; Batagelj
    2003): a citation counts as many times as there are chains through it from a paper that cites nothing here to one
    that nothing here cites, and the path with the highest sum is the main one.

    Args:
        order: time of each paper, such as its year; a reference to a paper of the same time or later is left out, so
            that no chain is closed; a reference by a paper whose time is unknown (NaN) is left out as well.
        references: pairs of positions in `order`, the citing paper first.

    Returns:
        Positions in `order`; empty if there is no reference.
    """
    chains = nx.DiGraph((cited, citing) for citing, cited in references if order[cited] < order[citing])
    ordered = list(nx.topological_sort(chains))
    until: dict[int, int] = {}
    for paper in ordered:
        until[paper] = sum(until[earlier] for earlier in chains.pred[paper]) or 1
    beyond: dict[int, int] = {}
    for paper in reversed(ordered):
        beyond[paper] = sum(beyond[later] for later in chains.succ[paper]) or 1
    for cited, citing in chains.edges:
        chains.edges[cited, citing]["weight"] = until[cited] * beyond[citing]
    return tuple(nx.dag_longest_path(chains)) if ordered else ()
