"""A corpus remembers the files of an embedder from outside, and opens with no others."""

import pytest

from pathfinder.building.embedding import vector_key
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.store import open_corpus
from pathfinder.errors import CorpusError
from pathfinder.models.loading import load_embedder
from pathfinder.settings import Settings
from tests.building.conftest import GALAXIES, PLANETS
from tests.models.made_models import write_embedder, write_json

pytestmark = pytest.mark.build


@pytest.fixture
def load(tmp_path):
    write_embedder(tmp_path / "model")
    return lambda: load_embedder(f"onnx:{tmp_path / 'model'}", Settings(_env_file=None))


def test_the_files_are_in_the_manifest_and_others_are_refused_by_name(make, load, tmp_path):
    make(GALAXIES, embedder=load())
    assert read_manifest(tmp_path / "corpus")[0].embedder_files == load().files
    open_corpus(tmp_path / "corpus").check_embedder(load())
    write_json(tmp_path / "model/1_Pooling/config.json", {"pooling_mode": "max"})
    with pytest.raises(CorpusError, match=r"1_Pooling/config\.json.*SHA-256.*onnx:ORG/NAME@REVISION"):
        open_corpus(tmp_path / "corpus").check_embedder(load())
    with pytest.raises(CorpusError, match=r"1_Pooling/config\.json"):
        make(GALAXIES, PLANETS, embedder=load())


def test_vectors_computed_with_other_files_are_not_taken_up_again(load, tmp_path):
    before = vector_key(load(), "a text")
    assert vector_key(load(), "a text") == before
    write_json(tmp_path / "model/1_Pooling/config.json", {"pooling_mode": "max"})
    assert vector_key(load(), "a text") != before


def test_the_embedder_that_ships_with_pathfinder_is_known_without_its_files(make, tmp_path):
    make(GALAXIES)
    assert read_manifest(tmp_path / "corpus")[0].embedder_files == {}
