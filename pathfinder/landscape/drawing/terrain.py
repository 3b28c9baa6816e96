"""Draws the ground of the map as a landscape, and stores it as the atlas of a corpus: the height of the land, the light
that falls on it, and the tiles.

The height is simply the density on a logarithmic scale, smoothed more than for the night sky.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from pydantic import TypeAdapter

from pathfinder.landscape.data.landscape import N_TILE_ZOOMS, SCALES, TILE_PIXELS, Atlas, Label
from pathfinder.landscape.data.layer_store import damage_error, read_array, write_array, write_json
from pathfinder.landscape.density import CELLS_PER_CELL, Extent, Grid, Peak, brightness, density, papers_per_cell, peaks
from pathfinder.text.strict_json import read_json
from pathfinder.types import Floats

RELIEF = (60.0, 16.0)
"""Standard deviation of the smoothing for one paper, in thousandths of the long side, and gain of the logarithm; see
`density.BROAD`.
"""
ROUGH = (26.0, 40.0)
"""The same settings for the rougher surface that the light falls on, so that slopes have ridges."""
ROUGH_SHARE = 0.3

SEA_LEVEL = 0.16
"""Height of the sea relative to the highest land, [0, 1]. With the gain in `RELIEF`, it corresponds to 1/28 of the
density in the most crowded places.
"""
COAST_TO = 0.30
PLAINS_TO = 0.55
HILLS_TO = 0.78

EXAGGERATION = 0.055
"""Height of the highest land as a fraction of the map's side, used only for the light."""
LIGHT_FROM = (-0.5, -0.5, 0.7071)
"""Direction of the light, a unit vector: from the left, the top (in picture coordinates) and above, that is, from the
north-west, as on printed maps.
"""
FLAT = 128
"""Shade of level ground, from 0 to 255."""


@dataclass(frozen=True, slots=True)
class Band:
    """A kind of land, for legends and colour tables."""

    name: str
    low: float
    """Lowest height of the band, as a fraction of the height of the highest land; the band ends where the next one
    begins.
    """
    description: str


BANDS = (
    Band("sea", 0.0, "no papers"),
    Band("coast", SEA_LEVEL, "a few papers, where a field begins"),
    Band("plains", COAST_TO, "an active topic"),
    Band("hills", PLAINS_TO, "a busy topic"),
    Band("mountains", HILLS_TO, "the most studied topics"),
)
"""Kinds of land, from the sea upwards."""


def height(coordinates: NDArray[np.float32], extent: Extent, side: int) -> Floats:
    """Compute the height over a square `extent`, [0, 1], shape (side, side), the top of the map first."""
    return brightness(papers_per_cell(coordinates, extent, (side, side)), *RELIEF)


def rough_height(coordinates: NDArray[np.float32], extent: Extent, side: int) -> Floats:
    """Compute the height with ridges, used only for the light; otherwise like `height`."""
    papers = papers_per_cell(coordinates, extent, (side, side))
    return np.asarray((1 - ROUGH_SHARE) * brightness(papers, *RELIEF) + ROUGH_SHARE * brightness(papers, *ROUGH))


def shade(height: Floats) -> Floats:
    """Compute the light on the land by Lambert's cosine law, [0, 255]; level ground and the sea have the value `FLAT`.

    `height` is square and in [0, 1].
    """
    land = np.maximum(height - SEA_LEVEL, 0.0) * EXAGGERATION * len(height)
    down, right = np.gradient(land)
    normal = np.sqrt(down**2 + right**2 + 1)
    x, y, z = LIGHT_FROM
    light = (z - x * right - y * down) / normal
    # Two linear scales: from no light to the light on level ground, and from there to full light on a slope facing it.
    dark, bright = light / z * FLAT, FLAT + (light - z) / (1 - z) * (255 - FLAT)
    return np.asarray(np.clip(np.where(light < z, dark, bright), 0, 255))


# Draws the ground of the map as a pyramid of tiles, from the whole map down to 1/256 of its area.
# A pixel stores numbers instead of a colour, so that one pyramid serves every palette and both grounds. Tiles cover the
# square around the map's extent. From zoom 3 on, pixels are interpolated, so that the ground looks smooth up close.


RASTER_ZOOM = 2
"""Zoom at which the density is computed, on a grid 1,024 pixels wide: even the finest smoothing, for a million papers,
spans 1.5 of these pixels.
"""
DENSITY_LEVELS, SHADE_LEVELS, HEIGHT_LEVELS = 48, 20, 40
"""Number of steps in each channel: more would hardly be visible, and would make the tiles larger."""
COMPRESSION = 5
"""Compression level for PNG: level 9 takes twenty times as long and saves only a tenth."""


def square_around(extent: Extent) -> Extent:
    """Find the smallest square around `extent` with the same centre: the area that the tiles cover."""
    side = max(extent.right - extent.left, extent.top - extent.bottom)
    x, y = (extent.left + extent.right) / 2, (extent.bottom + extent.top) / 2
    return Extent(x - side / 2, x + side / 2, y - side / 2, y + side / 2)


def draw_tiles(coordinates: NDArray[np.float32], extent: Extent) -> Iterator[bytes]:
    """Draw the PNG of every tile, ordered by zoom, row and column; equal coordinates always produce the same bytes."""
    square, side = square_around(extent), TILE_PIXELS * 2**RASTER_ZOOM
    light = shade(rough_height(coordinates, square, side)) / 255
    channels = [
        (Image.fromarray(values.astype(np.float32)), n_levels)
        for values, n_levels in (
            (density(coordinates, square, side), DENSITY_LEVELS),
            (light, SHADE_LEVELS),
            (height(coordinates, square, side), HEIGHT_LEVELS),
        )
    ]
    for zoom in range(N_TILE_ZOOMS):
        for line in range(2**zoom):
            for column in range(2**zoom):
                steps = [_crop(channel, n_levels, zoom, column, line) for channel, n_levels in channels]
                file = io.BytesIO()
                Image.fromarray(np.stack(steps, axis=-1)).save(file, format="PNG", compress_level=COMPRESSION)
                yield file.getvalue()


def _crop(channel: Image.Image, n_levels: int, zoom: int, column: int, line: int) -> NDArray[np.uint8]:
    """Cut a tile out of a channel, and round its values, [0, 1], to `n_levels` steps from 0 to 255."""
    wide = channel.width / 2**zoom
    box = (column * wide, line * wide, (column + 1) * wide, (line + 1) * wide)
    resampling = Image.Resampling.BOX if zoom <= RASTER_ZOOM else Image.Resampling.BICUBIC
    values = np.asarray(channel.resize((TILE_PIXELS, TILE_PIXELS), resampling, box=box))
    last = n_levels - 1
    return np.asarray(np.round(np.round(np.clip(values, 0, 1) * last) * (255 / last)), dtype=np.uint8)


# The atlas of a corpus on disk: plain arrays and JSON, memory-mapped if large, never pickled.
# It has no version number: a build decides by the manifest's fingerprint (`building/graph.py`) whether to draw it
# again.


GRID_FILE, LABELS_FILE, PEAKS_FILE = "grid.json", "labels.json", "peaks.json"
TILES_FILE, ENDS_FILE = "tiles.npy", "ends.npy"
N_TILES = (4**N_TILE_ZOOMS - 1) // 3

_GRID, _LABELS, _PEAKS = TypeAdapter(Grid), TypeAdapter(tuple[Label, ...]), TypeAdapter(tuple[Peak, ...])


def atlas_of(
    coordinates: NDArray[np.float32], grid: Grid, densities: dict[str, Floats], labels: Sequence[Label]
) -> Atlas:
    """Draw the tiles for papers at `coordinates`, and return the whole atlas; the same input always gives the same
    bytes.
    """
    tiles = list(draw_tiles(coordinates, grid.extent))
    return Atlas(
        grid=grid,
        density=densities,
        labels=tuple(labels),
        peaks=tuple(peak for scale in SCALES for peak in peaks(densities[scale], grid, scale)),
        tiles=np.frombuffer(b"".join(tiles), dtype=np.uint8),
        ends=np.cumsum([len(tile) for tile in tiles], dtype=np.int64),
    )


def write_atlas(atlas: Atlas, folder: Path) -> None:
    """Write an atlas into `folder`; the same atlas always gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    for scale in SCALES:
        write_array(folder / density_file(scale), atlas.density[scale])
    write_array(folder / TILES_FILE, atlas.tiles)
    write_array(folder / ENDS_FILE, atlas.ends)
    write_json(folder / GRID_FILE, asdict(atlas.grid))
    write_json(folder / LABELS_FILE, [asdict(label) for label in atlas.labels])
    write_json(folder / PEAKS_FILE, [asdict(peak) for peak in atlas.peaks])


def open_atlas(folder: Path) -> Atlas:
    """Open an atlas written by `write_atlas`. Raises `CorpusDamaged` for anything else."""
    grid = read_json(_GRID, folder / GRID_FILE)
    tiles, ends = read_array(folder / TILES_FILE, np.uint8, 1), read_array(folder / ENDS_FILE, np.int64, 1)
    if len(ends) != N_TILES or (np.diff(ends, prepend=0) <= 0).any() or ends[-1] != len(tiles):
        raise damage_error(folder / ENDS_FILE, f"it does not divide {len(tiles)} bytes into {N_TILES} tiles")
    return Atlas(
        grid=grid,
        density={scale: _density(folder / density_file(scale), grid) for scale in SCALES},
        labels=read_json(_LABELS, folder / LABELS_FILE),
        peaks=read_json(_PEAKS, folder / PEAKS_FILE),
        tiles=tiles,
        ends=ends,
    )


def density_file(scale: str) -> str:
    """Return the name of the file that holds the density at one of `SCALES`."""
    return f"density_{scale}.npy"


def _density(path: Path, grid: Grid) -> Floats:
    density: Floats = read_array(path, np.float64, 2)
    shape = grid.n_rows * CELLS_PER_CELL, grid.n_columns * CELLS_PER_CELL
    if density.shape != shape:
        raise damage_error(path, f"it has shape {density.shape}, the grid asks for {shape}")
    return density
