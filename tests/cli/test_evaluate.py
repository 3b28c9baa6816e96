"""Collections of judged questions, evaluated from the command line."""

import json

import pytest

from tests.building.conftest import GALAXIES, PLANETS, PULSARS, write
from tests.cli.conftest import only_line


@pytest.fixture
def collection(tmp_path):
    folder = tmp_path / "questions"
    (folder / "qrels").mkdir(parents=True)
    write(folder / "corpus.jsonl", *[{**paper, "_id": paper["id"]} for paper in (GALAXIES, PLANETS, PULSARS)])
    write(folder / "queries.jsonl", {"_id": "q1", "text": "timing noise of pulsars"}, {"_id": "q2", "text": "unjudged"})
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tpulsars\t1\n")
    return folder


def test_a_collection_is_evaluated_with_each_method(run, collection):
    measured = run(
        "evaluate", "collection", collection, "--methods", "bm25,default", "--embedder", "fake:hash-16", "--json"
    )
    assert measured.status == 0
    report = json.loads(measured.out)
    assert (report["collection"], report["n_queries"], list(report["methods"])) == ("questions", 1, ["bm25", "default"])
    assert report["methods"]["bm25"]["ndcg@10"] == 1
    lines = run(
        "evaluate", "collection", collection, "--methods", "bm25", "--embedder", "fake:hash-16"
    ).out.splitlines()
    assert lines[0] == "questions, 1 questions"
    assert lines[2].split()[:2] == ["bm25", "1.000"]


def test_a_collection_is_evaluated_on_a_built_corpus_with_its_embedder(run, collection, corpus):
    measured = run("evaluate", "collection", collection, "--corpus", corpus, "--methods", "dense", "--json")
    assert json.loads(measured.out)["methods"]["dense"]["success@10"] == 1


def test_a_method_that_nobody_knows_is_a_usage_error(run, collection):
    line = only_line(run("evaluate", "collection", collection, "--methods", "magic", "--embedder", "fake:hash-16"), 2)
    assert "'magic'" in line


def test_a_collection_that_is_not_there_is_told(run):
    assert "nowhere" in only_line(run("evaluate", "collection", "nowhere", "--embedder", "fake:hash-16"), 1)
