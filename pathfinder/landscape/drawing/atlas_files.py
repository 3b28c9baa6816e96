"""The atlas of a corpus on disk: plain arrays and JSON, memory-mapped if large, never pickled.

It has no version number: a build decides by the manifest's fingerprint (`building/graph.py`) whether to draw it again.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter

from pathfinder.landscape.data.landscape import N_TILE_ZOOMS, SCALES, Atlas, Label
from pathfinder.landscape.data.layer_store import damage_error, read_array, write_array, write_json
from pathfinder.landscape.density import CELLS_PER_CELL, Grid, Peak, peaks
from pathfinder.landscape.drawing.tiles import draw_tiles
from pathfinder.text.strict_json import read_json
from pathfinder.types import Floats

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
