"""A build that is killed leaves the corpus as it was, and the next one ends as if nothing had happened."""

import pytest

from pathfinder.building import remove, rollback
from pathfinder.building.update import update
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.errors import CorpusError
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import (
    GALAXIES,
    PLANETS,
    PULSARS,
    CountingEmbedder,
    Recorder,
    WordsAsKeywords,
    content,
    kill_build,
    write,
)

pytestmark = pytest.mark.build


@pytest.mark.parametrize(
    "stage", ["embedding", *(pytest.param(stage, marks=pytest.mark.soak) for stage in ("keywords", "checking"))]
)
def test_a_killed_first_build_is_no_corpus_and_the_next_one_ends_in_the_same_bytes(make, tmp_path, stage):
    kill_build(stage, write(tmp_path / "papers.jsonl", GALAXIES, PLANETS), tmp_path / "corpus")
    with pytest.raises(CorpusError, match="a stopped build resumes where it left off"):
        open_corpus(tmp_path / "corpus")
    embedder, extractor = CountingEmbedder(16), WordsAsKeywords()
    make(GALAXIES, PLANETS, embedder=embedder, extractor=extractor)
    # Two papers and their titles; their keywords are extracted at the same time.
    assert embedder.n_texts == (2 + 2 if stage == "embedding" else 0)
    assert extractor.n_asked == (2 if stage == "embedding" else 0)
    make(GALAXIES, PLANETS, out="undisturbed")
    assert content(tmp_path / "corpus") == content(tmp_path / "undisturbed")


def test_a_build_that_is_killed_while_it_adds_leaves_the_corpus_as_it_was_and_the_next_one_clears_up(make, tmp_path):
    make(GALAXIES)
    manifest = (tmp_path / "corpus" / "manifest.json").read_bytes()
    kill_build("checking", write(tmp_path / "more.jsonl", PLANETS), tmp_path / "corpus")
    assert (tmp_path / "corpus" / "manifest.json").read_bytes() == manifest
    assert verify_corpus(tmp_path / "corpus").papers.paper_ids() == ("galaxies",)
    # These are not the papers of the killed build, so nothing will ever refer to its parts.
    make(PULSARS)
    make(GALAXIES, out="undisturbed")
    make(PULSARS, out="undisturbed")
    assert content(tmp_path / "corpus") == content(tmp_path / "undisturbed")


def test_a_build_that_ends_in_an_error_keeps_what_was_embedded_until_the_manifest_is_there(make, tmp_path):
    with pytest.raises(OSError, match="disk full"):
        make(GALAXIES, PLANETS, progress=Recorder("indexing words"))
    assert (tmp_path / "corpus" / ".journal").exists()
    embedder = CountingEmbedder(16)
    make(GALAXIES, PLANETS, embedder=embedder)
    assert embedder.n_texts == 0
    assert not (tmp_path / "corpus" / ".journal").exists()


CHANGES = {
    "update": (
        lambda corpus: update(corpus, HashEmbedder(16), extractor=WordsAsKeywords()),
        ["galaxies", "pulsars", "new"],
    ),
    "remove": (lambda corpus: remove(corpus, ["pulsars"], HashEmbedder(16), extractor=WordsAsKeywords()), ["galaxies"]),
    "rollback": (rollback, ["galaxies"]),
}
"""Ways to change a corpus of galaxies and pulsars, and the papers that each of them leaves."""


@pytest.mark.parametrize(
    ("name", "step", "is_done"),
    [
        *(("update", f"versions.{step}", False) for step in ("store_manifest", "write_manifest")),
        ("update", "versions.clear_away", True),
        *(("remove", f"completion.{step}", False) for step in ("verify_parts", "put_in_place")),
        ("rollback", "versions.write_manifest", False),
    ],
)
def test_a_change_that_stops_at_one_of_its_last_steps_leaves_the_old_corpus_or_the_new(
    make, tmp_path, monkeypatch, name, step, is_done
):
    change, after = CHANGES[name]
    make(GALAXIES)
    make(GALAXIES, PULSARS)
    write(tmp_path / "papers.jsonl", GALAXIES, PULSARS, {**PLANETS, "id": "new"})
    before = content(tmp_path / "corpus")

    def stop(*arguments):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(f"pathfinder.building.{step}", stop)
        with pytest.raises(OSError, match="disk full"):
            change(tmp_path / "corpus")
    if not is_done:
        assert before.items() <= content(tmp_path / "corpus").items()
        change(tmp_path / "corpus")
    assert verify_corpus(tmp_path / "corpus").papers.paper_ids() == tuple(after)


def test_a_journal_that_is_another_file_is_not_overwritten(make, tmp_path):
    make(GALAXIES)
    (tmp_path / "corpus" / ".journal").write_bytes(b"not ours")
    with pytest.raises(CorpusError, match="is not a journal"):
        make(PLANETS)
