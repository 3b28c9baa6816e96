"""`pathfinder capsule`: a question saved in one file, opened, checked and compared."""

import json
import zipfile

import pytest

from pathfinder.cli.app import main
from tests.cli.conftest import only_line


@pytest.fixture(scope="module")
def saved(corpus, tmp_path_factory):
    path = tmp_path_factory.mktemp("capsule") / "pulsars.pfz"
    command = ["capsule", "save", "timing of pulsars", "--corpus", corpus, "--generation", "extractive", "--out", path]
    assert main([str(part) for part in command]) == 0
    return path


def test_a_capsule_opens_as_ask_printed_it_without_its_corpus(run, corpus, saved):
    answer = json.loads(run("ask", "timing of pulsars", "--corpus", corpus, "--generation", "extractive", "--json").out)
    opened = json.loads(run("capsule", "open", saved, "--json").out)
    assert (opened["hits"], opened["answer"]) == (answer["hits"], answer["answer"])
    assert (opened["capsule"]["question"], opened["capsule"]["altered"]) == ("timing of pulsars", [])
    assert "timing of pulsars (stars, " in run("capsule", "open", saved).out


def test_its_files_name_no_folder_of_this_machine(corpus, saved):
    with zipfile.ZipFile(saved) as archive:
        assert not any(str(corpus).encode() in archive.read(name) for name in archive.namelist())


def test_a_whole_capsule_holds_also_against_its_corpus(run, corpus, saved):
    checked = run("capsule", "check", saved, "--corpus", corpus, "--json")
    assert checked.status == 0
    outcomes = {check["name"]: check["outcome"] for check in json.loads(checked.out)["checks"]}
    assert set(outcomes.values()) == {"holds", "cannot be checked"}
    assert (outcomes["order"], outcomes["papers"], outcomes["candidates"]) == ("holds", "holds", "cannot be checked")


def test_a_capsule_that_fails_a_check_ends_with_status_1(run, saved, tmp_path):
    with zipfile.ZipFile(saved) as archive, zipfile.ZipFile(tmp_path / "changed.pfz", "w") as changed:
        for name in archive.namelist():
            changed.writestr(
                name,
                archive.read(name).replace(b"pulsars", b"quasars") if name == "answer.json" else archive.read(name),
            )
    checked = run("capsule", "check", tmp_path / "changed.pfz")
    assert checked.status == 1
    assert checked.out.startswith("files: fails. altered since the capsule was saved: answer.json")


def test_a_capsule_is_compared_with_a_new_search(run, corpus, saved):
    lines = run("capsule", "compare", saved, "--corpus", corpus).out.splitlines()
    assert lines[0] == "question: timing of pulsars"
    assert "0 new, 0 dropped" in lines[2]
    record = json.loads(run("capsule", "compare", saved, saved, "--json").out)
    assert (record["settings"], record["overlap"]) == ([], 1.0)
    assert {paper["left"] == paper["right"] for paper in record["papers"]} == {True}


def test_a_capsule_needs_a_name_with_its_suffix(run, corpus):
    assert "ends in .pfz" in only_line(run("capsule", "save", "pulsars", "--corpus", corpus), 2)


def test_another_file_is_a_usage_error(run, tmp_path):
    (tmp_path / "x.pfz").write_text("no zip")
    assert "is not a capsule that this version can open" in only_line(run("capsule", "open", tmp_path / "x.pfz"), 2)
