"""The thesaurus of a build: refused, kept, replaced, or added to an existing corpus."""

import json

import pytest

from pathfinder.building import build
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.models.fake import HashEmbedder
from pathfinder.operations.info import corpus_record
from tests import thesauri
from tests.building.conftest import GALAXIES, PLANETS, content

pytestmark = pytest.mark.build


def test_a_thesaurus_is_built_in_and_its_rejected_entries_are_listed(make, tmp_path):
    path = thesauri.write_lines(tmp_path / "sky.jsonl", '{"id": "11"}')
    report = make(GALAXIES, "{", thesaurus=path)
    corpus = verify_corpus(tmp_path / "corpus")
    assert (report.n_concepts, report.n_rejected) == (10, 2)
    assert len(corpus.thesaurus) == 10
    assert [concept.label for _, concept in corpus.thesaurus.concepts_called("AGN")] == ["Active kernels"]
    rows = map(json.loads, report.rejected_path.read_text().splitlines())
    assert [(row["file"], row["line"]) for row in rows] == [("papers.jsonl", 2), ("sky.jsonl", 11)]


def test_a_thesaurus_alone_goes_into_a_corpus_that_is_there(make, tmp_path):
    make(GALAXIES, PLANETS)
    previous = content(tmp_path / "corpus")
    path = thesauri.write_rdf(tmp_path / "sky.rdf")
    report = build([], tmp_path / "corpus", HashEmbedder(16), thesaurus=path)
    corpus = verify_corpus(tmp_path / "corpus")
    assert (report.n_new, report.n_papers, report.n_concepts) == (0, 2, 10)
    assert corpus.thesaurus.name == "Made-up Sky"
    assert "thesaurus" not in corpus.manifest.absent
    files = content(tmp_path / "corpus")
    assert {name: files[name] for name in previous if name != "manifest.json"} == {
        name: old for name, old in previous.items() if name != "manifest.json"
    }


def test_papers_that_are_added_later_keep_the_thesaurus_until_another_takes_its_place(make, tmp_path):
    make(GALAXIES, thesaurus=thesauri.write_list(tmp_path / "sky.json"))
    make(PLANETS)
    make(PLANETS)
    corpus = verify_corpus(tmp_path / "corpus")
    assert (len(corpus.papers), len(corpus.thesaurus)) == (2, 10)
    (tmp_path / "one.jsonl").write_text('{"id": "1", "name": "Only"}\n')
    make(GALAXIES, thesaurus=tmp_path / "one.jsonl")
    assert len(verify_corpus(tmp_path / "corpus").thesaurus) == 1


def test_a_build_takes_the_word_uat_for_a_file(make, tmp_path, monkeypatch):
    (tmp_path / "list.json").write_text(json.dumps([{"uri": "http://astrothesaurus.org/uat/1", "name": "Hot stars"}]))
    monkeypatch.setattr("pathfinder.building.flow.fetch_uat", lambda *_: tmp_path / "list.json")
    assert make({"id": "a", "title": "Hot stars", "abstract": "They are blue."}, thesaurus="uat").n_concepts == 1
    record = corpus_record(open_corpus(tmp_path / "corpus"), n_rejected=0, verified=False)
    assert record["thesaurus"] == {"name": "Unified Astronomy Thesaurus", "licence": "CC BY-SA 3.0"}
