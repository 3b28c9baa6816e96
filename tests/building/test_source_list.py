"""Sources are dropped from the updates of a corpus, and follow a file that moved."""

import json

import pytest

from pathfinder.building import build
from pathfinder.building.read_sources import drop_sources, move_source
from pathfinder.building.update import update
from pathfinder.cli.app import main
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import UsageError
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import GALAXIES, PLANETS, PULSARS, QUASARS, WordsAsKeywords, write

pytestmark = pytest.mark.build


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """A corpus from two files that use the same local id for different papers."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "first.jsonl", {**GALAXIES, "id": "a"})
    write(tmp_path / "second.jsonl", {**PLANETS, "id": "a"})
    files = ["first.jsonl", "second.jsonl"]
    build(files, tmp_path / "corpus", HashEmbedder(16), extractor=WordsAsKeywords(), passages=False)
    return tmp_path / "corpus"


def update_counts(corpus):
    report = update(corpus, HashEmbedder(16), extractor=WordsAsKeywords())
    return report.n_new, report.n_changed, report.n_unchanged, [failure.source for failure in report.failed_sources]


def titles(corpus):
    papers = open_corpus(corpus).papers
    return {paper.paper_id: paper.title for paper in (papers[row] for row in range(len(papers)))}


def test_a_dropped_source_is_read_no_more_and_its_papers_and_terms_stay(corpus, tmp_path, capsys):
    write(tmp_path / "first.jsonl", {**GALAXIES, "id": "a"}, PULSARS)
    assert main(["sources", str(corpus), "--drop", "first.jsonl", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)["sources"]
    assert [(entry["source"], entry["dropped"]) for entry in entries] == [
        ("first.jsonl", True),
        ("second.jsonl", False),
    ]
    assert update_counts(corpus) == (0, 0, 1, [])
    assert titles(corpus) == {"a": "Young galaxies", "a@second.jsonl": "Hot planets"}
    assert main(["info", str(corpus)]) == 0
    assert "licence as stated in each record, dropped" in capsys.readouterr().out
    build(["first.jsonl"], corpus, HashEmbedder(16), extractor=WordsAsKeywords(), passages=False)
    assert not any(entry.dropped for entry in read_manifest(corpus)[0].sources)
    assert update_counts(corpus) == (0, 0, 3, [])


def test_a_retitled_paper_takes_no_paper_of_a_dropped_file(corpus, tmp_path):
    drop_sources(corpus, ["first.jsonl"])
    write(tmp_path / "second.jsonl", {**PLANETS, "id": "a", "title": "Warm planets"})
    assert update_counts(corpus) == (0, 1, 0, [])
    assert titles(corpus) == {"a": "Young galaxies", "a@second.jsonl": "Warm planets"}


def test_a_new_paper_takes_no_id_of_a_file_that_fails(corpus, tmp_path):
    write(tmp_path / "first.jsonl", {**GALAXIES, "id": "a"}, {**PULSARS, "id": "b"})
    assert update_counts(corpus) == (1, 0, 2, [])
    (tmp_path / "first.jsonl").unlink()
    write(tmp_path / "second.jsonl", {**PLANETS, "id": "a"}, {**QUASARS, "id": "b"})
    assert update_counts(corpus) == (1, 0, 1, ["first.jsonl"])
    assert titles(corpus)["b"] == PULSARS["title"]
    assert titles(corpus)["b@second.jsonl"] == QUASARS["title"]


def test_a_file_with_a_new_name_is_read_from_there_and_its_papers_keep_their_ids(corpus, tmp_path, capsys):
    (tmp_path / "second.jsonl").rename(tmp_path / "renamed.jsonl")
    assert update_counts(corpus) == (0, 0, 1, ["second.jsonl"])
    assert main(["sources", str(corpus)]) == 0
    assert "second.jsonl: gone" in capsys.readouterr().out
    assert main(["sources", str(corpus), "--move", "second.jsonl", "renamed.jsonl"]) == 0
    write(tmp_path / "renamed.jsonl", {**PLANETS, "id": "a", "title": "Warm planets"}, QUASARS)
    assert update_counts(corpus) == (1, 1, 1, [])
    assert titles(corpus) == {"a": "Young galaxies", "a@second.jsonl": "Warm planets", "quasars": "Quasars"}
    assert update_counts(corpus) == (0, 0, 3, [])


def test_what_cannot_be_dropped_or_moved_is_named_and_nothing_changes(corpus, tmp_path, capsys):
    before = (corpus / "manifest.json").read_bytes()
    with pytest.raises(UsageError, match=r"'third\.jsonl'.*'second\.jsonl'"):
        drop_sources(corpus, ["first.jsonl", "third.jsonl"])
    with pytest.raises(UsageError, match=r"nowhere\.jsonl"):
        move_source(corpus, "first.jsonl", tmp_path / "nowhere.jsonl")
    with pytest.raises(UsageError, match="as a source of its own"):
        move_source(corpus, "first.jsonl", tmp_path / "second.jsonl")
    assert main(["sources", "--drop", "first.jsonl"]) == 2
    assert "name its folder" in capsys.readouterr().err
    assert (corpus / "manifest.json").read_bytes() == before
    drop_sources(corpus, ["first.jsonl", "second.jsonl"])
    with pytest.raises(UsageError, match="already"):
        drop_sources(corpus, ["first.jsonl"])
    with pytest.raises(UsageError, match=r"all sources of .* have been dropped"):
        update_counts(corpus)
