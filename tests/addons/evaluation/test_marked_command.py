"""The command that measures answers on marked questions."""

import json

import pytest

from tests.building.conftest import PULSARS


@pytest.fixture
def file(tmp_path):
    sentence = PULSARS["abstract"]
    row = {"question": "How noisy is the timing of pulsars?", "paper": "pulsars", "type": "why_how"}
    path = tmp_path / "marked.jsonl"
    path.write_text(json.dumps({**row, "sentences": {"0": sentence}, "gold": [0]}) + "\n")
    return path


def test_the_figures_are_written_as_json(run, file, corpus):
    outcome = run("evaluate", "answers", file, "--corpus", corpus, "--json")
    record = json.loads(outcome.out)
    assert (outcome.status, record["n_questions"]) == (0, 1)
    assert record["finding_is_gold"] == {"value": 1, "low": 1, "high": 1}
    assert record["by_type"]["why_how"]["n_questions"] == 1


def test_the_figures_are_written_as_a_table(run, file, corpus):
    title, header, *rows = run("evaluate", "answers", file, "--corpus", corpus).out.splitlines()
    assert title == "1 marked questions"
    assert header.split() == ["all", "(n", "1)", "why_how", "(n", "1)"]
    assert [row.split()[0] for row in rows if "finding" in row] == ["finding_is_gold"]


def test_a_judge_needs_a_chat_model(run, file, corpus, monkeypatch):
    monkeypatch.delenv("PATHFINDER_CHAT_MODEL", raising=False)
    outcome = run("evaluate", "answers", file, "--corpus", corpus, "--judge")
    assert (outcome.status, outcome.out) == (2, "")
    assert "judging needs a chat model" in outcome.err
