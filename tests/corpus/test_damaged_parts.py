"""Every file of a part of a corpus that is missing, cut short or something else is named, with the remedy."""

import io
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from pathfinder.corpus.network import open_network
from pathfinder.corpus.network.writing import write_network
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.corpus.thesaurus import Concept, open_thesaurus, write_thesaurus
from pathfinder.errors import CorpusDamaged
from pathfinder.index.terms import KeywordIndex, build_keyword_index
from pathfinder.landscape.data.groups import Groups, open_groups, write_groups
from pathfinder.landscape.data.landscape import open_landscape, write_landscape
from pathfinder.landscape.data.layer_store import open_stored_layers, write_stored_layers
from pathfinder.landscape.drawing.terrain import open_atlas, write_atlas
from pathfinder.types import Paper
from tests.landscape import planted_map
from tests.landscape.layers.test_stored_layers import FULL

PAPERS = (Paper("a", "A", "", keywords=("stars",)), Paper("b", "B", "", keywords=("dust",), references=("id:a",)))
PLACES = np.random.default_rng(0).normal(size=(50, 2)).astype(np.float32)


def objects() -> bytes:
    """An array of objects, which would be unpickled."""
    file = io.BytesIO()
    np.save(file, np.array([print, None], dtype=object), allow_pickle=True)
    return file.getvalue()


def network(folder: Path) -> None:
    write_network(pa.Table.from_batches([batch_of(PAPERS)], schema=PAPER_SCHEMA), folder)


PARTS: dict[str, tuple[Callable[[Path], Any], Callable[[Path], Any]]] = {
    "keywords": (lambda folder: build_keyword_index(PAPERS, folder), KeywordIndex.open),
    "network": (network, open_network),
    "thesaurus": (
        lambda folder: write_thesaurus("Made-up Sky", (Concept("1", "Planets", ("Worlds",)),), folder),
        open_thesaurus,
    ),
    "landscape": (lambda folder: write_landscape(PLACES, folder), open_landscape),
    "atlas": (lambda folder: write_atlas(planted_map.atlas(), folder), open_atlas),
    "layers": (
        lambda folder: write_stored_layers((FULL,), {"growth": "1"}, folder),
        lambda folder: open_stored_layers(folder).read("growth"),
    ),
    "groups": (
        lambda folder: write_groups(Groups.of({"a": [3, 1], "b": []}), folder, "kinds"),
        lambda folder: open_groups(folder, "kinds", 4),
    ),
}
"""How each part is written into a folder, and how it is opened."""


@pytest.fixture(scope="module", params=PARTS)
def part(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp(request.param) / "part"
    if request.param == "groups":
        folder.mkdir()
    PARTS[request.param][0](folder)
    return folder, PARTS[request.param][1]


@pytest.mark.parametrize("damage", [None, b"", b"no array", pickle.dumps([1, 2]), objects(), "cut short"])
def test_a_damaged_file_is_named_with_the_remedy_and_never_unpickled(part, damage):
    folder, open_part = part
    open_part(folder)
    for path in sorted(folder.iterdir()):
        if path.suffix == ".png" and damage is not None:
            continue  # the picture is sent on as it is
        content = path.read_bytes()
        path.unlink()
        if damage is not None:
            path.write_bytes(content[:-9] if damage == "cut short" else damage)
        with pytest.raises(CorpusDamaged) as caught:
            open_part(folder)
        assert path.name in str(caught.value)
        assert "again" in str(caught.value)
        assert "\n" not in str(caught.value)
        path.write_bytes(content)
