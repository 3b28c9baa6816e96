"""`pathfinder network`: the papers found, linked with their neighbours."""

import json

import networkx as nx

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
