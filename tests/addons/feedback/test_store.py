"""Storage of judgements: nothing is lost, and everything can be withdrawn."""

import datetime
import json
import sqlite3
from dataclasses import replace

import pytest

from pathfinder.addons.feedback.judgements import (
    FEEDBACK,
    FeedbackStore,
    Opinion,
    Remark,
    Target,
    Thumb,
    judgement_of,
)
from pathfinder.errors import StoreError, UsageError
from pathfinder.types import CorpusName
from tests.cli.conftest import only_line
from tests.feedback_made import DAY, JUDGED


def test_what_was_added_is_read_by_another_store(tmp_path):
    FeedbackStore(tmp_path / "new").add(JUDGED)
    assert FeedbackStore(tmp_path / "new").judgements() == (JUDGED,)
    assert FeedbackStore(tmp_path / "new").judgements(["other corpus"]) == ()


def test_judgements_outlive_the_version_of_their_corpus(tmp_path):
    store = FeedbackStore(tmp_path)
    store.add(JUDGED)
    store.add(replace(JUDGED, code="code-2", corpus=CorpusName("stars", "ba9876543210", 4)))
    assert len(store.judgements(["stars"])) == 2


def test_judgements_are_stored_by_the_id_of_their_corpus_and_earlier_ones_by_its_name(tmp_path):
    store, here = FeedbackStore(tmp_path), CorpusName("stars", "0123456789ab", 3, "stars-1234abcd")
    store.add(JUDGED)
    store.add(replace(JUDGED, code="code-2", corpus=here))
    store.add(replace(JUDGED, code="code-3", corpus=replace(here, id="stars-5678abcd")))
    assert [each.code for each in store.judgements(here.ids)] == ["code-1", "code-2"]


def test_the_code_withdraws_a_judgement_once(tmp_path):
    store = FeedbackStore(tmp_path)
    assert not store.withdraw("code-1")
    store.add(JUDGED)
    assert (store.withdraw("code-2"), store.withdraw("code-1"), store.withdraw("code-1")) == (False, True, False)
    assert store.judgements() == ()


def test_old_judgements_are_forgotten(tmp_path):
    store = FeedbackStore(tmp_path)
    store.add(JUDGED)
    store.add(replace(JUDGED, code="code-2", day=DAY - datetime.timedelta(days=1)))
    assert store.forget_before(DAY) == 1
    assert [each.code for each in store.judgements()] == ["code-1"]
    assert (store.delete_all(), store.judgements()) == (1, ())


def test_a_folder_that_cannot_be_written_is_named_with_the_way_out(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"file/feedback.sqlite3.*PATHFINDER_DATA"):
        FeedbackStore(tmp_path / "file").add(JUDGED)


def test_a_damaged_record_is_said(tmp_path):
    store = FeedbackStore(tmp_path)
    store.add(JUDGED)
    with sqlite3.connect(tmp_path / FEEDBACK.file) as database:
        database.execute("update judgements set record = ?", (json.dumps({"code": 1}),))
    with pytest.raises(StoreError, match="holds a judgement that cannot be read"):
        store.judgements()


def test_a_reason_must_suit_what_is_judged():
    with pytest.raises(UsageError, match="'off topic'"):
        replace(JUDGED, target=Target.ANSWER, remark=Remark.OFF_TOPIC)
    with pytest.raises(UsageError, match="'b'"):
        replace(JUDGED, paper_id="b")


def test_a_judgement_holds_the_list_and_the_question_only_if_the_reader_allows_it(pf):
    result = pf.search("masers in orbit", top_k=3)
    first = result.hits[0].paper.paper_id
    judgements = [
        judgement_of(
            result, Opinion(Target.PAPER, Thumb.UP, paper_id=first, with_question=may_store), search_id="s", day=DAY,
            version="0.2.0",
        )
        for may_store in (False, True)
    ]  # fmt: skip
    assert [each.question for each in judgements] == [None, "masers in orbit"]
    assert judgements[0].code != judgements[1].code
    assert [each.paper_id for each in judgements[0].listed] == [hit.paper.paper_id for hit in result.hits]
    # Recency is off in this search, but was measured.
    assert {"match", "recency", "rerank"} <= dict(judgements[0].listed[0].factors).keys()


# `pathfinder feedback`: judgements of readers, exported, withdrawn and deleted.


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
