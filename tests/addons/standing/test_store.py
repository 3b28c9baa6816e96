"""Storage of standing questions: outside every corpus, by its id."""

from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.addons.standing.log import StandingStore
from pathfinder.types import CorpusName
from pathfinder.user_data import back_up, contents, delete_all, delete_corpus, move_corpus, restore
from tests.addons.standing.made_runs import H0, run_on

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
