"""The commands of a screening, and the one that measures screenings."""

import csv
import io
import json

import pytest

from pathfinder.addons.screening import decisions as screening
from tests.cli.conftest import only_line


@pytest.fixture(autouse=True)
def embedder(monkeypatch):
    monkeypatch.setenv("PATHFINDER_EMBEDDER", "fake:hash-16")


@pytest.fixture
def session(run, corpus, tmp_path):
    """Start to screen the three papers in the corpus."""
    path = tmp_path / "stars.json"
    outcome = run("screen", "start", corpus, "--question", "How do pulsars spin?", "--session", path, "--json")
    assert (outcome.status, outcome.err) == (0, "")
    assert json.loads(outcome.out) == {"session": str(path), "n": 3, "notes": []}
    return path


def first(run, session):
    return json.loads(run("screen", "next", session, "--json").out)["papers"][0]


def test_papers_are_decided_one_by_one_until_none_is_left(run, session):
    shown_ids = []
    for verdict in ("in", "out", "later"):
        paper = first(run, session)
        shown_ids.append(paper["id"])
        assert run("screen", "decide", session, paper["id"], verdict, "--reason", "as told").status == 0
    assert len(set(shown_ids)) == 3
    assert first(run, session)["id"] == shown_ids[2]  # put off, it comes back
    status = json.loads(run("screen", "decide", session, shown_ids[2], "out", "--json").out)
    assert (status["unread"], status["estimate"]["may_stop"]) == (0, True)
    assert [status["prisma"][each] for each in ("included", "excluded", "undecided", "not_screened")] == [1, 2, 0, 0]
    assert "you may stop" in run("screen", "status", session).out
    rows = list(csv.DictReader(io.StringIO(run("screen", "export", session).out)))
    assert [(row["id"], row["verdict"], row["reason"]) for row in rows[:2]] == [
        (shown_ids[0], "in", "as told"),
        (shown_ids[1], "out", "as told"),
    ]
    assert len(json.loads(run("screen", "export", session, "--format", "json").out)["decisions"]) == 4
    assert "Papers screened: 3" in run("screen", "export", session, "--format", "svg").out


def test_an_export_from_a_corpus_that_has_gone_says_so_in_one_line(run, session, tmp_path):
    line = only_line(run("screen", "export", session, "--corpus", tmp_path / "nowhere", "--json"), 1)
    assert f"{tmp_path / 'nowhere'} is not a folder" in line


def test_a_collection_that_does_not_exist_is_refused_with_the_way_out(run, tmp_path):
    line = only_line(run("evaluate", "screening", tmp_path / "nowhere"), 2)
    assert f"there is no {tmp_path / 'nowhere'}: name a folder in the BEIR format" in line


def test_only_the_papers_of_a_list_are_screened(run, corpus, tmp_path):
    ids = tmp_path / "shelf.txt"
    ids.write_text("pulsars\n\nplanets\n")
    options = ["--question", "How do pulsars spin?", "--ids", ids]
    outcome = run("screen", "start", corpus, *options, "--session", tmp_path / "shelf.json", "--json")
    assert json.loads(outcome.out)["n"] == 2
    ids.write_text("pulsars\nquasars\n")
    second_outcome = run("screen", "start", corpus, *options, "--session", tmp_path / "other.json")
    assert (second_outcome.status, "quasars is not among the papers" in second_outcome.err) == (2, True)


def test_papers_of_a_list_are_all_screened_unless_options_leave_some_out_which_is_said(
    run, corpus, tmp_path, monkeypatch
):
    monkeypatch.setattr(screening, "N_PAPERS", 2)
    ids = tmp_path / "ids.txt"
    ids.write_text("pulsars\nplanets\ngalaxies\n", encoding="utf-8")
    start = ("screen", "start", corpus, "--question", "How do pulsars spin?", "--json")
    assert json.loads(run(*start, "--session", tmp_path / "ranking.json").out)["n"] == 2
    whole = run(*start, "--ids", ids, "--session", tmp_path / "whole.json")
    assert (json.loads(whole.out)["n"], whole.err) == (3, "")
    first = run(*start, "--ids", ids, "--papers", 2, "--session", tmp_path / "first.json")
    assert json.loads(first.out)["n"] == 2
    assert "1 of the 3 papers named are left out: widen or drop --papers 2 to screen them too" in first.err


def test_a_file_that_is_not_text_is_no_list_of_papers(run, corpus, tmp_path):
    ids = tmp_path / "ids.npy"
    ids.write_bytes(b"\x93NUMPY\x01")
    options = ("--question", "How do pulsars spin?", "--ids", ids, "--session", tmp_path / "session.json")
    line = only_line(run("screen", "start", corpus, *options), 2)
    assert "ids.npy is not a list of ids (invalid start byte at byte 0)" in line
    assert "name a text file in UTF-8 with one id per line" in line


def test_the_status_is_json_for_programs(run, session):
    paper = first(run, session)["id"]
    run("screen", "decide", session, paper, "in")
    record = json.loads(run("screen", "status", session, "--json").out)
    assert (record["n"], record["read"], record["prisma"]["included"]) == (3, 1, 1)
    assert json.loads(run("screen", "undo", session, "--json").out)["read"] == 0


@pytest.fixture
def table(tmp_path):
    """Write 30 papers in ASReview's layout, the first six of which are in, and a row without a label."""
    lines = ["record_id,title,abstract,label_included"]
    lines += [f"{n},Paper {n},{'dust grains' if n < 6 else 'hot gas'} number {n % 5},{int(n < 6)}" for n in range(30)]
    path = tmp_path / "review.csv"
    path.write_text("\n".join([*lines, "30,Unread,gas,"]))
    return path


@pytest.mark.build
def test_a_labelled_review_is_screened_again_and_measured(run, table):
    outcome = run("evaluate", "screening", table, "--question", "grains of dust", "--runs", 3, "--json")
    record = json.loads(outcome.out)
    assert (outcome.status, record["collection"], record["n_questions"]) == (0, "review", 1)
    assert set(record["methods"]) == {"active", "ranking", "random"}
    assert all(set(figures) == {"wss@95", "atd"} for figures in record["methods"].values())
    # A random order finds the last of 6 of 30 at 6 * 31 / 7 on average.
    assert record["methods"]["random"]["wss@95"] == pytest.approx(0.95 - 6 * 31 / 7 / 30)
    assert record["methods"]["random"]["atd"] == 15.5
    assert {"promised", "reached", "work"} <= set(record["stop"])
    assert 0 < record["stop"]["work"] <= 1


def test_a_labelled_review_needs_a_question(run, table):
    assert "add --question TEXT" in run("evaluate", "screening", table).err


def test_a_table_without_labels_is_refused(run, tmp_path):
    path = tmp_path / "papers.csv"
    path.write_text("title,abstract\nA,B\n")
    assert "has no column label_included" in run("evaluate", "screening", path, "--question", "dust").err


def test_only_the_papers_of_a_shelf_are_screened(run, corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    run("shelf", "add", corpus, "mine", "galaxies", "planets")
    session, question = tmp_path / "session.json", ("--question", "How do galaxies form?")
    start = ("screen", "start", corpus, *question, "--session", session, "--within-shelf", "mine", "--json")
    assert json.loads(run(*start).out)["n"] == 2
    ids = tmp_path / "ids.txt"
    ids.write_text("galaxies\n", encoding="utf-8")
    options = ("--session", tmp_path / "other.json", "--within-shelf", "mine", "--ids", ids)
    assert "cannot be used together" in only_line(run("screen", "start", corpus, *question, *options), 2)
