"""`pathfinder table`: papers compared column by column."""

import json

QUESTION = "How do young galaxies form?"


def test_each_paper_has_a_line_for_each_column(run, corpus):
    lines = run("table", QUESTION, "--corpus", corpus, "--column", "result", "--column", "limitation").out.splitlines()
    assert lines[0].endswith(" galaxies")
    assert [line.split(":")[0].strip() for line in lines[1:3]] == ["result", "limitation"]


def test_json_and_the_formats_hold_the_same_columns(run, corpus):
    record = json.loads(run("table", QUESTION, "--corpus", corpus, "--json").out)
    assert record["columns"] == ["sample", "method", "result", "limitation"]
    assert run("table", QUESTION, "--corpus", corpus, "--format", "csv").out.startswith("id,title,year,url,sample,")
    assert run("table", QUESTION, "--corpus", corpus, "--format", "latex").out.startswith(r"\begin{tabularx}")
    assert run("table", QUESTION, "--corpus", corpus, "--format", "markdown").out.startswith("| paper | sample |")


def test_the_papers_on_a_shelf_are_marked_by_criteria(run, corpus):
    first = json.loads(run("table", QUESTION, "--corpus", corpus, "--json").out)["rows"][0]["paper_id"]
    run("shelf", "add", "Young", first, "--corpus", corpus)
    record = json.loads(run("shelf", "table", corpus, "Young", "--criterion", "galaxies", "--json").out)
    assert (record["columns"], record["criteria"]) == (["galaxies"], ["galaxies"])
