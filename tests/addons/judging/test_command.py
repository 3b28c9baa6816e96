"""`pathfinder judge`: studies made, judged by sheets, counted and deleted."""

import csv
import io
import json

import pytest

from tests.cli.conftest import only_line


@pytest.fixture
def questions(tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    file = tmp_path / "questions.txt"
    file.write_text("Which stars are magnetic?\nWhat is dark matter?\n")
    return file


def test_two_settings_are_compared_by_a_sheet(run, golden_corpus, questions, tmp_path):
    outcome = run("judge", "make", golden_corpus, "s", "--questions", questions, "--first", "bm25", "--second", "dense")
    assert outcome.out == "s: 2 pairs of rankings\n"
    assert "already has a study 's'" in only_line(
        run("judge", "make", golden_corpus, "s", "--questions", questions, "--first", "bm25", "--second", "dense"), 2
    )
    rows = list(csv.DictReader(io.StringIO(run("judge", "sheet", golden_corpus, "s", "--reader", "ann").out)))
    sheet = tmp_path / "sheet.csv"
    marks = {"coverage": "same", "relevance": "same", "usefulness": "same", "overall": "A"}
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(row | marks for row in rows)
    assert run("judge", "votes", golden_corpus, "s", sheet, "--reader", "ann").out == "2 votes of ann\n"
    result = json.loads(run("judge", "results", golden_corpus, "s", "--json").out)
    overall = result["criteria"][-1]
    assert (result["n_votes"], overall["won_by_first"] + overall["won_by_second"]) == (2, 2)
    assert "overall: bm25" in run("judge", "results", golden_corpus, "s").out
    votes = list(csv.DictReader(io.StringIO(run("judge", "export", golden_corpus, "s").out)))
    assert [row["overall"] for row in votes] == [row["A"] for row in votes]
    assert run("judge", "list", golden_corpus).out == "s: 2 pairs, 2 votes\n"
    assert run("judge", "delete", golden_corpus, "s").out == "s: deleted with 2 votes\n"


def test_answers_of_two_settings_are_kept_without_their_badges(run, golden_corpus, questions):
    run(
        "judge", "make", golden_corpus, "a", "--answers", "--questions", questions, "--first", "bm25", "--second",
        "default",
    )  # fmt: skip
    sheet = run("judge", "sheet", golden_corpus, "a", "--reader", "ann").out
    assert sheet.startswith("pair,question,A,B,organisation,coverage,relevance,usefulness,overall")
    assert "bm25" not in sheet


def test_pairs_made_elsewhere_become_a_study(run, golden_corpus, questions, tmp_path):
    file = tmp_path / "pairs.jsonl"
    file.write_text('{"question": "?", "first": {"text": "yes"}, "second": {"text": "yes"}}\n')
    outcome = run("judge", "add", golden_corpus, "mine", file, "--first", "x", "--second", "y")
    assert outcome.out == "mine: 1 pairs of answers\n"
    assert "both sides are the same in 1 pairs" in outcome.err
