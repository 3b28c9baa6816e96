"""`pathfinder timeline`: a topic year by year."""

import json

from tests.cli.conftest import only_line

QUESTION = "How do young galaxies form?"


def test_years_are_listed_and_the_figure_is_written(run, corpus, tmp_path):
    out = run("timeline", QUESTION, "--corpus", corpus, "--out", tmp_path / "time.html").out
    assert "2024: " in out
    assert "plotly" in (tmp_path / "time.html").read_text(encoding="utf-8")
    record = json.loads(run("timeline", QUESTION, "--corpus", corpus, "--json").out)
    assert record["consensus"] is None
    assert sum(year["n"] for year in record["years"]) == len(record["papers"])


def test_the_consensus_needs_a_chat_model(run, corpus):
    assert "chat model" in only_line(run("timeline", QUESTION, "--corpus", corpus, "--consensus"), 1)
