"""The papers found and their neighbours, linked by citations or likeness."""

from collections.abc import Iterator
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from pathfinder.addons.network.outcome import DEFAULT_PAPERS, MAX_PAPERS, NetworkPaper, PaperNetwork
from pathfinder.operations.export.plain_json import JsonObject
from pathfinder.operations.operation import LinkTo, Shell, declare, only, result_of
from pathfinder.types import SearchResult, Tie, without_control_characters

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

MOST_BETWEEN = 5
"""Number of papers listed as lying between the others."""
MOST_OF_A_CLUSTER = 3
"""Number of papers of each cluster in the JSON for a model."""


@cache
def _node() -> Any:
    return result_of(NetworkPaper, "row")


TieName = Literal["references", "co-citation", "coupling", "likeness"]
_BY = "What links two papers. Default: references, or likeness in a corpus without a citation network."


def network_graphml(network: PaperNetwork) -> str:
    """Write a network as GraphML, which Gephi and Cytoscape can open; references are directed, other ties are not."""
    import networkx as nx

    graph = nx.DiGraph() if network.tie is Tie.REFERENCES else nx.Graph()
    ids = [without_control_characters(each.paper.paper_id) for each in network.papers]
    for place, each in enumerate(network.papers):
        facts = {
            name: without_control_characters(value) if isinstance(value, str) else value  # XML has no way to write them
            for name, value in _node().model_validate(each).model_dump().items()
            if value is not None
        }
        graph.add_node(ids[place], **facts, on_main_path=place in network.main_path)
    graph.add_weighted_edges_from((ids[link.first], ids[link.second], link.strength) for link in network.links)
    file = BytesIO()
    nx.write_graphml(graph, file)
    return file.getvalue().decode("utf-8")


def _lines(network: PaperNetwork) -> Iterator[str]:
    from pathfinder.addons.network.figure import describe_network

    yield describe_network(network)
    if between := network.between[:MOST_BETWEEN]:
        yield "between the others:"
        yield from (f"  {_paper(paper)} [{paper.betweenness:.0%} of the shortest paths]" for paper in between)
    if network.main_path:
        yield "main path of citations:"
        yield from (f"  {_paper(network.papers[place])}" for place in network.main_path)
    for cluster in sorted({paper.cluster for paper in network.papers}):
        members = [paper for paper in network.papers if paper.cluster == cluster]
        yield f"cluster {cluster + 1}: {len(members)}"
        yield from (f"  {_paper(paper)}" for paper in members)


def _paper(each: NetworkPaper) -> str:
    rank = "" if each.rank is None else f" [rank {each.rank}]"
    return f"{each.paper.title} ({each.paper.known_year or 'year unknown'}) {each.paper.paper_id}{rank}"


def _brief(_: PaperNetwork, record: JsonObject, linked: LinkTo) -> JsonObject:
    """Keep the papers that connect the others, the main path, and the first papers of each cluster."""
    papers = record["papers"]
    between = sorted((paper for paper in papers if paper["betweenness"]), key=lambda paper: -paper["betweenness"])
    by_cluster = groupby(sorted(papers, key=lambda paper: paper["cluster"]), key=lambda paper: paper["cluster"])
    members = [list(cluster) for _, cluster in by_cluster]

    def short(some: list[JsonObject]) -> list[JsonObject]:
        return [linked(only(paper, ("paper_id", "title", "year"))) for paper in some]

    return {
        **only(record, ("question", "tie")),
        "n_papers": len(papers),
        "n_links": len(record["links"]),
        "between": short(between[:MOST_BETWEEN]),
        "main_path": short([papers[place] for place in record["main_path"]]),
        "clusters": [{"n_papers": len(each), "papers": short(each[:MOST_OF_A_CLUSTER])} for each in members],
        "notes": record["notes"],
    }


@declare(
    "network",
    address="network",
    tool="paper_network",
    result=lambda: result_of(PaperNetwork, papers=[_node()]),
    lines=_lines,
    brief=_brief,
    forms={"graphml": network_graphml},
)
def network(
    pf: "Pathfinder",
    found: SearchResult,
    papers: Annotated[
        int, Field(ge=2, le=MAX_PAPERS, description="Number of papers, hits and neighbours together.")
    ] = DEFAULT_PAPERS,
    by: Annotated[TieName | None, Shell("--tie --by", _BY)] = None,
) -> PaperNetwork:
    """Link the papers found and their neighbours by citations or likeness; list those that link the clusters, and the
    main path of citations.
    """
    from pathfinder.addons.network.network import paper_network

    return paper_network(pf, found, by and Tie(by), papers)
