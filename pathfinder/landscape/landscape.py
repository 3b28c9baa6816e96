"""The landscape of a corpus as it lies on disk: coordinates, extent and the picture of the density."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from pathfinder.corpus.coordinates import COORDINATES, open_coordinates
from pathfinder.corpus.parts import REMEDY
from pathfinder.errors import CorpusDamaged
from pathfinder.landscape.density import Extent, density, density_png, map_extent

IMAGE, EXTENT = "density.png", "extent.json"

_EXTENT = TypeAdapter(Extent)


@dataclass(frozen=True, slots=True, eq=False)
class Landscape:
    """Where every paper of a corpus lies, and the ground that they lie on. Compares by identity."""

    coordinates: NDArray[np.float32]
    """Shape (n, 2), by row of the corpus; read-only and memory-mapped."""
    extent: Extent
    """What the picture shows."""
    image_png: bytes
    """The density as `density_png` draws it, with a ground of its own where no paper lies."""


def write_landscape(coordinates: NDArray[np.float32], folder: Path) -> None:
    """Draws the density of `coordinates`, shape (n, 2), and writes three files; the same input, the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    extent = map_extent(coordinates)
    np.save(folder / COORDINATES, np.ascontiguousarray(coordinates, dtype=np.float32), allow_pickle=False)
    (folder / IMAGE).write_bytes(density_png(density(coordinates, extent)))
    (folder / EXTENT).write_text(json.dumps(asdict(extent), indent=1) + "\n", encoding="utf-8")


def open_landscape(folder: Path) -> Landscape:
    """What `write_landscape` wrote. Raises CorpusDamaged for anything else."""
    coordinates = open_coordinates(folder)
    image = folder / IMAGE
    if not image.is_file():
        raise _damaged(image, "it is missing")
    return Landscape(coordinates, _extent(folder / EXTENT), image.read_bytes())


def _extent(path: Path) -> Extent:
    try:
        return _EXTENT.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise _damaged(path, " ".join(str(error).split())) from error


def _damaged(path: Path, why: str) -> CorpusDamaged:
    return CorpusDamaged(f"{path} cannot be read ({why}): {REMEDY}")
