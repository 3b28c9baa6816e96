"""Corpora that 0.1.0 built open, and find what they found."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.compare import differences
from tests.contract.hits import hits
from tests.contract.workspace import HERE, fill, shared_models

RECORDED = json.loads((HERE / "hits.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with shared_models():
        yield fill(tmp_path_factory.mktemp("hits"))


@pytest.mark.parametrize("recorded", RECORDED, ids=[one["name"] for one in RECORDED])
def test_a_corpus_of_the_first_version_gives_the_same_ten_hits(recorded, folder):
    found = hits(folder / recorded["corpus"], recorded["question"], recorded["fields"])
    assert not list(differences(recorded["hits"], found))
