"""`pathfinder tensions`: findings that disagree."""

import csv
import io
import json

from tests.cli.conftest import only_line

QUESTION = "How do young galaxies form?"


def test_the_papers_that_were_compared_are_counted(run, corpus):
    line, *_ = run("tensions", QUESTION, "--corpus", corpus).out.splitlines()
    assert line.startswith("3 papers with ")
    record = json.loads(run("tensions", QUESTION, "--corpus", corpus, "--json").out)
    assert (record["question"], record["n_papers"]) == (QUESTION, 3)


def test_csv_has_a_heading_for_both_sides(run, corpus):
    head, *_ = csv.reader(io.StringIO(run("tensions", QUESTION, "--corpus", corpus, "--format", "csv").out))
    assert head[4:6] == ["first_id", "first_year"]


def test_a_number_that_cannot_be_compared_is_a_usage_error(run, corpus):
    assert "choose 2 to 100" in only_line(run("tensions", QUESTION, "--corpus", corpus, "--papers", "1"), 2)
