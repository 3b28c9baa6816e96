"""Sources that describe the same paper yield a single paper, which has everything that each of them knows."""

import dataclasses
import json

import pytest

from pathfinder.building import UndoReport, build, undo_merge
from pathfinder.building.merging import renew
from pathfinder.building.read_sources import drop_sources
from pathfinder.building.update import update
from pathfinder.cli.app import main
from pathfinder.corpus.history.merges import read_merges
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.models.fake import HashEmbedder
from pathfinder.types import Paper, Provenance
from tests.building.conftest import WordsAsKeywords, write

pytestmark = pytest.mark.build

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
SAME_FILE = {**OTHER, "id": "W3"}


@pytest.fixture
def files(tmp_path):
    write(tmp_path / "arxiv.jsonl", ARXIV)
    write(tmp_path / "journal.jsonl", JOURNAL, OTHER, SAME_FILE)
    return tmp_path


def build_in(folder, *names):
    options = {"extractor": WordsAsKeywords(), "passages": False}
    return build([folder / name for name in names], folder / "corpus", HashEmbedder(8), **options)


def test_a_paper_of_two_sources_becomes_one_paper_and_stays_so_when_they_are_read_again(files, capsys):
    report = build_in(files, "arxiv.jsonl", "journal.jsonl")
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
    report = build_in(files, "arxiv.jsonl", "journal.jsonl")
    assert (report.n_papers, report.n_new, report.n_known, report.n_changed) == (3, 0, 3, 0)
    assert len(read_merges(files / "corpus")) == 1


def test_each_file_of_a_folder_is_a_source_of_its_own_and_an_update_changes_nothing(files):
    exports = files / "exports"
    (exports / "deep").mkdir(parents=True)
    write(exports / "arxiv.jsonl", ARXIV)
    write(exports / "deep" / "journal.jsonl", JOURNAL, OTHER, SAME_FILE, ARXIV)
    report = build_in(files, "exports")
    assert report.twins == (("W2", "W3"),)
    assert open_corpus(files / "corpus").papers.paper_ids() == ("2408.01556", "W2", "W3")
    assert {(merge.merged_id, merge.source) for merge in read_merges(files / "corpus")} == {
        ("W1", "exports/deep/journal.jsonl"),
        ("2408.01556", "exports/deep/journal.jsonl"),
    }
    before = (files / "corpus" / "manifest.json").read_bytes()
    update(files / "corpus", HashEmbedder(8), extractor=WordsAsKeywords())
    assert (files / "corpus" / "manifest.json").read_bytes() == before


def test_a_row_that_repeats_an_id_is_rejected_with_the_file_in_the_folder_and_stays_listed(files):
    for folder in ("first", "second"):
        (files / folder).mkdir()
        write(files / folder / "a.jsonl", {**OTHER, "id": folder}, {**OTHER, "id": folder})
        build_in(files, folder)
    rejected = [json.loads(line) for line in (files / "corpus" / "rejected.jsonl").read_text().splitlines()]
    assert [(row["file"], row["line"]) for row in rejected] == [("first/a.jsonl", 2), ("second/a.jsonl", 2)]
    assert all(row["reason"].endswith(f"already occurred on line 1 of {row['file']}") for row in rejected)


def test_a_paper_that_the_corpus_has_under_another_id_is_not_added(files):
    build_in(files, "arxiv.jsonl")
    report = build_in(files, "journal.jsonl")
    assert (report.n_papers, report.n_merged) == (3, 1)


def test_a_merge_that_was_undone_stays_undone(files, capsys):
    build_in(files, "arxiv.jsonl", "journal.jsonl")
    corpus = files / "corpus"
    report = undo_merge(corpus, "W1", HashEmbedder(8), extractor=WordsAsKeywords())
    assert report == UndoReport("2408.01556", "W1", 4)
    papers = verify_corpus(corpus).papers
    assert [(paper.paper_id, paper.doi, paper.abstract) for paper in papers if "xplor" in paper.abstract] == [
        ("2408.01556", None, "We explore."),
        ("W1", "10.3847/x", "We explore the literature by meaning."),
    ]
    write(files / "journal.jsonl", {**JOURNAL, "citation_count": 10})
    report = update(corpus, HashEmbedder(8), extractor=WordsAsKeywords())
    assert (report.n_new, report.n_changed, report.n_merged) == (0, 1, 0)
    assert [paper.citation_count for paper in open_corpus(corpus).papers][-1] == 10
    assert main(["merges", str(corpus), "--undo", "W1"]) == 2
    assert "no record 'W1' was merged" in capsys.readouterr().err


def test_what_records_disagree_about_is_counted_and_listed(files, capsys):
    other = {**JOURNAL, "arxiv_id": "2408.01556", "title": "Pathfinder 2", "authors": ["Kruk, S."], "year": 2019}
    write(files / "journal.jsonl", other)
    assert build_in(files, "arxiv.jsonl", "journal.jsonl").n_conflicts == 3
    assert main(["merges", str(files / "corpus"), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["conflicts"] == 3
    assert [conflict["field"] for conflict in record["merges"][0]["conflicts"]] == ["title", "first author", "year"]
    assert record["merges"][0]["conflicts"][2] == {"field": "year", "value": "2024", "other": "2019"}
    assert main(["info", str(files / "corpus"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["merges"] == {"n_records": 1, "n_conflicts": 3}


def test_a_merged_paper_is_merged_anew_when_a_record_changes(files):
    build_in(files, "arxiv.jsonl", "journal.jsonl")
    write(files / "journal.jsonl", {**JOURNAL, "abstract": "We."}, OTHER, SAME_FILE)
    assert update(files / "corpus", HashEmbedder(8), extractor=WordsAsKeywords()).n_changed == 1
    merged_paper, *_ = open_corpus(files / "corpus").papers
    assert (merged_paper.abstract, merged_paper.doi) == ("We explore.", "10.3847/x")


TRIAL = {"title": "Aspirin lowers fever", "abstract": "Fever fell.", "authors": ["Jane Roe"], "doi": "10.1000/abc1"}
DATED = {**TRIAL, "year": 1999}
WITH_SUBJECTS = {**TRIAL, "abstract": "Fever fell by 1.2 degrees.", "subjects": ["Aspirin"]}


@pytest.mark.parametrize("is_first_file_there", [True, False])
def test_a_later_file_with_less_about_a_paper_adds_to_it_and_takes_nothing_away(tmp_path, is_first_file_there):
    write(tmp_path / "first.jsonl", DATED)
    write(tmp_path / "second.jsonl", WITH_SUBJECTS)
    build_in(tmp_path, "first.jsonl")
    build_in(tmp_path, "second.jsonl")
    if not is_first_file_there:
        (tmp_path / "first.jsonl").unlink()
    for n_changed in (1, 0):
        report = update(tmp_path / "corpus", HashEmbedder(8), extractor=WordsAsKeywords())
        (paper,) = open_corpus(tmp_path / "corpus").papers
        assert (paper.year, paper.subjects, paper.abstract) == (1999, ("Aspirin",), "Fever fell by 1.2 degrees.")
        assert report.n_changed == n_changed


def test_what_a_paper_loses_in_its_own_file_is_lost(tmp_path):
    write(tmp_path / "first.jsonl", DATED)
    write(tmp_path / "second.jsonl", OTHER)
    build_in(tmp_path, "first.jsonl", "second.jsonl")
    write(tmp_path / "first.jsonl", TRIAL)
    update(tmp_path / "corpus", HashEmbedder(8), extractor=WordsAsKeywords())
    assert [paper.year for paper in open_corpus(tmp_path / "corpus").papers] == [None, 2001]


def test_what_a_paper_loses_in_its_file_is_lost_although_another_file_was_dropped(tmp_path):
    write(tmp_path / "first.jsonl", DATED)
    write(tmp_path / "second.jsonl", OTHER)
    build_in(tmp_path, "first.jsonl", "second.jsonl")
    drop_sources(tmp_path / "corpus", [str(tmp_path / "second.jsonl")])
    write(tmp_path / "first.jsonl", TRIAL)
    update(tmp_path / "corpus", HashEmbedder(8), extractor=WordsAsKeywords())
    assert [paper.year for paper in open_corpus(tmp_path / "corpus").papers] == [None, 2001]


def test_a_paper_without_any_identifier_is_merged_from_two_files_that_name_it_alike(tmp_path):
    bare = {"title": "Dust in spirals of the sky", "year": 2000, "authors": ["Bo, A."]}
    write(tmp_path / "first.jsonl", bare)
    write(tmp_path / "second.jsonl", {**bare, "abstract": "We find dust in all spirals."})
    build_in(tmp_path, "first.jsonl")
    build_in(tmp_path, "second.jsonl")
    report = update(tmp_path / "corpus", HashEmbedder(8), extractor=WordsAsKeywords())
    (paper,) = open_corpus(tmp_path / "corpus").papers
    assert (report.n_merged, report.n_rejected, paper.abstract) == (1, 0, "We find dust in all spirals.")


def test_records_of_one_id_take_the_places_of_their_own_earlier_versions():
    first, second = (paper_of(source) for source in ("arxiv", "openalex"))
    newer = dataclasses.replace(second, year=2001)
    assert renew((first,), first, [second]) == (first, second)
    assert renew((first, second), None, [newer]) == (first, newer)
    assert renew((first, second), newer, []) == (first, newer)
    assert renew((first,), None, [newer]) == (first, newer)


def paper_of(source):
    return Paper("10.1000/abc1", "Aspirin", "", provenance=(Provenance(source, "1"),))
