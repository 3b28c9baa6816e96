"""The commands for standing questions, on a corpus that grows."""

import errno
import json

import pytest

from pathfinder.addons.standing.question import FailedRun
from pathfinder.facade import Pathfinder
from pathfinder.settings import Settings
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, write
from tests.cli.conftest import only_line

NEBULAE = {**GALAXIES, "id": "nebulae", "title": "Galaxies behind nebulae", "year": 2021}
QUESTION = {
    *("id", "name", "question", "settings", "statement", "uses_chat", "added_at", "n_runs", "last_run", "seen_run"),
    *("n_unseen", "failure"),
}
CHANGES = {
    *("name", "question", "before", "now", "new", "moved", "gone", "contested", "levels", "is_first", "is_seen"),
    "notes",
}


@pytest.fixture
def grown_corpus(run, monkeypatch, tmp_path):
    """A corpus with a standing question on galaxies; its source has one paper more than the corpus has read."""
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    source = write(tmp_path / "papers.jsonl", GALAXIES, PLANETS, PULSARS)
    run("build", source, "--out", "stars", "--embedder", "fake:hash-16")
    add = ("standing", "add", "How old are galaxies?", "--corpus", "stars", "--name", "age", "--top-k", "2", "--json")
    added = json.loads(run(*add).out)
    assert (set(added), added["n_papers"]) == (QUESTION | {"n_papers"}, 2)
    write(source, GALAXIES, PLANETS, PULSARS, NEBULAE)
    return "stars"


def changes_in(run, folder, *options):
    return json.loads(run("standing", "show", folder, "age", "--json", *options).out)


@pytest.mark.build
def test_an_update_runs_the_questions_and_says_so_in_a_line_each(run, grown_corpus):
    outcome = run("update", grown_corpus)
    assert outcome.status == 0
    assert outcome.out.splitlines()[-1].startswith("standing: age: 1 new, 1 gone")
    changes = changes_in(run, grown_corpus)
    assert set(changes) == CHANGES
    assert [(paper["id"], paper["arrival"]) for paper in changes["new"]] == [("nebulae", "added")]
    assert (changes["before"]["n_papers"], changes["now"]["n_papers"]) == (3, 4)
    assert changes["now"]["basis"] == "tensions"


@pytest.mark.build
def test_json_on_standard_output_stays_json_and_a_rollback_runs_them_too(run, grown_corpus):
    outcome = run("update", grown_corpus, "--json")
    assert json.loads(outcome.out)["new"] == 1
    assert "standing: age: 1 new" in outcome.err
    back = run("rollback", grown_corpus)
    assert back.out.splitlines()[-1] == "standing: age: nothing new"
    (question,) = json.loads(run("standing", "list", grown_corpus, "--json").out)["questions"]
    assert set(question) == QUESTION
    assert (question["n_runs"], question["settings"]) == (3, {"top_k": 2})


@pytest.mark.build
def test_a_removed_paper_is_gone(run, grown_corpus):
    run("update", grown_corpus)
    run("standing", "show", grown_corpus, "age", "--mark-seen")
    assert "standing: age: " in run("remove", grown_corpus, "nebulae").out
    missing = changes_in(run, grown_corpus)["gone"]
    assert [(paper["id"], paper["departure"]) for paper in missing] == [("nebulae", "removed")]


@pytest.mark.build
def test_only_an_explicit_mark_is_a_mark(run, grown_corpus, tmp_path):
    run("update", grown_corpus)
    for quiet in (("list",), ("run",)):
        run("standing", quiet[0], grown_corpus)
        run("standing", quiet[0], grown_corpus, "--json")
    run("standing", "show", grown_corpus, "age")
    run("standing", "feed", grown_corpus, "--out", tmp_path / "feed.json")
    changes = changes_in(run, grown_corpus)
    assert (changes["is_seen"], len(changes["new"])) == (False, 1)
    assert len(changes_in(run, grown_corpus, "--mark-seen")["new"]) == 1
    after = changes_in(run, grown_corpus)
    assert (after["is_seen"], after["new"], after["gone"]) == (True, [], [])
    (question,) = json.loads(run("standing", "list", grown_corpus, "--json").out)["questions"]
    assert question["n_unseen"] == 0


@pytest.mark.build
def test_what_could_not_be_written_is_not_marked(run, grown_corpus, monkeypatch):
    run("update", grown_corpus)

    def full(_record):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("pathfinder.cli.operations.write_json", full)
        assert run("standing", "show", grown_corpus, "age", "--json", "--mark-seen").status == 1
    assert changes_in(run, grown_corpus)["is_seen"] is False


@pytest.mark.build
def test_a_run_that_fails_is_said_and_the_earlier_result_stays(run, grown_corpus, monkeypatch, tmp_path):
    before = changes_in(run, grown_corpus)
    store = Pathfinder.open(grown_corpus, settings=Settings(_env_file=None)).standing_store
    (question,) = store.log().questions()
    later = question.record | {"top_k": 10**6}
    store.change(lambda log: log.rename("age", "old").add(type(question)("id2", "age", later, question.added_at)))
    assert before["is_first"]
    outcome = run("update", grown_corpus)
    assert outcome.status == 0
    assert "age: could not be run, and keeps its earlier result: top_k must be a whole number" in outcome.out
    questions = {
        each["name"]: each for each in json.loads(run("standing", "list", grown_corpus, "--json").out)["questions"]
    }
    assert "top_k" in questions["age"]["failure"]
    assert (questions["old"]["failure"], questions["old"]["n_runs"]) == (None, 2)
    assert run("standing", "run", grown_corpus).status == 1
    failure = store.log().failure(store.log().question("age"))
    assert isinstance(failure, FailedRun)
    for since in ((), ("--since", "2026-01-01")):  # its first run failed, so there is none to compare with
        only_line(run("standing", "show", grown_corpus, "age", *since), 2)


@pytest.mark.build
def test_questions_are_renamed_removed_and_brought_back(run, grown_corpus):
    assert json.loads(run("standing", "rename", grown_corpus, "age", "Age", "--json").out) == {"name": "Age"}
    assert json.loads(run("standing", "remove", grown_corpus, "Age", "--json").out) == {"name": "Age"}
    assert json.loads(run("standing", "list", grown_corpus, "--json").out) == {"questions": []}
    assert json.loads(run("standing", "undo", grown_corpus, "--json").out) == {"name": "Age"}
    only_line(run("standing", "undo", grown_corpus), 2)
    only_line(run("standing", "show", grown_corpus, "age"), 2)
    only_line(run("standing", "add", "How?", "--corpus", grown_corpus, "--name", "Age"), 2)


def test_a_corpus_without_standing_questions_says_nothing(run, corpus, monkeypatch, tmp_path):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "data"))
    assert json.loads(run("standing", "list", corpus, "--json").out) == {"questions": []}
    assert json.loads(run("standing", "feed", corpus).out)["items"] == []
    assert json.loads(run("standing", "run", corpus, "--json").out) == {"runs": [], "failed": []}
    assert not (tmp_path / "data").exists()


@pytest.mark.build
def test_changes_since_a_day_are_those_since_the_last_run_until_then(run, grown_corpus):
    run("update", grown_corpus)
    run("standing", "run", grown_corpus)
    (question,) = json.loads(run("standing", "list", grown_corpus, "--json").out)["questions"]
    today = question["added_at"][:10]
    assert (
        changes_in(run, grown_corpus, "--since", today)["new"] == []
    )  # the last run until the end of the day is the last
    first = f"{today}T00:00"
    assert "there is no run up to" in only_line(
        run("standing", "show", grown_corpus, "age", "--since", "2000-01-01"), 2
    )
    assert "leave out one" in only_line(
        run("standing", "show", grown_corpus, "age", "--since", first, "--mark-seen"), 2
    )
