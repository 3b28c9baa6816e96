"""The work of readers as a whole: one archive, which comes back as it was or not at all."""

import sqlite3
import zipfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from pathfinder.addons.feedback.judgements import FeedbackStore
from pathfinder.errors import UsageError
from pathfinder.plugins import Registry
from pathfinder.shelves.shelf import ShelfStore
from pathfinder.types import CorpusName
from pathfinder.user_data import back_up, backup, contents, delete_all, delete_corpus, move_corpus, restore
from pathfinder.user_data.records import Kind
from tests.feedback_made import JUDGED

STARS = CorpusName("stars", "0" * 12, 3, "stars-1234abcd")
PLANETS = CorpusName("planets", "0" * 12, 3, "planets-1234abcd")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two judgements and a shelf of stars, a judgement of planets, and a screening."""
    store = FeedbackStore(tmp_path / "data")
    for code, corpus in (("code-1", STARS), ("code-2", STARS), ("code-3", PLANETS)):
        store.add(replace(JUDGED, code=code, corpus=corpus))
    ShelfStore(tmp_path / "data", STARS).change("h0", lambda shelf: shelf.add(["riess"]))
    (tmp_path / "data" / "screenings").mkdir()
    for name in ("dust.json", "old.json.bak"):  # of 0.3.0, and one that was taken over
        (tmp_path / "data" / "screenings" / name).write_text("{}")
    (tmp_path / "data" / "built on the page").mkdir()  # a corpus: not the work of a reader
    return tmp_path / "data"


def test_what_is_stored_is_counted_by_corpus(folder: Path) -> None:
    assert contents(folder) == {
        "planets-1234abcd": {"judgements": 1},
        "stars-1234abcd": {"judgements": 2, "versions": 1},
    }
    assert contents(folder / "screenings") == {}


def test_a_backup_is_restored_as_it_was(folder: Path, tmp_path: Path) -> None:
    names = back_up(folder, tmp_path / "all.zip")
    assert names == ("feedback.sqlite3", "shelves.sqlite3", "screenings/dust.json", "screenings/old.json.bak")
    assert delete_all(folder) == 4
    assert contents(folder) == {}
    assert restore(tmp_path / "all.zip", folder) == names
    assert {each.code for each in FeedbackStore(folder).judgements()} == {"code-1", "code-2", "code-3"}
    assert ShelfStore(folder, STARS).shelf("h0").papers[0].paper_id == "riess"
    assert (folder / "screenings" / "dust.json").read_text() == "{}"


def test_a_backup_holds_what_was_added_by_a_store_that_is_still_open(folder: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(folder / "feedback.sqlite3")) as reader:
        reader.execute("begin")
        reader.execute("select * from judgements").fetchone()  # so that nothing can be moved out of the WAL file
        FeedbackStore(folder).add(replace(JUDGED, code="code-4"))
        back_up(folder, tmp_path / "all.zip")
    restore(tmp_path / "all.zip", tmp_path / "new")
    assert len(FeedbackStore(tmp_path / "new").judgements()) == 4


def test_a_backup_never_replaces_anything(folder: Path, tmp_path: Path) -> None:
    back_up(folder, tmp_path / "all.zip")
    with pytest.raises(UsageError, match=r"all\.zip"):
        back_up(folder, tmp_path / "all.zip")
    with pytest.raises(UsageError, match="already holds readers' work"):
        restore(tmp_path / "all.zip", folder)
    with pytest.raises(UsageError, match="nothing to back up"):
        back_up(tmp_path / "empty", tmp_path / "none.zip")
    assert not (tmp_path / "none.zip").exists()


@pytest.mark.parametrize("name", ["../evil.sqlite3", "screenings/../../evil.json", "/evil.sqlite3", "evil.py"])
def test_an_archive_with_other_files_is_refused_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("screenings/dust.json", "{}")
        archive.writestr(name, "evil")
    with pytest.raises(UsageError, match="which cannot come from a backup"):
        restore(tmp_path / "all.zip", tmp_path / "new")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["all.zip"]


def test_a_damaged_backup_is_refused_and_nothing_is_written(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("screenings/dust.json", "{}")
        archive.writestr("feedback.sqlite3", (folder / "feedback.sqlite3").read_bytes()[:3000] + b"x" * 3000)
    with pytest.raises(UsageError, match=r"feedback\.sqlite3"):
        restore(tmp_path / "all.zip", tmp_path / "new")
    (tmp_path / "no.zip").write_text("no archive")
    with pytest.raises(UsageError, match=r"no\.zip"):
        restore(tmp_path / "no.zip", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_the_work_on_a_corpus_moves_and_is_deleted_alone(folder: Path) -> None:
    assert move_corpus(folder, "stars-1234abcd", "stars-5678abcd") == 3
    assert ShelfStore(folder, replace(STARS, id="stars-5678abcd")).shelf("h0").papers[0].paper_id == "riess"
    assert delete_corpus(folder, "stars-5678abcd") == 3
    assert contents(folder) == {"planets-1234abcd": {"judgements": 1}}


def test_the_work_of_an_add_on_that_is_switched_off_is_copied_and_deleted_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATHFINDER_ADDONS", "-screening")
    monkeypatch.setattr(backup, "KINDS", Registry("pathfinder.browser_records", Kind, {}, "kind of record"))
    assert not any(kind.files for kind in backup.KINDS.all())
    delete_all(folder)
    assert not [*folder.glob("screenings/*.json*")]
