"""Return of a corpus to the version before its last change."""

import json

import pytest

from pathfinder.building import rollback
from pathfinder.building.update import update
from pathfinder.cli.app import main
from pathfinder.corpus.manifest import MANIFEST_NAME, read_manifest
from pathfinder.corpus.store import verify_corpus
from pathfinder.errors import CorpusDamaged, UsageError
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, WordsAsKeywords, content, kill_build, write

pytestmark = pytest.mark.build


def ids(folder):
    return verify_corpus(folder).papers.paper_ids()


def test_a_rollback_undoes_an_update_that_returns_with_a_second_one_or_with_the_update(make, tmp_path, capsys):
    make(GALAXIES)
    corpus, before = tmp_path / "corpus", read_manifest(tmp_path / "corpus")[0]
    write(tmp_path / "papers.jsonl", GALAXIES, PLANETS)
    options = {"extractor": WordsAsKeywords()}
    update(corpus, HashEmbedder(16), **options)
    after = read_manifest(corpus)[0].parts
    assert main(["info", str(corpus), "--json"]) == 0
    earlier = json.loads(capsys.readouterr().out)["earlier"]
    sizes = {part.name: sum(file.length for file in part.files) for part in before.parts.values()}
    now = {part.name for part in after.values()}
    assert earlier == {"n_papers": 1, "n_bytes": sum(size for name, size in sizes.items() if name not in now)}
    assert main(["rollback", str(corpus), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["n_papers"], report["n_papers_before"]) == (1, 2)
    assert (ids(corpus), read_manifest(corpus)[0].parts) == (("galaxies",), before.parts)
    rollback(corpus)
    assert ids(corpus) == ("galaxies", "planets")
    rollback(corpus)
    assert update(corpus, HashEmbedder(16), **options).n_new == 1
    assert read_manifest(corpus)[0].parts == after


def test_only_a_change_of_a_part_makes_a_version_and_only_two_are_kept(make, tmp_path):
    corpus = tmp_path / "corpus"
    make(GALAXIES)
    with pytest.raises(UsageError, match="has no earlier version"):
        rollback(corpus)
    make(GALAXIES, PLANETS)
    second = read_manifest(corpus)[0]
    make(GALAXIES, PLANETS, source="again.jsonl")
    assert read_manifest(corpus)[0].earlier == second.earlier
    make(GALAXIES, PLANETS, PULSARS)
    assert not (corpus / str(second.earlier)).exists()
    rollback(corpus)
    assert ids(corpus) == ("galaxies", "planets")


def test_a_damaged_earlier_version_is_refused_and_nothing_changes(make, tmp_path):
    make(GALAXIES)
    before = read_manifest(tmp_path / "corpus")[0]
    make(GALAXIES, PLANETS)
    (tmp_path / "corpus" / before.parts["papers"].name).write_bytes(b"x")
    manifest = (tmp_path / "corpus" / MANIFEST_NAME).read_bytes()
    with pytest.raises(CorpusDamaged, match="papers"):
        rollback(tmp_path / "corpus")
    assert (tmp_path / "corpus" / MANIFEST_NAME).read_bytes() == manifest


def test_a_killed_build_leaves_both_versions(make, tmp_path):
    make(GALAXIES)
    make(GALAXIES, PLANETS)
    before = content(tmp_path / "corpus")
    kill_build("checking", write(tmp_path / "more.jsonl", PULSARS), tmp_path / "corpus")
    assert before.items() <= content(tmp_path / "corpus").items()
    rollback(tmp_path / "corpus")
    assert ids(tmp_path / "corpus") == ("galaxies",)


def test_a_rollback_where_no_corpus_is_makes_no_folder(tmp_path):
    assert main(["rollback", str(tmp_path / "none")]) == 1
    assert not (tmp_path / "none").exists()
