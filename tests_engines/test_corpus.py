"""A corpus in an engine answers as the same corpus in files does."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pathfinder
from pathfinder import Pathfinder, Weighting
from pathfinder.addons.milvus.collection import read_description
from pathfinder.addons.milvus.vectors import MilvusWords
from pathfinder.cli import main
from pathfinder.index.predicate import Predicate
from pathfinder.types.region import Region
from tests_engines.conftest import N_PAPERS

QUESTIONS = (
    "What is the value of the Hubble constant?",
    "How do galaxies form and grow?",
    "Are there planets around other stars?",
    "What drives the winds of galaxies?",
    "dark matter in clusters",
    "gravitational waves from black holes",
)
FILTERS = (
    {"year_from": 1990},
    {"year_to": 1950},
    {"year_from": 1960, "year_to": 1980},
    {"authors": ("Hubble",)},
    {"categories": ("astro-ph.CO",)},
    {"venues": ("Astrophysical Journal",)},
)


def ids(result: pathfinder.SearchResult) -> list[str]:
    return [hit.paper.paper_id for hit in result.hits]


def badge(result: pathfinder.SearchResult, name: str) -> str:
    """The text of the badge of a stage."""
    return next(stage.ran for stage in result.stages if stage.name == name)


@pytest.fixture(scope="module")
def both(embedded: Path, served: Path) -> tuple[Pathfinder, Pathfinder]:
    """The corpus in files and on the engine, both with our BM25."""
    return Pathfinder.open(embedded), with_our_bm25(served)


def with_our_bm25(folder: Path) -> Pathfinder:
    pf = Pathfinder.open(folder)
    words = pf.corpus.sparse
    assert isinstance(words, MilvusWords)
    pf.corpus = replace(pf.corpus, sparse=words.own)
    return pf


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_ten_hits_and_their_scores_are_those_of_the_files(
    both: tuple[Pathfinder, Pathfinder], question: str
) -> None:
    in_files, in_engine = (pf.search(question) for pf in both)
    assert ids(in_engine) == ids(in_files)
    assert [hit.score.final for hit in in_engine.hits] == pytest.approx(
        [hit.score.final for hit in in_files.hits], abs=1e-4
    )
    # Relevance is fitted to the hits of a corpus, so that it follows the BM25 of its engine.
    assert in_files.assessment is not None
    assert in_engine.assessment is not None
    assert in_engine.assessment.relevance == pytest.approx(in_files.assessment.relevance, abs=0.01)
    assert in_engine.assessment.spread == in_files.assessment.spread


@pytest.mark.parametrize("fields", FILTERS, ids=str)
def test_a_filter_admits_the_same_papers(both: tuple[Pathfinder, Pathfinder], fields: dict[str, object]) -> None:
    in_files, in_engine = (pf.search("galaxies and their stars", **fields) for pf in both)
    assert ids(in_engine) == ids(in_files)


def test_all_vectors_come_back_as_they_were_stored(both: tuple[Pathfinder, Pathfinder]) -> None:
    rows = np.array([N_PAPERS - 1, 0, 7, 7], dtype=np.int64)
    in_files, in_engine = (pf.corpus.dense.vectors(rows) for pf in both)
    np.testing.assert_allclose(in_engine, in_files, atol=1e-6)


@pytest.mark.parametrize("part", ["passages", "titles"])
def test_passages_and_titles_find_the_same_papers(both: tuple[Pathfinder, Pathfinder], part: str) -> None:
    for question in QUESTIONS:
        in_files, in_engine = (pf.search(question, year_from=1950, reranker="off", **{part: True}) for pf in both)
        assert ids(in_engine) == ids(in_files)
        assert "Milvus" in badge(in_engine, part)


def test_the_vectors_of_passages_and_titles_are_on_the_server_alone(served: Path) -> None:
    assert not [*served.rglob("*.faiss")]
    files = (*served.glob("dense-*.json"), *served.glob("titles-*.json"), *served.glob("passages-*/vectors.json"))
    assert [read_description(path).what for path in files] == ["papers", "titles", "passages"]


def test_new_weights_reorder_both_alike(both: tuple[Pathfinder, Pathfinder]) -> None:
    weighting = Weighting(recency=0.8)
    in_files, in_engine = (pf.reweigh(pf.search(QUESTIONS[0]), weighting) for pf in both)
    assert ids(in_engine) == ids(in_files)


def test_the_badge_says_whose_bm25_ranks_the_words(served: Path, uri: str) -> None:
    badge_ = badge(Pathfinder.open(served).search(QUESTIONS[0]), "sparse")
    assert badge_ == ("Milvus's BM25, our stems" if uri.endswith(".db") else "BM25, our index: this Milvus has no BM25")


def test_the_words_of_the_engine_rank_the_papers_nearly_as_ours_do(served: Path) -> None:
    words = Pathfinder.open(served).corpus.sparse
    assert isinstance(words, MilvusWords)
    for question in QUESTIONS:
        ours, theirs = words.own.search(question, 10), words.search(question, 10)
        assert len(np.intersect1d(ours.rows, theirs.rows)) >= 9
        np.testing.assert_allclose(theirs.scores, ours.scores, rtol=0.1)
    within = Predicate(year_from=1990, excluded_ids=frozenset({"riess-1998"}))
    admitted = words.own.search(QUESTIONS[0], 150, within).rows
    assert set(words.search(QUESTIONS[0], 150, within).rows) == set(admitted)


def test_a_region_of_the_map_admits_the_same_papers(both: tuple[Pathfinder, Pathfinder]) -> None:
    places = both[0].corpus.coordinates
    assert places is not None
    (left, bottom), (right, top) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    region = Region.box(left, bottom, (left + right) / 2, top)
    in_files, in_engine = (pf.search("galaxies and their stars", region=region) for pf in both)
    assert 0 < in_files.candidates.rows.size < N_PAPERS
    assert ids(in_engine) == ids(in_files)


def test_sixteen_callers_at_once_get_what_each_would_get_alone(both: tuple[Pathfinder, Pathfinder]) -> None:
    vectors = both[0].corpus.dense.vectors(np.arange(32, dtype=np.int64))
    index = both[1].corpus.dense
    alone = [index.search(vector, 20).rows.tolist() for vector in vectors]
    with ThreadPoolExecutor(16) as callers:
        assert list(callers.map(lambda vector: index.search(vector, 20).rows.tolist(), vectors)) == alone


def test_similar_papers_are_the_same(both: tuple[Pathfinder, Pathfinder]) -> None:
    in_files, in_engine = (pf.similar("hubble-1929") for pf in both)
    assert ids(in_engine) == ids(in_files)


def test_info_names_the_engine_and_its_collection(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["info", str(served), "--json"])
    engine = json.loads(capsys.readouterr().out)["engine"]
    assert engine["name"] == "milvus"
    assert engine["collection"].startswith("landmarks_")
    assert engine["version"]
    main(["info", str(served)])
    assert f"vectors: milvus {engine['version']} at {engine['uri']}, collection landmarks_" in capsys.readouterr().out


def test_a_lake_fills_an_engine_and_the_ten_hits_are_those_of_the_files(
    embedded: Path, uri: str, tmp_path: Path
) -> None:
    assert main(["export", "lake", str(embedded), "--out", str(tmp_path / "lake")]) == 0
    engine = ("--engine", "milvus", "--uri", uri, "--collection", "from_a_lake")
    assert main(["build", f"lake:{tmp_path / 'lake'}", "--out", str(tmp_path / "corpus"), *engine]) == 0
    in_files, in_engine = Pathfinder.open(embedded), with_our_bm25(tmp_path / "corpus")
    for question in QUESTIONS[:3]:
        assert ids(in_engine.search(question)) == ids(in_files.search(question))
