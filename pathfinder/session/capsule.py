"""Makes the capsule of a question from an open corpus."""

import datetime
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import SecretStr

from pathfinder.capsules import CapsuleOrigin, pack
from pathfinder.capsules.contents import MapPlace
from pathfinder.corpus.store import Corpus
from pathfinder.llm.providers import KEY_VARIABLES
from pathfinder.settings import Settings, installed_version
from pathfinder.shelves.shelf import Shelf
from pathfinder.types import Answer, CallText, Consensus, SearchResult

_SHORTEST_PATH = 4
"""Minimum length of a path that is replaced; the shortest paths, such as "/", occur in every address."""


def capsule_of(
    corpus: Corpus,
    coordinates: NDArray[np.float32] | None,
    licences: Mapping[str, str | None],
    result: SearchResult,
    answer: Answer | None,
    consensus: Consensus | None,
    texts: tuple[CallText, ...],
    shelf: Shelf | None,
    settings: Settings,
) -> bytes:
    """Pack a result with its answer, its consensus, a shelf and the places of its candidates on the map.

    `coordinates`, shape (n, 2), are those of the papers in `corpus`; `None` if there is no map. `licences` are those of
    the full texts, by paper.
    """
    return pack(
        result,
        CapsuleOrigin(installed_version(), datetime.datetime.now(datetime.UTC).date(), corpus.manifest.embedder),
        answer=answer,
        consensus=consensus,
        texts=texts,
        places=tuple(_places(coordinates, result)),
        shelf=shelf,
        licences=licences,
        secrets=tuple(_secrets(corpus.folder, settings)),
    )


def _places(coordinates: NDArray[np.float32] | None, result: SearchResult) -> Iterator[MapPlace]:
    if coordinates is None:
        return
    for paper, row in zip(result.candidates.papers, result.candidates.rows.tolist(), strict=True):
        x, y = coordinates[row] if row < len(coordinates) else result.candidates.places.get(row, (None, None))
        if x is not None and y is not None:
            yield MapPlace(paper.paper_id, float(x), float(y))


def _secrets(folder: Path, settings: Settings) -> Iterator[str]:
    """Yield the keys that this process knows, and the paths that reveal where it runs."""
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            yield value.get_secret_value()
    yield from filter(None, map(os.environ.get, KEY_VARIABLES.values()))
    yield from (path for path in (str(folder.resolve()), str(Path.home())) if len(path) >= _SHORTEST_PATH)
