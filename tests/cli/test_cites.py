"""`pathfinder cites`: what a paper in a corpus cites, and what cites it."""

import json


def test_references_and_citations_are_listed_as_lines_and_as_json(run, corpus):
    lines = run("cites", "galaxies", "--corpus", corpus).out.splitlines()
    assert lines == [
        "Young galaxies (2024) galaxies",
        "cites in this corpus: 1",
        "  Hot planets (2024) planets",
        "cites elsewhere: 1",
        "  doi:10.1/elsewhere",
        "cited in this corpus by: 0",
        "cited together with it: none",
        "cite the same works: none",
    ]
    record = json.loads(run("cites", "planets", "--corpus", corpus, "--json").out)
    assert [paper["paper_id"] for paper in record["cited_by"]] == ["galaxies"]
    assert (record["n_cited_by"], record["as_of"], record["citations_by_year"]) == (1, None, {"2024": 1})


def test_citations_are_counted_as_of_a_year(run, corpus):
    assert "cited up to 2023: 0" in run("cites", "planets", "--corpus", corpus, "--as-of", "2023").out.splitlines()
    assert "cited up to 2024: 1" in run("cites", "planets", "--corpus", corpus, "--as-of", "2024").out.splitlines()


def test_info_has_the_share_of_references_inside(run, corpus):
    references = json.loads(run("info", corpus, "--json").out)["coverage"]["references"]
    assert (references["n_references"], references["n_inside"], references["share_inside"]) == (2, 1, 0.5)
    assert "references: 2, 50.0% of them to papers in this corpus" in run("info", corpus).out
