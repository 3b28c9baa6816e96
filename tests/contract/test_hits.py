"""Corpora that 0.1.0 built open, and find what they found."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.compare import differences
from tests.contract.hits import hits
from tests.contract.workspace import HERE, fill, shared_models

EXPECTED = json.loads((HERE / "hits.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with shared_models():
        yield fill(tmp_path_factory.mktemp("hits"))


@pytest.mark.parametrize("expected", EXPECTED, ids=[record["name"] for record in EXPECTED])
def test_a_corpus_of_the_first_version_gives_the_same_ten_hits(expected, folder):
    actual = hits(folder / expected["corpus"], expected["question"], expected["fields"])
    assert not list(differences(expected["hits"], actual))
