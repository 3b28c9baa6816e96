"""The map of a corpus after a build: kept, extended, laid out again, or drawn for a corpus that had none."""

import json
import shutil

import numpy as np
import pytest

from pathfinder.building import MapOptions
from pathfinder.building.map import drift_lines, map_drift
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.store import open_corpus, verify_corpus
from pathfinder.errors import UsageError
from pathfinder.facade import Pathfinder
from pathfinder.landscape.projection.projection import Drift
from pathfinder.models.fake import HashEmbedder, ScriptedChat
from tests.building.conftest import Recorder, build_in, content, without_parts

pytestmark = pytest.mark.build

TOPICS = ("neutron stars merge", "planets transit brightly", "galaxies cluster together")


def record(i):
    topic = TOPICS[i % 3]
    return {
        "id": f"p{i}",
        "title": topic,
        "abstract": f"How {topic}, observation {i % 7} of number {i}.",
        "year": 2020,
        "authors": [f"A. Name{chr(97 + i // 26)}{chr(97 + i % 26)}"],
    }


FIRST, LATER = [record(i) for i in range(30)], [record(i) for i in range(30, 36)]


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mapped") / "corpus"
    build_in(folder, FIRST)
    return folder


@pytest.fixture
def folder(original, tmp_path):
    """Make a copy of the corpus into which a test may build."""
    return shutil.copytree(original, tmp_path / "corpus")


def open_pf(folder):
    return Pathfinder.open(folder, embedder=HashEmbedder(16))


def places(folder):
    return np.asarray(open_pf(folder).landscape.coordinates)


def test_an_older_corpus_says_how_to_come_by_an_atlas_and_a_build_adds_that_of_a_new_one(folder):
    atlas = read_manifest(folder)[0].parts["atlas"]
    without_parts(folder, "atlas")
    pf = open_pf(folder)
    assert pf.atlas is None
    assert "too old to have an atlas: to add it, build again from its sources" in pf.corpus.absent["atlas"]
    report = build_in(folder, FIRST)
    assert (report.n_new, report.n_known) == (0, 30)
    assert verify_corpus(folder).manifest.parts["atlas"] == atlas
    assert open_pf(folder).atlas is not None


def test_the_same_sources_make_the_same_map_to_the_byte(original, tmp_path):
    build_in(tmp_path / "again", FIRST)
    assert content(tmp_path / "again") == content(original)


def test_papers_that_are_added_lie_among_those_of_their_topic_and_leave_all_others_where_they_were(folder):
    before, places_before = open_pf(folder), places(folder)
    build_in(folder, LATER)
    pf, now = open_pf(folder), places(folder)
    assert np.array_equal(now[:30], places_before)
    assert len(now) == 36
    assert pf.landscape.extent == pf.atlas.grid.extent == before.landscape.extent
    for row in range(30, 36):
        nearest = np.argsort(np.linalg.norm(now[:30] - now[row], axis=1))[:3]
        assert np.mean(nearest % 3 == row % 3) > 0.5


def test_a_map_that_is_crowded_by_new_papers_is_told_of(folder):
    hearing = Recorder()
    build_in(folder, LATER, progress=hearing)
    assert hearing.messages == []
    build_in(folder, [record(i) for i in range(36, 80)], progress=hearing)
    assert hearing.messages == ["80 papers share a map that was laid out for 36: use --new-map to lay it out again"]


def test_the_map_is_laid_out_anew_where_that_is_asked_for(folder, tmp_path):
    build_in(folder, LATER)
    assert build_in(folder, [], map_options=MapOptions(afresh=True)).n_new == 0
    build_in(tmp_path / "once", [*FIRST, *LATER])
    assert np.array_equal(places(folder), places(tmp_path / "once"))


def by_letters(prompt):
    n = prompt.count("</part>")
    return json.dumps({"names": [{"key": str(i), "name": f"Topic {'abcdefghijkl'[i]}"} for i in range(1, n + 1)]})


def test_names_by_a_chat_model_stay_and_are_told_of_when_they_give_way_to_keywords(folder):
    hearing = Recorder()
    build_in(folder, FIRST, map_options=MapOptions(namer=ScriptedChat(by_letters)), progress=hearing)
    labels = open_pf(folder).atlas.labels
    assert {label.named_by for label in labels} == {"fake:scripted"}
    build_in(folder, FIRST, progress=hearing)
    assert open_pf(folder).atlas.labels == labels
    assert hearing.messages == []
    build_in(folder, LATER, progress=hearing)
    assert hearing.messages == [
        "keywords have replaced the names chosen by fake:scripted: build with --name-labels to name the map again"
    ]
    build_in(folder, [record(36)], progress=hearing)
    assert len(hearing.messages) == 1


# Drift ----------------------------------------------------------------------------------------------


def test_a_corpus_without_a_map_has_no_drift(tmp_path):
    build_in(tmp_path / "few", FIRST[:3])
    with pytest.raises(UsageError, match="has no map to compare: a map needs at least 5 papers, but this corpus has 3"):
        map_drift(open_corpus(tmp_path / "few"))


def test_a_few_papers_are_too_few_to_measure_drift_on(original, monkeypatch):
    monkeypatch.setattr("pathfinder.building.map.N_NEIGHBOURS", 30)
    with pytest.raises(UsageError, match="more than 30 papers, but this corpus has 30"):
        map_drift(open_corpus(original))


def test_a_map_that_nothing_was_added_to_has_not_drifted(original):
    drift = map_drift(open_corpus(original))
    assert (drift.n_papers, drift.median) == (30, pytest.approx(0, abs=1e-5))
    assert len(list(drift_lines(drift))) == 2


def test_a_new_map_is_advised_where_neighbours_were_lost():
    *_, advice = drift_lines(Drift(100, 0.1, 0.3, 0.2, neighbours_kept=0.10, neighbours_kept_afresh=0.18))
    assert "--new-map" in advice
