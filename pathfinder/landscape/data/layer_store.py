"""Layers on disk, computed when a corpus is built: JSON for text and marks, plain arrays for the rest.

Each layer is stored with a hash of its inputs: its code and the parts of the corpus that it was computed from. The hash
is compared before a layer is read, so a layer is recomputed when anything that it depends on has changed.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.errors import CORPUS_REMEDY, CorpusDamaged
from pathfinder.landscape.data.layer import Dash, Heatmap, Layer, MapLine, Mark, Table, UnavailableLayer
from pathfinder.landscape.density import Grid
from pathfinder.text.strict_json import read_json
from pathfinder.types import Floats

# Plain files of a map: JSON and arrays, never unpickled.


def write_json(path: Path, content: object) -> None:
    """Write JSON; the same content always gives the same bytes. Raises `ValueError` for NaN and infinity, which JSON
    cannot express.
    """
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array; the same array always gives the same bytes."""
    np.save(path, array, allow_pickle=False)


def read_array(path: Path, dtype: type[np.generic], n_dimensions: int) -> NDArray[Any]:
    """Open an array, memory-mapped. Raises `CorpusDamaged` if the file is anything else."""
    try:
        array: NDArray[Any] = np.lib.format.open_memmap(path, mode="r")
    except (OSError, ValueError) as error:
        raise damage_error(path, " ".join(str(error).split())) from error
    if array.dtype != dtype or array.ndim != n_dimensions:
        raise damage_error(path, f"it holds {array.dtype} of shape {array.shape}")
    return array


def damage_error(path: Path, reason: str) -> CorpusDamaged:
    """Make the error for a damaged file; it says how to fix the damage."""
    return CorpusDamaged(f"{path} cannot be read ({reason}): {CORPUS_REMEDY}")


INDEX = "stored_layers.json"
INDEX_OF_0_1 = "overlays.json"
"""The index that Pathfinder 0.1.0 wrote. Its layers have no hash of their inputs, so none of them is read: they are
computed on request until the next build in the corpus's folder stores them again.
"""
_HASH_DIGITS = 16
_STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
_SLUG = re.compile(r"[a-z]+")


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class _Index:
    inputs: dict[str, str]
    """The hash of each layer's inputs, by slug, in the order of computation."""
    unavailable: tuple[UnavailableLayer, ...]


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class _HeatmapRecord:
    """A heatmap without its values, which are stored in an array, grid after grid."""

    grid: Grid
    colour: str
    title: str
    low: str
    high: str
    may_be_chance: bool = False


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class _LineRecord:
    """A line without its points, which are stored in an array, line after line."""

    n_points: int
    colour: str
    title: str
    is_path: bool
    dash: Dash


@with_config(_STRICT)
@dataclass(frozen=True, slots=True)
class _Record:
    """A layer without its arrays."""

    slug: str
    title: str
    description: str
    heatmaps: tuple[_HeatmapRecord, ...]
    lines: tuple[_LineRecord, ...]
    marks: tuple[Mark, ...]
    table: Table | None
    notes: tuple[str, ...]


_INDEX, _RECORD = TypeAdapter(_Index), TypeAdapter(_Record)


@dataclass(frozen=True, slots=True)
class StoredLayers:
    """The layers stored with a corpus; each is read on request."""

    folder: Path
    inputs: Mapping[str, str]
    """The hash of each layer's inputs, by slug, including layers that could not be computed."""
    unavailable: tuple[UnavailableLayer, ...]
    """Layers that could not be computed, with the reasons."""

    def read(self, slug: str) -> Layer | UnavailableLayer:
        """Read a stored layer. Raises `CorpusDamaged` if its files have changed since they were written."""
        for layer in self.unavailable:
            if layer.slug == slug:
                return layer
        path = self.folder / f"{slug}.json"
        record = read_json(_RECORD, path)
        if record.slug != slug:
            raise damage_error(path, f"it contains the layer {record.slug!r}")
        heatmaps, lines = tuple(_heatmaps(self.folder, record)), tuple(_lines(self.folder, record))
        return Layer(slug, record.title, record.description, heatmaps, lines, record.marks, record.table, record.notes)


def hash_of_inputs(*inputs: object) -> str:
    """Hash plain values, such as the hashes of code and of corpus parts, into 16 hex digits."""
    text = json.dumps(inputs, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_HASH_DIGITS]


def write_stored_layers(layers: Sequence[Layer | UnavailableLayer], inputs: Mapping[str, str], folder: Path) -> None:
    """Write `layers` into `folder`, along with `inputs`, the hash of each layer's inputs by slug; the same layers
    always produce the same bytes.

    Slugs must consist of lower-case letters.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for layer in layers:
        if isinstance(layer, Layer):
            record = _Record(
                layer.slug,
                layer.title,
                layer.description,
                tuple(
                    _HeatmapRecord(
                        heatmap.grid, heatmap.colour, heatmap.title, heatmap.low, heatmap.high, heatmap.may_be_chance
                    )
                    for heatmap in layer.heatmaps
                ),
                tuple(
                    _LineRecord(len(line.points), line.colour, line.title, line.is_path, line.dash)
                    for line in layer.lines
                ),
                layer.marks,
                layer.table,
                layer.notes,
            )
            write_json(folder / f"{layer.slug}.json", asdict(record))
            if layer.heatmaps:
                values = np.concatenate([heatmap.values.ravel() for heatmap in layer.heatmaps])
                write_array(_values_file(folder, layer.slug), values.astype(np.float64))
            if layer.lines:
                points = np.concatenate([line.points for line in layer.lines])
                write_array(_points_file(folder, layer.slug), points.astype(np.float32))
    unavailable = tuple(layer for layer in layers if isinstance(layer, UnavailableLayer))
    index = _Index({layer.slug: inputs[layer.slug] for layer in layers}, unavailable)
    write_json(folder / INDEX, asdict(index))


def open_stored_layers(folder: Path) -> StoredLayers | None:
    """Open the layers of a corpus; `None` if Pathfinder 0.1.0 wrote them. Raises `CorpusDamaged` for anything else."""
    path = folder / INDEX
    if not path.exists() and (folder / INDEX_OF_0_1).exists():
        return None
    index = read_json(_INDEX, path)
    for slug in index.inputs:
        if not _SLUG.fullmatch(slug):
            raise damage_error(path, f"no layer is called {slug!r}")
    return StoredLayers(folder, index.inputs, index.unavailable)


def _values_file(folder: Path, slug: str) -> Path:
    return folder / f"{slug}_values.npy"


def _points_file(folder: Path, slug: str) -> Path:
    return folder / f"{slug}_points.npy"


def _heatmaps(folder: Path, record: _Record) -> Iterator[Heatmap]:
    if not record.heatmaps:
        return
    path = _values_file(folder, record.slug)
    values: Floats = np.array(read_array(path, np.float64, 1))
    n_values = sum(heatmap.grid.n_cells for heatmap in record.heatmaps)
    if len(values) != n_values:
        raise damage_error(path, f"it holds {len(values)} values, its layer has {n_values}")
    if (np.isinf(values) | (values < 0) | (values > 1)).any():
        raise damage_error(path, "a value lies outside 0..1")
    ends = np.cumsum([heatmap.grid.n_cells for heatmap in record.heatmaps])
    for heatmap, chunk in zip(record.heatmaps, np.split(values, ends[:-1]), strict=True):
        grid_values = chunk.reshape(heatmap.grid.n_rows, heatmap.grid.n_columns)
        yield Heatmap(
            heatmap.grid, grid_values, heatmap.colour, heatmap.title, heatmap.low, heatmap.high, heatmap.may_be_chance
        )


def _lines(folder: Path, record: _Record) -> Iterator[MapLine]:
    if not record.lines:
        return
    path = _points_file(folder, record.slug)
    points: NDArray[np.float32] = np.array(read_array(path, np.float32, 2))
    n_points = sum(line.n_points for line in record.lines)
    if points.shape != (n_points, 2) or any(line.n_points < 0 for line in record.lines):
        raise damage_error(path, f"it has shape {points.shape}, its layer has {n_points} points")
    if not np.isfinite(points).all():
        raise damage_error(path, "a coordinate is not a number")
    ends = np.cumsum([line.n_points for line in record.lines])
    for line, chunk in zip(record.lines, np.split(points, ends[:-1]), strict=True):
        yield MapLine(chunk, line.colour, line.title, line.is_path, line.dash)
