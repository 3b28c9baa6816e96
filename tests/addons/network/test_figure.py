"""The figure of a network, and the files that other programs read."""

import networkx as nx

from pathfinder.addons.network.figure import LARGEST, SMALLEST, network_figure
from pathfinder.addons.network.operation import network as operation
from pathfinder.addons.network.operation import network_graphml
from pathfinder.addons.network.outcome import NetworkPaper, PaperNetwork
from pathfinder.landscape.figures.map import RING, WIDE_RING
from pathfinder.types import NetworkLink, Paper, Tie


def paper(row: int, *, rank: int | None = None, cluster: int = 0, betweenness: float = 0.0) -> NetworkPaper:
    title = "<b>Dust</b>" if row == 0 else f"Paper {row}"
    return NetworkPaper(Paper(f"p{row}", title, "", year=2000 + row), row, rank, row / 9, 0.0, cluster, betweenness)


PAPERS = (paper(0, rank=1), paper(1, betweenness=1.0), paper(2, cluster=1), paper(3, cluster=9))
LINKS = (NetworkLink(1, 0, 1.0), NetworkLink(2, 1, 1.0))
NETWORK = PaperNetwork("Why?", Tie.REFERENCES, PAPERS, LINKS, (0, 1, 2))


def test_links_are_one_line_and_the_main_path_is_another() -> None:
    links, path, *_ = network_figure(NETWORK).data
    assert (links.name, links.x) == ("one cites the other", (1 / 9, 0.0, None, 2 / 9, 1 / 9, None))
    assert (path.name, path.x) == ("main path of citations", (0.0, 1 / 9, None, 1 / 9, 2 / 9, None))


def test_clusters_differ_in_colour_and_shape_and_small_ones_share_the_last() -> None:
    dots = network_figure(NETWORK).data[2:]
    assert [trace.name for trace in dots] == ["cluster 1", "cluster 2", "cluster 6 and smaller"]
    assert len({trace.marker.color for trace in dots}) == len({trace.marker.symbol for trace in dots}) == 3


def test_hits_are_numbered_the_paper_between_most_is_largest_and_selected_ones_have_a_wide_ring() -> None:
    first = network_figure(NETWORK, selected_ids={"p1"}).data[2]
    assert first.text == ("1", "")
    assert first.customdata == ("p0", "p1")
    assert first.marker.size == (SMALLEST, LARGEST)
    assert first.marker.line.width == (RING, WIDE_RING)


def test_markup_in_a_title_is_shown_and_not_followed() -> None:
    assert network_figure(NETWORK).data[2].hovertext[0] == "&lt;b&gt;Dust&lt;/b&gt;<br>2000 · rank 1"


def test_graphml_is_read_back_with_its_directions_and_facts() -> None:
    graph = nx.parse_graphml(network_graphml(NETWORK))
    assert set(graph.edges) == {("p1", "p0"), ("p2", "p1")}
    assert graph.nodes["p0"] == {
        "paper_id": "p0",
        "title": "<b>Dust</b>",
        "year": 2000,
        "rank": 1,
        "x": 0.0,
        "y": 0.0,
        "cluster": 0,
        "betweenness": 0.0,
        "on_main_path": True,
    }
    assert not graph.nodes["p3"]["on_main_path"]


def test_the_record_has_the_papers_by_position() -> None:
    record = operation.write(NETWORK)
    assert (record["tie"], record["main_path"]) == ("references", [0, 1, 2])
    assert record["papers"][1] == {
        "paper_id": "p1",
        "title": "Paper 1",
        "year": 2001,
        "status": None,
        "rank": None,
        "x": 1 / 9,
        "y": 0.0,
        "cluster": 0,
        "betweenness": 1.0,
    }
    assert record["links"][0] == {"first": 1, "second": 0, "strength": 1.0}
