"""Layers on disk, counted when a corpus is built: JSON for what is told, plain arrays for what is drawn."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.landscape.files import damaged, read_array, read_json, write_array, write_json
from pathfinder.landscape.grid import Grid
from pathfinder.landscape.layer import Absent, Cells, Dash, Layer, Line, Mark, Table
from pathfinder.types import Floats

VERSION = 2
"""Of what layers are counted from, and how: raise it, and a build counts them again. Until then they are counted when
they are asked for."""
ABOUT = "overlays.json"
_STRICTLY = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)
_SLUG = re.compile(r"[a-z]+")


@with_config(_STRICTLY)
@dataclass(frozen=True, slots=True)
class _About:
    version: int
    layers: tuple[str, ...]
    """Slugs, in the order in which they were counted."""
    absent: tuple[Absent, ...]


@with_config(_STRICTLY)
@dataclass(frozen=True, slots=True)
class _Veil:
    """Cells without their values, which lie one grid after the other in an array."""

    grid: Grid
    colour: str
    title: str
    low: str
    high: str


@with_config(_STRICTLY)
@dataclass(frozen=True, slots=True)
class _Path:
    """A line without its points, which lie one line after the other in an array."""

    n_points: int
    colour: str
    title: str
    is_path: bool
    dash: Dash


@with_config(_STRICTLY)
@dataclass(frozen=True, slots=True)
class _Record:
    """A layer without its arrays."""

    slug: str
    title: str
    says: str
    cells: tuple[_Veil, ...]
    lines: tuple[_Path, ...]
    marks: tuple[Mark, ...]
    table: Table | None
    notes: tuple[str, ...]


_ABOUT, _RECORD = TypeAdapter(_About), TypeAdapter(_Record)
_VERSIONED = TypeAdapter(dict[str, object])


@dataclass(frozen=True, slots=True)
class Kept:
    """The layers that a corpus keeps; each is read when it is asked for."""

    folder: Path
    layers: tuple[str, ...]
    """Slugs."""
    absent: tuple[Absent, ...]
    """Those that could not be counted, with the reasons."""

    @property
    def slugs(self) -> frozenset[str]:
        """Of both."""
        return frozenset((*self.layers, *(one.slug for one in self.absent)))

    def read(self, slug: str) -> Layer | Absent:
        """One of them, as it was counted. Raises `CorpusDamaged` where its files are not what was written."""
        for one in self.absent:
            if one.slug == slug:
                return one
        path = self.folder / f"{slug}.json"
        record = read_json(path, _RECORD)
        if record.slug != slug:
            raise damaged(path, f"it holds the layer {record.slug!r}")
        cells, lines = tuple(_cells(self.folder, record)), tuple(_lines(self.folder, record))
        return Layer(slug, record.title, record.says, cells, lines, record.marks, record.table, record.notes)


def write_kept(layers: Sequence[Layer | Absent], folder: Path) -> None:
    """Write them into `folder`; the same layers, the same bytes. Slugs are of small letters alone."""
    folder.mkdir(parents=True, exist_ok=True)
    there = [one for one in layers if isinstance(one, Layer)]
    absent = tuple(one for one in layers if isinstance(one, Absent))
    for one in there:
        _write_layer(one, folder)
    write_json(folder / ABOUT, asdict(_About(VERSION, tuple(one.slug for one in there), absent)))


def open_kept(folder: Path) -> Kept | None:
    """What `write_kept` wrote; `None` where another version counted. Raises `CorpusDamaged` for anything else."""
    path = folder / ABOUT
    if read_json(path, _VERSIONED).get("version") != VERSION:
        return None
    about = read_json(path, _ABOUT)
    for slug in about.layers:
        if not _SLUG.fullmatch(slug):
            raise damaged(path, f"no layer is called {slug!r}")
    return Kept(folder, about.layers, about.absent)


def _write_layer(layer: Layer, folder: Path) -> None:
    veils = tuple(_Veil(one.grid, one.colour, one.title, one.low, one.high) for one in layer.cells)
    paths = tuple(_Path(len(one.points), one.colour, one.title, one.is_path, one.dash) for one in layer.lines)
    record = _Record(layer.slug, layer.title, layer.says, veils, paths, layer.marks, layer.table, layer.notes)
    write_json(folder / f"{layer.slug}.json", asdict(record))
    if layer.cells:
        values = np.concatenate([one.values.ravel() for one in layer.cells])
        write_array(_values_file(folder, layer.slug), values.astype(np.float64))
    if layer.lines:
        points = np.concatenate([one.points for one in layer.lines])
        write_array(_points_file(folder, layer.slug), points.astype(np.float32))


def _values_file(folder: Path, slug: str) -> Path:
    return folder / f"{slug}_values.npy"


def _points_file(folder: Path, slug: str) -> Path:
    return folder / f"{slug}_points.npy"


def _cells(folder: Path, record: _Record) -> Iterator[Cells]:
    if not record.cells:
        return
    path = _values_file(folder, record.slug)
    values: Floats = np.array(read_array(path, np.float64, 1))
    needed = sum(veil.grid.n_cells for veil in record.cells)
    if len(values) != needed:
        raise damaged(path, f"it holds {len(values)} values, its layer has {needed}")
    if (np.isinf(values) | (values < 0) | (values > 1)).any():
        raise damaged(path, "a value lies outside 0..1")
    ends = np.cumsum([veil.grid.n_cells for veil in record.cells])
    for veil, part in zip(record.cells, np.split(values, ends[:-1]), strict=True):
        shaped = part.reshape(veil.grid.n_rows, veil.grid.n_columns)
        yield Cells(veil.grid, shaped, veil.colour, veil.title, veil.low, veil.high)


def _lines(folder: Path, record: _Record) -> Iterator[Line]:
    if not record.lines:
        return
    path = _points_file(folder, record.slug)
    points: NDArray[np.float32] = np.array(read_array(path, np.float32, 2))
    needed = sum(line.n_points for line in record.lines)
    if points.shape != (needed, 2) or any(line.n_points < 0 for line in record.lines):
        raise damaged(path, f"it has shape {points.shape}, its layer has {needed} points")
    if not np.isfinite(points).all():
        raise damaged(path, "a place is no number")
    ends = np.cumsum([line.n_points for line in record.lines])
    for line, part in zip(record.lines, np.split(points, ends[:-1]), strict=True):
        yield Line(part, line.colour, line.title, line.is_path, line.dash)
