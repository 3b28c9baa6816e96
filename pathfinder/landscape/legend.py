"""What the colours and signs of a scene mean, as plain data: drawn into a picture, listed on a page, read aloud."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from pathfinder.landscape.layer import Cells, Dash, Layer
from pathfinder.landscape.palettes import COLOURS, LEVELS, lookup
from pathfinder.landscape.scene import Ground, Palette, Scene
from pathfinder.landscape.terrain import BANDS

THIN = 0.5
"""Values of a veil that is thin."""
NOTE = "Near means alike. The axes mean nothing."


class Sign(StrEnum):
    """What stands before an entry of a legend."""

    GROUND = "ground"
    """A square of the ground's colour."""
    VEIL = "veil"
    LINE = "line"
    PATH = "path"
    MARK = "mark"
    DOT = "dot"
    OUTLIER = "outlier"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a legend."""

    sign: Sign
    colour: str
    """`#rrggbb`."""
    text: str
    strength: float = 1.0
    """Opacity of a veil where it is thickest, (0, 1]."""
    dash: Dash = Dash.SOLID
    """Of a line."""


def legend_of(scene: Scene) -> tuple[Entry, ...]:
    """What is drawn, the ground first; the layers' colours are as they stand in the scene."""
    layers = (entry for layer in scene.layers for entry in layer_entries(layer))
    return tuple(dict.fromkeys((*ground_entries(scene.ground, scene.palette), *layers, *paper_entries(scene))))


def ground_entries(ground: Ground, palette: Palette) -> tuple[Entry, ...]:
    """What the colours of the ground mean."""
    if ground is Ground.DENSITY:
        levels = [(0.1, "few papers"), (1.0, "many papers")]
    else:
        tops = [*(band.low for band in BANDS[1:]), 1.0]
        levels = [
            (band.low + 0.3 * (top - band.low), f"{band.name}: {band.says}")
            for band, top in zip(BANDS, tops, strict=True)
        ]
    table = lookup(COLOURS[ground, palette])
    return tuple(
        Entry(Sign.GROUND, "#{:02x}{:02x}{:02x}".format(*table[round(level * (LEVELS - 1))]), text)
        for level, text in levels
    )


def layer_entries(layer: Layer) -> tuple[Entry, ...]:
    """What is drawn of a layer, each title once."""
    entries = []
    for cells in layer.cells:
        scale = " to ".join(end for end in (cells.low, cells.high) if end)
        text = f"{cells.title}: {scale}" if scale else cells.title
        entries.append(Entry(Sign.VEIL, cells.colour, text, _strength(cells)))
    entries += [
        Entry(Sign.PATH if one.is_path else Sign.LINE, one.colour, one.title, dash=one.dash) for one in layer.lines
    ]
    entries += [Entry(Sign.MARK, mark.colour, mark.title) for mark in layer.marks]
    return tuple(dict.fromkeys(entry for entry in entries if entry.text))


def _strength(cells: Cells) -> float:
    """A veil that is thin everywhere is shown as thin as it is, others as they are at their thickest."""
    highest = float(np.nan_to_num(cells.values).max(initial=0.0))
    return 0.45 if 0 < highest <= THIN else 1.0


def paper_entries(scene: Scene) -> tuple[Entry, ...]:
    """What the papers found, the chosen region and the papers of chosen years look like."""
    colours = COLOURS[scene.ground, scene.palette]
    entries = []
    if any(dot.rank is None for dot in scene.dots):
        entries.append(Entry(Sign.DOT, colours.dot, "chosen paper"))
    if any(dot.rank is not None and not dot.outlier for dot in scene.dots):
        entries.append(Entry(Sign.DOT, colours.dot, "paper found"))
    if any(dot.outlier for dot in scene.dots):
        entries.append(Entry(Sign.OUTLIER, colours.outlier, "paper found, apart from the others"))
    if scene.region is not None:
        entries.append(Entry(Sign.REGION, colours.chosen, "chosen region"))
    if scene.years is not None:
        first, last = scene.years
        entries.append(Entry(Sign.DOT, colours.point, f"paper of {first}" + (f" to {last}" if last != first else "")))
    return tuple(entries)
