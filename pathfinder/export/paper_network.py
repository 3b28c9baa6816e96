"""Writes a network of papers as JSON, and as GraphML for programs that draw networks."""

from io import BytesIO

import networkx as nx

from pathfinder.export.plain_json import JsonObject
from pathfinder.export.records import paper_record
from pathfinder.types import PaperNetwork, Tie, without_control_characters


def network_record(network: PaperNetwork) -> JsonObject:
    """Describe a network: question, tie, papers, links, main_path and notes.

    Each paper has rank (null for a neighbour of the hits), x, y, cluster (counted from 0) and betweenness; each link
    has first and second (positions in the list of papers, counted from 0; if the link is a reference, the first cites
    the second) and strength. "main_path" lists such positions, earliest paper first.
    """
    return {
        "question": network.question,
        "tie": str(network.tie),
        "papers": [
            {
                **paper_record(each.paper),
                "rank": each.rank,
                "x": each.x,
                "y": each.y,
                "cluster": each.cluster,
                "betweenness": each.betweenness,
            }
            for each in network.papers
        ],
        "links": [{"first": link.first, "second": link.second, "strength": link.strength} for link in network.links],
        "main_path": list(network.main_path),
        "notes": list(network.notes),
    }


def network_graphml(network: PaperNetwork) -> str:
    """Write a network as GraphML, which Gephi and Cytoscape can open; references are directed, other ties are not."""
    graph = nx.DiGraph() if network.tie is Tie.REFERENCES else nx.Graph()
    ids = [without_control_characters(each.paper.paper_id) for each in network.papers]
    for place, each in enumerate(network.papers):
        facts = {
            name: without_control_characters(value) if isinstance(value, str) else value  # XML has no way to write them
            for name, value in paper_record(each.paper).items()
            if value is not None
        }
        rank = {} if each.rank is None else {"rank": each.rank}
        graph.add_node(
            ids[place],
            **facts,
            **rank,
            x=each.x,
            y=each.y,
            cluster=each.cluster,
            betweenness=each.betweenness,
            on_main_path=place in network.main_path,
        )
    graph.add_weighted_edges_from((ids[link.first], ids[link.second], link.strength) for link in network.links)
    file = BytesIO()
    nx.write_graphml(graph, file)
    return file.getvalue().decode("utf-8")
