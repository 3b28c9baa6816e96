"""`pathfinder hypotheses`: concepts that are never keywords of the same paper."""

import json

from tests.cli.conftest import only_line


def test_hypotheses_of_the_corpus_that_ships_are_listed_with_both_sides(run, landmarks_corpus):
    record = json.loads(run("hypotheses", landmarks_corpus, "--n", "3", "--json").out)
    assert len(record["hypotheses"]) == 3
    first = record["hypotheses"][0]
    assert all(len(linking["papers"]) == 2 for linking in first["linking"])
    assert all(concept["place"] is not None for concept in first["concepts"])
    names = [concept["name"] for concept in first["concepts"]]
    lines = run("hypotheses", landmarks_corpus, "--n", "1").out.splitlines()
    assert "In a backtest on" in lines[1]
    assert lines[2] == f"1. {names[0]} - {names[1]}"
    assert lines[3].endswith("[conjecture]")


def test_a_question_is_about_its_concepts(run, landmarks_corpus):
    question = "What is the value of the Hubble constant?"
    record = json.loads(run("hypotheses", landmarks_corpus, "--about", question, "--json").out)
    assert record["about"] == question
    assert record["hypotheses"]
    assert run("hypotheses", landmarks_corpus, "--about", question, "--format", "csv").out.startswith("rank,first,")


def test_a_statement_in_words_needs_a_chat_model(run, landmarks_corpus):
    outcome = run("hypotheses", landmarks_corpus, "--written", "1")
    assert "set PATHFINDER_CHAT_MODEL" in only_line(outcome, 1)


def test_a_question_and_a_shelf_exclude_each_other(run, landmarks_corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    run("shelf", "add", landmarks_corpus, "h0", "riess-2022")
    outcome = run("hypotheses", landmarks_corpus, "--about", "dust", "--shelf", "h0")
    assert "give one or the other" in only_line(outcome, 2)
