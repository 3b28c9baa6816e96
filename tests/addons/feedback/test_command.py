"""`pathfinder feedback`: judgements of readers, exported, learned from, withdrawn and deleted."""

import datetime
import json

import pytest

from pathfinder.addons.feedback.judgements import FeedbackStore
from tests.cli.conftest import only_line
from tests.feedback_made import JUDGED


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    return FeedbackStore(tmp_path / "data")


def test_judgements_are_exported_without_their_codes(run, store):
    store.add(JUDGED)
    (judgement,) = json.loads(run("feedback", "export").out)["judgements"]
    assert (judgement["paper_id"], judgement["thumb"], judgement["question"], "code" in judgement) == (
        "a",
        "up",
        None,
        False,
    )
    assert json.loads(run("feedback", "export", "--corpus", "other").out) == {"judgements": []}


def test_a_judgement_is_withdrawn_by_its_code(run, store):
    store.add(JUDGED)
    assert run("feedback", "withdraw", JUDGED.code).out == "withdrawn\n"
    assert store.judgements() == ()
    assert "no judgement has the code" in only_line(run("feedback", "withdraw", JUDGED.code), 2)


def test_judgements_are_deleted_by_their_age_or_all(run, store):
    store.add(JUDGED)
    age = (datetime.datetime.now(datetime.UTC).date() - JUDGED.day).days
    assert run("feedback", "delete", "--older-than", age + 1).out == "0 deleted\n"
    assert run("feedback", "delete").out == "1 deleted\n"


def test_weights_are_suggested_with_the_reason_why_not(run, store):
    store.add(JUDGED)
    record = json.loads(run("feedback", "suggest", "--json").out)
    assert (record["is_supported"], record["n_judgements"], record["strengths"]["rerank"]) == (False, 1, 1.0)
    assert run("feedback", "suggest").out.startswith("1 judgements, 0 searches, 0 pairs of papers: weights are learned")
