"""Sources that describe the same paper yield a single paper, which has everything that each of them knows."""

import json

import pytest

from pathfinder.building import build
from pathfinder.building.merging import read_merges
from pathfinder.cli.app import main
from pathfinder.corpus.store import open_corpus
from pathfinder.models.fake import HashEmbedder
from tests.building.conftest import WordsAsKeywords

ARXIV = {
    "id": "2408.01556",
    "title": "Pathfinder: exploring the literature",
    "abstract": "We explore.",
    "authors": ["Iyer, K."],
    "year": 2024,
    "arxiv_id": "2408.01556",
}
JOURNAL = {
    "id": "W1",
    "title": "PATHFINDER: Exploring the Literature",
    "abstract": "We explore the literature by meaning.",
    "authors": ["Iyer, Kartheik"],
    "year": 2024,
    "doi": "10.3847/x",
    "citation_count": 9,
}
OTHER = {"id": "W2", "title": "Dust in spirals", "abstract": "Dust.", "authors": ["Smith, A."], "year": 2001}
SAME_FILE = {"id": "W3", "title": "Dust in spirals", "abstract": "Dust.", "authors": ["Smith, A."], "year": 2001}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "arxiv.jsonl").write_text(json.dumps(ARXIV) + "\n")
    (tmp_path / "journal.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in (JOURNAL, OTHER, SAME_FILE)))
    return tmp_path


def built(folder, *names):
    return build(
        [folder / name for name in names],
        folder / "corpus",
        HashEmbedder(8),
        extractor=WordsAsKeywords(),
        passages=False,
    )


def test_a_paper_of_two_sources_becomes_one_paper(files, capsys):
    report = built(files, "arxiv.jsonl", "journal.jsonl")
    assert (report.n_papers, report.n_merged, report.n_rejected) == (3, 1, 0)
    papers = open_corpus(files / "corpus").papers
    assert papers.paper_ids() == ("2408.01556", "W2", "W3")
    assert (papers[0].doi, papers[0].citation_count) == ("10.3847/x", 9)
    assert papers[0].abstract == "We explore the literature by meaning."
    assert [record.record_id for record in papers[0].provenance] == ["2408.01556", "W1"]
    assert main(["merges", str(files / "corpus"), "--json"]) == 0
    (merge,) = json.loads(capsys.readouterr().out)["merges"]
    assert (merge["paper_id"], merge["merged_id"], merge["line"]) == ("2408.01556", "W1", 1)
    assert (merge["ground"], merge["reason"]) == ("title", "title, year and first author")


def test_reading_the_sources_again_changes_nothing(files):
    built(files, "arxiv.jsonl", "journal.jsonl")
    report = built(files, "arxiv.jsonl", "journal.jsonl")
    assert (report.n_papers, report.n_new, report.n_known, report.n_changed) == (3, 0, 3, 0)
    assert len(read_merges(files / "corpus")) == 1


def test_a_paper_that_the_corpus_has_under_another_id_is_not_added(files):
    built(files, "arxiv.jsonl")
    report = built(files, "journal.jsonl")
    assert (report.n_papers, report.n_merged) == (3, 1)
