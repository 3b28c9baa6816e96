"""A corpus in an engine answers as the same corpus in files does."""

import json
from pathlib import Path

import numpy as np
import pytest

import pathfinder
from pathfinder import Pathfinder
from pathfinder.cli import main
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
)


def ids(result: pathfinder.SearchResult) -> list[str]:
    return [hit.paper.paper_id for hit in result.hits]


@pytest.fixture(scope="module")
def both(embedded: Path, served: Path) -> tuple[Pathfinder, Pathfinder]:
    return Pathfinder.open(embedded), Pathfinder.open(served)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_ten_hits_and_their_scores_are_those_of_the_files(
    both: tuple[Pathfinder, Pathfinder], question: str
) -> None:
    in_files, in_engine = (pf.search(question) for pf in both)
    assert ids(in_engine) == ids(in_files)
    assert [hit.score.final for hit in in_engine.hits] == pytest.approx(
        [hit.score.final for hit in in_files.hits], abs=1e-4
    )
    assert in_engine.assessment == in_files.assessment


@pytest.mark.parametrize("fields", FILTERS, ids=str)
def test_a_filter_admits_the_same_papers(both: tuple[Pathfinder, Pathfinder], fields: dict[str, object]) -> None:
    in_files, in_engine = (pf.search("galaxies and their stars", **fields) for pf in both)
    assert ids(in_engine) == ids(in_files)


def test_all_vectors_come_back_as_they_were_stored(both: tuple[Pathfinder, Pathfinder]) -> None:
    rows = np.array([N_PAPERS - 1, 0, 7, 7], dtype=np.int64)
    in_files, in_engine = (pf.corpus.dense.vectors(rows) for pf in both)
    np.testing.assert_allclose(in_engine, in_files, atol=1e-6)


def test_similar_papers_are_the_same(both: tuple[Pathfinder, Pathfinder]) -> None:
    in_files, in_engine = (pf.similar("hubble-1929") for pf in both)
    assert ids(in_engine) == ids(in_files)


def test_info_names_the_engine_and_its_collection(served: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["info", str(served), "--json"])
    engine = json.loads(capsys.readouterr().out)["engine"]
    assert engine["name"] == "milvus"
    assert engine["collection"].startswith("landmarks_")
    assert engine["version"]
