"""The landscape of a corpus as it is stored on disk: coordinates, extent and the picture of the density; and its atlas:
everything that is drawn once, when the corpus is built, and stored next to them.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.corpus.coordinates import COORDINATES, open_coordinates
from pathfinder.corpus.store import Corpus
from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.landscape.density import Extent, Grid, Peak, density, density_png, map_extent
from pathfinder.text.strict_json import read_json
from pathfinder.types import Floats

TILE_PIXELS = 256
N_TILE_ZOOMS = 5
"""Number of zoom levels, 0 to 4: one tile covers the whole square of the map at level 0, four at level 1, and so on up
to 256.
"""
SCALES = ("broad", "medium", "fine")
"""Scales of the density, which differ in how far each paper's weight is spread."""
LABEL_LEVELS = (1, 2, 3)
"""Levels of names: 1 for continents, visible from the start; 2 for countries; 3 for towns, visible close up."""
KEYWORDS = "keywords"
"""Value of `Label.named_by` for places that no chat model named."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class Label:
    """The name of a part of the map: a keyword phrase that is frequent there and rare elsewhere."""

    x: float
    y: float
    text: str
    level: int
    """1, 2 or 3, one of `LABEL_LEVELS`; `min_zoom` gives the zoom at which it appears."""
    min_zoom: float
    """The lowest zoom level at which it is drawn; no two labels drawn at the same zoom overlap. It refers to a map
    whose square is 1,000 pixels wide at zoom 0 (see `labels.effective_zoom`), and is negative for names that even
    narrower maps show from the start.
    """
    n_papers: int
    """Number of papers in the region that it names."""
    named_by: str = KEYWORDS
    """`keywords`, or the chat model that chose the name, as `vendor:model`."""


@dataclass(frozen=True, slots=True, eq=False)
class Atlas:
    """The drawn parts of a map: memory-mapped if `write_atlas` has stored them, or drawn in memory for a given year."""

    grid: Grid
    """The cells in which papers are counted for `density` and for the layers."""
    density: Mapping[str, Floats]
    """Smoothed paper counts by scale, normalised to [0, 1], with 4 x 4 values per cell of the grid, the top of the map
    first.
    """
    labels: tuple[Label, ...]
    """Names, each at a peak of the scale that matches its level; a peak whose papers have no keywords in common has no
    name.
    """
    peaks: tuple[Peak, ...]
    """Peaks at all scales, highest first at each scale."""
    tiles: NDArray[np.uint8]
    """The PNGs of all tiles, one after another."""
    ends: NDArray[np.int64]
    """The end of each tile in `tiles`; tiles are ordered by zoom, then by row, then by column."""

    def tile(self, zoom: int, column: int, line: int) -> bytes:
        """Return one tile of the square around the map as an RGB PNG, `TILE_PIXELS` wide and high.

        Red is the density on a logarithmic scale, green the shade of the relief (128 is flat), blue the height; the
        colours are chosen when the tile is drawn.
        """
        number = (4**zoom - 1) // 3 + line * 2**zoom + column
        start = int(self.ends[number - 1]) if number else 0
        return self.tiles[start : int(self.ends[number])].tobytes()


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
