"""A corpus that opens before its map is drawn."""

from pathlib import Path

import pytest

from pathfinder.corpus.manifest import COMING, read_manifest
from pathfinder.facade import Pathfinder
from pathfinder.settings import Settings
from tests.building import conftest
from tests.building.conftest import GALAXIES, PLANETS, Recorder, content

pytestmark = pytest.mark.build


def build_in(folder: Path, stage: str = "", *, opens_early: bool = True) -> Path:
    corpus = folder / "corpus"
    conftest.build_in(corpus, (GALAXIES, PLANETS), progress=Recorder(stage), opens_early=opens_early)
    return corpus


@pytest.mark.parametrize("stage", ["fitting relevance", "mapping"])
def test_a_corpus_opened_early_is_searched_while_its_map_is_made(tmp_path: Path, stage: str):
    with pytest.raises(OSError, match="disk full"):
        build_in(tmp_path, stage)
    pf = Pathfinder.open(tmp_path / "corpus", settings=Settings(_env_file=None))
    assert pf.search("hot planets").hits[0].paper.paper_id == "planets"
    assert pf.landscape is None
    assert pf.corpus.absent["landscape"] == COMING
    roles = "landscape thesaurus features reviews groups layers atlas reranker"
    assert set(pf.corpus.manifest.coming) == set(roles.split())


def test_a_build_stopped_behind_an_open_corpus_ends_in_the_corpus_of_an_undisturbed_one(tmp_path: Path):
    with pytest.raises(OSError, match="disk full"):
        build_in(tmp_path, "mapping")
    corpus = build_in(tmp_path)
    (tmp_path / "other").mkdir()
    whole_build = build_in(tmp_path / "other", opens_early=False)
    manifest, expected = read_manifest(corpus)[0], read_manifest(whole_build)[0]
    assert manifest.coming == ()
    assert (manifest.parts, manifest.absent) == (expected.parts, expected.absent)


def test_the_decision_with_which_a_corpus_was_opened_stays_until_the_next_build(tmp_path: Path):
    corpus = build_in(tmp_path)
    decisions = [name for name in content(corpus) if name.startswith("relevance-")]
    assert len(decisions) == 2  # by the shipped weights, and by its own
    build_in(tmp_path)
    assert read_manifest(corpus)[0].coming == ()


def test_without_the_option_nothing_is_in_place_before_the_end(tmp_path: Path):
    with pytest.raises(OSError, match="disk full"):
        build_in(tmp_path, "mapping", opens_early=False)
    assert not (tmp_path / "corpus" / "manifest.json").exists()
