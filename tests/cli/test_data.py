"""`pathfinder data`: what readers have stored, listed, backed up, moved and deleted."""

import json
import shutil

import pytest

from pathfinder.addons.feedback.judgements import FeedbackStore
from tests.building.conftest import GALAXIES, PLANETS, write
from tests.cli.conftest import only_line
from tests.feedback_made import JUDGED


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.build
def test_shelves_are_still_there_after_their_corpus_was_deleted_and_built_again(run, data, tmp_path):
    source = write(tmp_path / "papers.jsonl", GALAXIES, PLANETS)
    build = ("build", source, "--out", tmp_path / "stars", "--embedder", "fake:hash-16")
    run(*build)
    run("shelf", "add", tmp_path / "stars", "h0", "galaxies")
    before = json.loads(run("info", tmp_path / "stars", "--json").out)["id"]
    shutil.rmtree(tmp_path / "stars")
    assert run(*build).status == 0
    assert json.loads(run("info", tmp_path / "stars", "--json").out)["id"] == before
    record = json.loads(run("shelf", "show", tmp_path / "stars", "h0", "--json").out)
    assert [paper["id"] for paper in record["papers"]] == ["galaxies"]
    overview = json.loads(run("data", "list", "--json").out)
    assert overview["corpora"] == [{"id": before, "rows": {"versions": 1}}]
    assert before.startswith("stars-")


@pytest.mark.build
def test_corpora_of_one_name_share_nothing_and_a_corpus_that_moved_takes_its_shelves_along(run, data, tmp_path):
    source = write(tmp_path / "papers.jsonl", GALAXIES)
    here, there = tmp_path / "here" / "stars", tmp_path / "there" / "stars"
    for folder in (here, there):
        run("build", source, "--out", folder, "--embedder", "fake:hash-16")
    run("shelf", "add", here, "h0", "galaxies")
    assert json.loads(run("shelf", "list", there, "--json").out)["shelves"] == []
    old = json.loads(run("info", here, "--json").out)["id"]
    shutil.move(here, tmp_path / "planets")
    new = json.loads(run("info", tmp_path / "planets", "--json").out)["id"]
    assert run("data", "move", old, new).out == "1 moved\n"
    assert len(json.loads(run("shelf", "list", tmp_path / "planets", "--json").out)["shelves"]) == 1


def test_a_backup_comes_back_after_everything_was_deleted(run, data, tmp_path):
    FeedbackStore(data).add(JUDGED)
    assert run("data", "backup", tmp_path / "all.zip").out == f"{tmp_path / 'all.zip'}: feedback.sqlite3\n"
    assert run("data", "delete", "--all").out == "1 files deleted\n"
    assert run("data", "list").out == f"{data} contains no readers' work yet\n"
    assert run("data", "restore", tmp_path / "all.zip").out == f"{data}: feedback.sqlite3\n"
    assert run("data", "list").out == "stars: 1 judgements\n"


def test_what_is_stored_for_a_corpus_moves_to_another_and_is_deleted(run, data):
    FeedbackStore(data).add(JUDGED)
    assert run("data", "move", "stars", "stars-1234abcd").out == "1 moved\n"
    assert "nothing is stored for 'stars'" in only_line(run("data", "delete", "stars"), 2)
    assert "name one of the corpora" in only_line(run("data", "delete"), 2)
    assert run("data", "delete", "stars-1234abcd").out == "1 deleted\n"
