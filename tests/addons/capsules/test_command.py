"""`pathfinder capsule`: a question saved in one file, opened, checked and compared."""

import json
import zipfile

import pytest

from pathfinder.cli.app import main
from tests.cli.conftest import only_line


@pytest.fixture(scope="module")
def capsule_file(corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("capsule") / "pulsars.pfz"
    command = ["capsule", "save", "timing of pulsars", "--corpus", corpus, "--generation", "extractive", "--out", path]
    assert main([str(part) for part in command]) == 0
    return path


def test_a_capsule_opens_as_ask_printed_it_without_its_corpus(run, corpus, capsule_file):
    answer = json.loads(run("ask", "timing of pulsars", "--corpus", corpus, "--generation", "extractive", "--json").out)
    record = json.loads(run("capsule", "open", capsule_file, "--json").out)
    assert (record["hits"], record["answer"]) == (answer["hits"], answer["answer"])
    assert (record["capsule"]["question"], record["capsule"]["altered"]) == ("timing of pulsars", [])
    assert "timing of pulsars (stars, " in run("capsule", "open", capsule_file).out


@pytest.mark.parametrize("option", ["--audience", "--language", "--values-plot"])
def test_what_a_capsule_does_not_hold_is_no_option_of_saving_one(run, corpus, option):
    asked = ["timing of pulsars", "--corpus", corpus, "--out", "x.pfz"]
    assert "No such option" in only_line(run("capsule", "save", *asked, option, "student"), 2)


def test_a_whole_capsule_holds_also_against_its_corpus(run, corpus, capsule_file):
    outcome = run("capsule", "check", capsule_file, "--corpus", corpus, "--json")
    assert outcome.status == 0
    outcomes = {check["name"]: check["outcome"] for check in json.loads(outcome.out)["checks"]}
    assert set(outcomes.values()) == {"holds", "cannot be checked"}
    assert (outcomes["order"], outcomes["papers"], outcomes["candidates"]) == ("holds", "holds", "cannot be checked")


def test_a_capsule_that_fails_a_check_ends_with_status_1(run, capsule_file, tmp_path):
    with zipfile.ZipFile(capsule_file) as archive, zipfile.ZipFile(tmp_path / "changed.pfz", "w") as changed_file:
        for name in archive.namelist():
            changed_file.writestr(
                name,
                archive.read(name).replace(b"pulsars", b"quasars") if name == "answer.json" else archive.read(name),
            )
    outcome = run("capsule", "check", tmp_path / "changed.pfz", "--json")
    record = json.loads(outcome.out)
    assert (outcome.status, record["holds"]) == (1, False)
    files = record["checks"][0]
    assert (files["name"], files["outcome"], "answer.json" in files["detail"]) == ("files", "fails", True)


def test_a_capsule_is_compared_with_a_new_search(run, corpus, capsule_file):
    assert "0 new, 0 dropped" in run("capsule", "compare", capsule_file, "--corpus", corpus).out
    for other in (("--corpus", corpus), (capsule_file,)):
        record = json.loads(run("capsule", "compare", capsule_file, *other, "--json").out)
        assert (record["questions"], record["settings"]) == (["timing of pulsars"] * 2, [])
        assert record["overlap"] == 1.0
        assert {paper["left"] == paper["right"] for paper in record["papers"]} == {True}


def test_a_shelf_travels_in_a_capsule_to_another_folder(run, corpus, capsule_file, tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "first"))
    ids = [hit["paper_id"] for hit in json.loads(run("capsule", "open", capsule_file, "--json").out)["hits"][:2]]
    run("shelf", "add", corpus, "clocks", *ids)
    run("shelf", "state", corpus, "clocks", ids[0], "in", "--reason", "steady")
    path = tmp_path / "clocks.pfz"
    question = ["timing of pulsars", "--corpus", corpus, "--generation", "extractive"]
    assert run("capsule", "save", *question, "--shelf", "clocks", "--out", path).status == 0
    shelf = json.loads(run("capsule", "open", path, "--json").out)["shelf"]
    assert [(row["id"], row["state"], row["why"]) for row in shelf["papers"]] == [
        (ids[0], "in", "steady"),
        (ids[1], "to read", ""),
    ]
    assert all(row["title"] for row in shelf["papers"])
    checks = json.loads(run("capsule", "check", path, "--corpus", corpus, "--json").out)["checks"]
    assert {check["name"]: check["outcome"] for check in checks}["shelf"] == "holds"

    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path / "second"))
    run("shelf", "import", corpus, "theirs", path)
    assert json.loads(run("shelf", "show", corpus, "theirs", "--json").out)["papers"] == shelf["papers"]
    merge = json.loads(run("shelf", "merge", corpus, "theirs", path, "--json").out)
    assert (merge["n_shared"], merge["kappa"], merge["differences"]) == (2, 1.0, [])


def test_a_capsule_without_a_shelf_brings_none(run, corpus, capsule_file, tmp_path, monkeypatch):
    monkeypatch.setenv("PATHFINDER_DATA", str(tmp_path))
    line = only_line(run("shelf", "import", corpus, "clocks", capsule_file), 2)
    assert "has no shelf: save it again, with the shelf (--shelf)" in line
    assert "no shelf 'no'" in only_line(
        run("capsule", "save", "x", "--corpus", corpus, "--shelf", "no", "--out", "x.pfz"), 2
    )


def test_a_capsule_needs_a_name_with_its_suffix(run, corpus):
    assert "ends in .pfz" in only_line(run("capsule", "save", "pulsars", "--corpus", corpus), 2)
