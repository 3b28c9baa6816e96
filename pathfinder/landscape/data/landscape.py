"""The landscape of a corpus as it is stored on disk: coordinates, extent and the picture of the density."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pathfinder.corpus.coordinates import COORDINATES, open_coordinates
from pathfinder.corpus.store import Corpus
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.landscape.density import Extent, density, density_png, map_extent
from pathfinder.text.strict_json import read_json

IMAGE, EXTENT = "density.png", "extent.json"

_EXTENT = TypeAdapter(Extent)


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """The places of all papers in a corpus, and the ground beneath them. Compared by identity."""

    coordinates: NDArray[np.float32]
    """Shape (n, 2), in the order of the corpus's rows; read-only and memory-mapped."""
    extent: Extent
    """The area that the picture shows."""
    image_png: bytes
    """Picture of the density from `density_png`, with its own background colour where there are no papers."""


def write_landscape(coordinates: NDArray[np.float32], folder: Path) -> None:
    """Draw the density of `coordinates`, shape (n, 2), and write three files; the same input always gives the same
    bytes.
    """
    folder.mkdir(parents=True, exist_ok=True)
    extent = map_extent(coordinates)
    np.save(folder / COORDINATES, np.ascontiguousarray(coordinates, dtype=np.float32), allow_pickle=False)
    (folder / IMAGE).write_bytes(density_png(density(coordinates, extent)))
    (folder / EXTENT).write_text(json.dumps(asdict(extent), indent=1) + "\n", encoding="utf-8")


def landscape_as_of(whole: Landscape, corpus: Corpus) -> Landscape:
    """Return the landscape of `corpus`, a corpus as of a given year. It keeps the frame of the `whole` map, so that no
    paper moves, but shows only the papers in `corpus`.

    Raises `ValueError` for a corpus without places.
    """
    if corpus.coordinates is None:
        raise ValueError(f"{corpus.folder} has no places: it has no landscape as of a given year")
    picture = density_png(density(corpus.coordinates, whole.extent))
    return Landscape(corpus.coordinates, whole.extent, picture)


def open_landscape(folder: Path) -> Landscape:
    """Open a landscape written by `write_landscape`. Raises `CorpusDamaged` for anything else."""
    coordinates = open_coordinates(folder)
    image = folder / IMAGE
    if not image.is_file():
        raise CorpusDamaged(f"{image} is missing: {CORPUS_REMEDY}")
    return Landscape(coordinates, read_json(_EXTENT, folder / EXTENT), image.read_bytes())
