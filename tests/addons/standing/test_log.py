"""The log of standing questions: questions, runs and seen marks, each change a new log."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.addons.standing.log import MAX_RUNS, EntryKind, LogEntry, StandingLog, StandingStore
from pathfinder.addons.standing.question import FailedRun, StandingQuestion
from pathfinder.errors import StoreError, UsageError
from pathfinder.retrieval.request_records import request_of_record
from pathfinder.types import CorpusName
from pathfinder.user_data import back_up, contents, delete_all, delete_corpus, move_corpus, restore
from tests.addons.standing.made_runs import H0, day, run_on

DUST = replace(H0, id="def456", name="Dust")
FIRST = run_on(0, "ab", "ab")
SECOND = run_on(1, "cab", "abc", FIRST)
THIRD = run_on(2, "dcab", "abcd", FIRST, SECOND)


@pytest.fixture
def log() -> StandingLog:
    """One question with two runs, of which none was seen."""
    return StandingLog().add(H0).add_run(H0, FIRST).add_run(H0, SECOND)


def new_ids(log: StandingLog) -> list[str]:
    return [each.paper.paper_id for each in log.changes(H0).new]


def test_changes_are_those_since_the_run_that_was_seen(log: StandingLog) -> None:
    assert new_ids(log) == ["c"]
    seen = log.mark_seen(H0, SECOND.at).add_run(H0, THIRD)
    assert new_ids(seen) == ["d"]
    assert seen.changes(H0).is_seen


def test_a_run_that_came_after_what_was_shown_stays_unseen(log: StandingLog) -> None:
    on_screen = log.changes(H0)
    later = log.add_run(H0, THIRD)
    assert new_ids(later.mark_seen(H0, on_screen.now.at)) == ["d"]


def test_an_older_page_cannot_mark_less_than_what_was_seen(log: StandingLog) -> None:
    seen = log.mark_seen(H0, SECOND.at)
    assert seen.mark_seen(H0, FIRST.at) == seen
    assert seen.mark_seen(H0, SECOND.at) == seen
    assert seen.unmark_seen(H0) == log


def test_nothing_but_a_run_can_be_seen(log: StandingLog) -> None:
    with pytest.raises(UsageError, match="no run at 2026-01-08"):
        log.mark_seen(H0, day(7))
    with pytest.raises(UsageError, match="no run at 2026-01-08"):
        log.changes(H0, day(7))
    with pytest.raises(UsageError, match="has not been run yet"):
        log.add(DUST).changes(DUST)


def test_the_first_run_is_all_new_and_not_compared(log: StandingLog) -> None:
    first = StandingLog().add(H0).add_run(H0, FIRST)
    assert first.changes(H0).is_first
    assert not log.changes(H0).is_first
    assert not first.mark_seen(H0, FIRST.at).changes(H0).is_first


def test_a_failure_leaves_the_earlier_result_and_ends_with_the_next_one(log: StandingLog) -> None:
    failure = FailedRun(day(3), "version 3", "the host does not answer")
    failed = log.add_failure(H0, replace(failure, at=day(2))).add_failure(H0, failure)
    assert failed.failure(H0) == failure
    assert failed.changes(H0) == log.changes(H0)
    assert len(failed.entries) == len(log.entries) + 1
    assert failed.add_run(H0, THIRD).failure(H0) is None


def test_a_removed_question_comes_back_with_its_runs(log: StandingLog) -> None:
    removed = log.mark_seen(H0, FIRST.at).remove("H0")
    assert removed.questions() == ()
    assert removed.last_removed() == H0
    back = removed.bring_back()
    assert (back.questions(), back.runs(H0), back.seen_at(H0)) == ((H0,), (FIRST, SECOND), FIRST.at)
    with pytest.raises(UsageError, match="none to bring back"):
        back.bring_back()
    with pytest.raises(UsageError, match="already"):
        removed.add(replace(H0, id="other")).bring_back()


def test_only_the_last_removal_can_be_undone_so_that_what_was_removed_is_deleted(log: StandingLog) -> None:
    removed = log.add(DUST).remove("H0").remove("Dust")
    assert {entry.question for entry in removed.entries} == {DUST.id}
    assert removed.bring_back().questions() == (DUST,)


def test_a_new_name_is_refused_if_it_is_taken_and_keeps_the_runs(log: StandingLog) -> None:
    renamed = log.add(DUST).rename("H0", "Expansion")
    assert [question.name for question in renamed.questions()] == ["Expansion", "Dust"]
    assert renamed.runs(renamed.question("Expansion")) == (FIRST, SECOND)
    for change in (lambda: renamed.rename("Expansion", "Dust"), lambda: renamed.add(replace(DUST, id="new"))):
        with pytest.raises(UsageError, match="already a standing question 'Dust'"):
            change()
    with pytest.raises(UsageError, match=r"'H0'.*'Expansion'.*'Dust'"):
        renamed.remove("H0")


def test_old_runs_are_dropped_but_not_the_one_that_was_seen() -> None:
    log = StandingLog().add(H0).add_run(H0, FIRST).mark_seen(H0, FIRST.at)
    for n in range(1, MAX_RUNS + 5):
        log = log.add_run(H0, run_on(n, "ab", "ab"))
    assert [run.at for run in log.runs(H0)] == [FIRST.at, *(day(n) for n in range(5, MAX_RUNS + 5))]


def test_a_question_never_looked_at_loses_no_change_however_often_it_is_run() -> None:
    log = StandingLog().add(H0).add_run(H0, FIRST)
    for n in range(1, MAX_RUNS + 3):
        log = log.add_run(H0, run_on(n, "cab", "abc", FIRST))
    assert log.runs(H0)[0] == FIRST
    assert new_ids(log) == ["c"]
    last = log.runs(H0)[-1].at
    assert log.mark_seen(H0, last).add_run(H0, run_on(99, "cab", "abc")).runs(H0)[0].at == day(4)  # no baseline now


@pytest.mark.parametrize("name", ["", " H0", "two\nlines", "x" * 81])
def test_a_name_is_one_line(name: str) -> None:
    with pytest.raises(UsageError, match="write 1 to 80 characters on one line"):
        replace(H0, name=name)


def test_a_setting_of_a_later_version_is_kept_and_said_but_not_used() -> None:
    later = replace(H0, record={**H0.record, "warp": 9, "weights": {"beauty": 0.5, "recency": 0.5}})
    request, notes = later.request()
    assert (request.top_k, request.weighting.recency) == (4, 0.5)
    assert [note.split("'")[1] for note in notes] == ["warp", "weights.beauty"]
    log = StandingLog().add(later).rename("H0", "Expansion")
    assert log.question("Expansion").record == later.record


def test_a_value_that_is_no_longer_valid_stops_the_run_instead_of_the_filter() -> None:
    with pytest.raises(UsageError, match="top_k"):
        StandingQuestion("id", "H0", {"query": "How?", "top_k": 10**6}, day(0)).request()


def test_a_mark_whose_run_a_browser_had_no_room_for_stands_for_the_last_run_before_it(log: StandingLog) -> None:
    seen = log.mark_seen(H0, SECOND.at).add_run(H0, THIRD).mark_seen(H0, THIRD.at)
    later = seen.add_run(H0, run_on(3, "dcab", "abcd", FIRST, THIRD)).unmark_seen(H0)
    second = next(each for each in later.entries if each.kind is EntryKind.RUN and str(SECOND.version) in each.record)
    short = StandingLog(tuple(each for each in later.entries if each is not second))
    assert [run.at for run in short.runs(H0)] == [FIRST.at, THIRD.at, day(3)]
    assert short.seen_at(H0) == SECOND.at
    assert new_ids(short) == ["d", "c"]


@pytest.mark.parametrize(
    "record", [{}, {"query": 1}, {"query": "q", "weights": ["recency"]}, {"query": "q", "weights": {"recency": "much"}}]
)
def test_a_question_from_a_browser_must_hold_a_search(log: StandingLog, record: dict[str, object]) -> None:
    question = json.loads(log.entries[0].record) | {"record": record}
    broken = StandingLog((replace(log.entries[0], record=json.dumps(question)), *log.entries[1:]))
    with pytest.raises(StoreError, match=r"entry 1 in the log of standing questions \(question\) cannot be read"):
        broken.questions()
    with pytest.raises(StoreError, match=r"entry 1 in the log"):
        StandingLog((*broken.entries, LogEntry(9, H0.id, EntryKind.REMOVAL, ""))).last_removed()
    with pytest.raises(UsageError, match=r"a search is stored as|must be a number"):
        request_of_record(record)


def test_a_record_that_cannot_be_read_is_named(log: StandingLog) -> None:
    broken = replace(log.entries[1], record=json.dumps({"at": "soon"}))
    with pytest.raises(StoreError, match=r"entry 2 in the log of standing questions \(run\) cannot be read"):
        StandingLog((log.entries[0], LogEntry(2, broken.question, broken.kind, broken.record))).runs(H0)


# Storage of standing questions: outside every corpus, by its id.


STARS = CorpusName("stars", "0" * 12, 3, "stars-1234abcd")
OTHER = CorpusName("stars", "0" * 12, 3, "stars-5678abcd")
RUN = run_on(0, "ab", "ab")


@pytest.fixture
def store(tmp_path: Path) -> StandingStore:
    store = StandingStore(tmp_path / "data", STARS)
    store.change(lambda log: log.add(H0))
    store.change(lambda log: log.add_run(H0, RUN))
    return store


def test_questions_are_read_by_another_store_and_not_for_another_corpus(store: StandingStore, tmp_path: Path) -> None:
    assert StandingStore(tmp_path / "data", STARS).log().runs(H0) == (RUN,)
    assert StandingStore(tmp_path / "data", OTHER).log().questions() == ()
    assert StandingStore(tmp_path / "nowhere", STARS).log().questions() == ()
    assert not (tmp_path / "nowhere").exists()


def test_what_is_dropped_is_deleted(store: StandingStore) -> None:
    store.change(lambda log: log.remove("H0"))
    store.change(lambda log: log.add(replace(H0, id="new")).remove("H0"))
    assert {entry.question for entry in store.log().entries} == {"new"}


def test_a_backup_covers_standing_questions(store: StandingStore, tmp_path: Path) -> None:
    folder, log = tmp_path / "data", store.log()
    assert contents(folder) == {"stars-1234abcd": {"standing_entries": 2}}
    back_up(folder, tmp_path / "all.zip")
    delete_all(folder)
    assert store.log().entries == ()
    restore(tmp_path / "all.zip", folder)
    assert store.log() == log


def test_questions_move_to_another_corpus_and_are_deleted_with_one(store: StandingStore, tmp_path: Path) -> None:
    folder, log = tmp_path / "data", store.log()
    assert move_corpus(folder, "stars-1234abcd", "stars-5678abcd") == 2
    assert StandingStore(folder, OTHER).log() == log
    assert delete_corpus(folder, "stars-5678abcd") == 2
    assert StandingStore(folder, OTHER).log().entries == ()
