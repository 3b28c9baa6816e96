"""Links that people saved while 0.1.0 ran open as they did."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.compare import differences
from tests.contract.links import meaning
from tests.contract.workspace import HERE, fill, shared_models

EXPECTED = json.loads((HERE / "links.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with shared_models():
        yield fill(tmp_path_factory.mktemp("links")) / "landmarks"


@pytest.mark.parametrize("link", EXPECTED, ids=[link["name"] for link in EXPECTED])
def test_a_saved_link_still_means_what_it_meant(link, corpus):
    assert not list(differences(link["meaning"], meaning(link["page"], link["query"], corpus)))
