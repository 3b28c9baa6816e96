"""The network of a search: its hits, their neighbours and the links among them."""

import json
import math
from dataclasses import replace
from math import sqrt
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

from pathfinder.addons.network import panel
from pathfinder.addons.network.network import main_path
from pathfinder.addons.network.operation import NetworkPaper, PaperNetwork, network_graphml
from pathfinder.addons.network.operation import network as operation
from pathfinder.addons.network.panel import LARGEST, SMALLEST, network_figure
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.figures.map import RING, WIDE_RING
from pathfinder.retrieval.citations import ties
from pathfinder.retrieval.citations.ties import N_STRONGEST, links_among, neighbours
from pathfinder.types import NetworkLink, Paper, SearchResult, Tie
from pathfinder.ui.papers import selection
from tests.ui.test_pages import Open, page_text, ran


@pytest.fixture(scope="module")
def result(linked: Pathfinder) -> SearchResult:
    return linked.search("What is the value of the Hubble constant?", top_k=3)


def hits_at(result: SearchResult, *rows: int) -> SearchResult:
    """The result with papers in these rows as its hits."""
    return replace(result, hits=tuple(replace(result.hits[0], row=row) for row in rows))


def test_references_link_a_paper_with_what_it_cites_and_with_what_cites_it(linked: Pathfinder) -> None:
    # 1 cites 0; 2 and 3 cite both.
    rows = np.array([0, 1, 2, 3])
    links = links_among(Tie.REFERENCES, rows, linked.corpus)
    assert {(link.first, link.second) for link in links} == {(1, 0), (2, 0), (2, 1), (3, 0), (3, 1)}
    # Of 2, which cites 0 and 1 and is cited by 4.
    assert sorted(neighbours(Tie.REFERENCES, np.array([2]), linked.corpus, 9).tolist()) == [0, 1, 4]


def test_papers_cited_together_and_papers_with_the_same_references_are_linked_by_salton_s_cosine(
    linked: Pathfinder,
) -> None:
    (together,) = links_among(Tie.CO_CITATION, np.array([0, 1]), linked.corpus)
    assert together.strength == pytest.approx(2 / sqrt(3 * 2))  # by 2 and 3; 0 is cited three times, 1 twice
    (coupled,) = links_among(Tie.COUPLING, np.array([2, 3]), linked.corpus)
    assert coupled.strength == pytest.approx(2 / sqrt(2 * 2))  # 0 and 1, and they cite nothing else


def test_by_likeness_each_paper_is_linked_with_the_most_similar_ones(pf: Pathfinder) -> None:
    rows = np.arange(12)
    links = links_among(Tie.LIKENESS, rows, pf.corpus)
    vectors = pf.corpus.dense.vectors(rows)
    similarities = vectors[0] @ vectors.T
    nearest = set(np.argsort(-similarities)[1 : 1 + N_STRONGEST].tolist())
    of_first = {link.second for link in links if link.first == 0}
    assert nearest <= of_first
    assert [link.strength for link in links if (link.first, link.second) == (0, min(nearest))] == [
        pytest.approx(float(similarities[min(nearest)]), abs=1e-6)
    ]


def test_hits_come_first_and_their_neighbours_fill_the_network(linked: Pathfinder, result: SearchResult) -> None:
    network = linked.network(hits_at(result, 2, 0), n_papers=4)
    assert network.tie is Tie.REFERENCES
    assert [(paper.row, paper.rank) for paper in network.papers[:2]] == [(2, 1), (0, 2)]
    # 1 is tied to both hits; 3 (to the second) comes before 4 (to the first) in the corpus.
    assert [paper.row for paper in network.papers[2:]] == [1, 3]
    assert [paper.rank for paper in network.papers[2:]] == [None, None]
    assert all(-1 <= value <= 1 for paper in network.papers for value in (paper.x, paper.y))


def test_the_same_network_is_drawn_in_the_same_places(linked: Pathfinder, result: SearchResult) -> None:
    assert linked.network(result, Tie.LIKENESS, 20) == linked.network(result, Tie.LIKENESS, 20)


def test_neighbours_pass_the_filters_of_the_search(linked: Pathfinder, result: SearchResult) -> None:
    years = linked.corpus.papers.years()
    until = int(years[2])
    request = replace(result.request, year_to=until)
    network = linked.network(replace(hits_at(result, 2), request=request), n_papers=10)
    rows = {0, 1, 4}
    assert {paper.row for paper in network.papers} == {2} | {row for row in rows if years[row] <= until}


def test_a_paper_on_every_path_between_two_others_has_all_the_betweenness(
    linked: Pathfinder, result: SearchResult
) -> None:
    # 5 cites 4, and 4 cites 2: one path between 2 and 5, through 4.
    network = linked.network(hits_at(result, 4, 5, 2), n_papers=3)
    assert [(paper.row, paper.betweenness) for paper in network.papers] == [(4, 1.0), (5, 0.0), (2, 0.0)]
    assert [paper.row for paper in network.between] == [4]


def test_without_citations_papers_are_linked_by_likeness_and_the_network_says_so(pf: Pathfinder) -> None:
    result = pf.search("What is the value of the Hubble constant?", top_k=3)
    network = pf.network(result)
    assert (network.tie, network.main_path) == (Tie.LIKENESS, ())
    (note,) = network.notes
    assert note.startswith("papers are linked by likeness, and there is no main path: ")
    with pytest.raises(UsageError, match="this corpus has no citation network"):
        pf.network(result, Tie.COUPLING)


def test_by_likeness_a_network_has_as_many_papers_as_are_wanted(
    pf: Pathfinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ties, "N_SIMILAR", 1)
    result = pf.search("dark energy", top_k=2)
    assert len(pf.network(result, n_papers=20).papers) == 20
    assert len(pf.network(result, n_papers=500).papers) == len(pf.corpus.papers)


@pytest.mark.parametrize("n_papers", [1, 501])
def test_a_network_of_another_size_is_refused(linked: Pathfinder, result: SearchResult, n_papers: int) -> None:
    with pytest.raises(UsageError, match=f"a network of {n_papers} papers cannot be drawn: ask for 2 to 500"):
        linked.network(result, n_papers=n_papers)


# The main path of citations: the chain through which most chains pass.


def test_the_main_path_follows_the_citations_that_most_chains_pass() -> None:
    # 2 cites 0 and 1; 3 and 4 cite 2; 5 cites 1 alone. Chains from a start to an end: 0-2-3, 0-2-4, 1-2-3, 1-2-4, 1-5.
    # Each citation of 2 and each by 2 lies on two of them, that by 5 on one: 2 + 2 is the highest sum.
    years = [1990, 1991, 2000, 2010, 2011, 2012]
    path = main_path(years, [(2, 0), (2, 1), (3, 2), (4, 2), (5, 1)])
    assert len(path) == 3
    assert path[1] == 2
    assert (path[0] in (0, 1), path[2] in (3, 4)) == (True, True)


def test_a_longer_chain_of_equal_citations_is_the_main_one() -> None:
    assert main_path([1990, 1995, 2000, 2005], [(1, 0), (2, 1), (3, 2), (3, 0)]) == (0, 1, 2, 3)


def test_references_against_the_years_and_of_papers_without_a_year_are_left_out() -> None:
    # Two preprints that cite each other would close a circle.
    assert main_path([2000, 2000, 2010], [(0, 1), (1, 0), (2, 1)]) == (1, 2)
    assert main_path([2000, math.nan], [(1, 0)]) == ()
    assert main_path([], []) == ()


# The figure of a network, and the files that other programs read.


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


# `pathfinder network`: the papers found, linked with their neighbours.


QUESTION = "How do young galaxies form?"


def test_a_network_is_described_with_its_clusters_and_its_main_path(run, corpus):
    first, *lines = run("network", QUESTION, "--corpus", corpus).out.splitlines()
    assert first == (
        "Network of 3 papers with 1 link (a line: one cites the other), in 2 clusters. 1 paper has no link here."
    )
    assert lines[0] == "cluster 1: 2"
    assert {line.partition(" [")[0] for line in lines[1:3]} == {
        "  Hot planets (2024) planets",
        "  Young galaxies (2024) galaxies",
    }


def test_json_and_graphml_hold_the_same_links(run, corpus):
    record = json.loads(run("network", QUESTION, "--corpus", corpus, "--json").out)
    ids = [paper["paper_id"] for paper in record["papers"]]
    assert [(ids[link["first"]], ids[link["second"]]) for link in record["links"]] == [("galaxies", "planets")]
    graph = nx.parse_graphml(run("network", QUESTION, "--corpus", corpus, "--format", "graphml").out)
    assert list(graph.edges) == [("galaxies", "planets")]


# The list shows the papers as a network, too.


@pytest.mark.parametrize("has_map", [True, False])
def test_the_papers_are_shown_as_a_network_with_a_list_of_what_lies_between(
    ask: Open, has_map: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_map:
        monkeypatch.setattr(Pathfinder, "landscape", None, raising=False)
    page = ask(q="What is the value of the Hubble constant?", k="3")
    page.button_group(key="papers-as").set_value("Network")
    ran(page.run())
    assert page.selectbox(key="network-tie").options == ["Likeness"]  # the golden corpus has no references
    text = "\n".join((page_text(page), *(caption.value for caption in page.caption)))
    assert "(a line: similar)" in text
    assert "Papers are linked by likeness\\, and there is no main path" in text
    assert "**Papers that connect the others**" in text
    assert "Download as GraphML" in [button.label for button in page.get("download_button")]
    page.selectbox(key="network-papers").set_value(20)
    ran(page.run())
    assert any(caption.value.startswith("Network of 20 papers") for caption in page.caption)


def test_a_click_on_a_dot_selects_its_paper_for_list_and_map(monkeypatch: pytest.MonkeyPatch) -> None:
    clicked = SimpleNamespace(selection=SimpleNamespace(points=[{"customdata": "riess-2022"}, {"customdata": None}]))
    state = {panel._FIGURE: clicked}
    monkeypatch.setattr(panel.st, "session_state", state)
    panel._select_clicked()
    assert selection.selected_ids() == ("riess-2022",)
    panel._select_clicked()
    assert selection.selected_ids() == ()
