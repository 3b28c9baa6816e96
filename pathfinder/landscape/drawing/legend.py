"""The legend of a scene as plain data, shared by pages, figures, picture files and exported pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from html import escape

import numpy as np

from pathfinder.landscape.data.layer import Dash, Layer
from pathfinder.landscape.drawing.palettes import COLOURS, LEVELS, Colours, lookup
from pathfinder.landscape.drawing.scene import Dot, Ground, Palette, Scene
from pathfinder.landscape.drawing.terrain import BANDS

FAINT = 0.5
"""A heatmap counts as faint if none of its values is higher than this."""
NOTE = "Nearby papers are similar. The axes mean nothing."


class Sign(StrEnum):
    """The symbol in front of a legend entry."""

    GROUND = "ground"
    """A square in the colour of the ground."""
    HEATMAP = "heatmap"
    LINE = "line"
    PATH = "path"
    MARK = "mark"
    DOT = "dot"
    OUTLIER = "outlier"
    LIVE = "live"
    REGION = "region"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One line of a legend."""

    sign: Sign
    colour: str
    """`#rrggbb`."""
    text: str
    strength: float = 1.0
    """Opacity of a heatmap where it is strongest, (0, 1]."""
    dash: Dash = Dash.SOLID
    """The dash pattern of a line."""


def legend_of(scene: Scene) -> tuple[LegendEntry, ...]:
    """List everything drawn, the ground first; layers appear in the colours that they have in the scene."""
    layers = (entry for layer in scene.layers for entry in layer_entries(layer))
    return tuple(dict.fromkeys((*ground_entries(scene.ground, scene.palette), *layers, *paper_entries(scene))))


def ground_entries(ground: Ground, palette: Palette) -> tuple[LegendEntry, ...]:
    """List the colours of the ground."""
    if ground is Ground.DENSITY:
        levels = [(0.1, "few papers"), (1.0, "many papers")]
    else:
        tops = [*(band.low for band in BANDS[1:]), 1.0]
        levels = [
            (band.low + 0.3 * (top - band.low), f"{band.name}: {band.description}")
            for band, top in zip(BANDS, tops, strict=True)
        ]
    table = lookup(COLOURS[ground, palette])
    return tuple(
        LegendEntry(Sign.GROUND, "#{:02x}{:02x}{:02x}".format(*table[round(level * (LEVELS - 1))]), text)
        for level, text in levels
    )


def layer_entries(layer: Layer) -> tuple[LegendEntry, ...]:
    """List everything drawn for a layer; items that look alike and have the same title are listed once."""
    entries = []
    for heatmap in layer.heatmaps:
        scale = " to ".join(end for end in (heatmap.low, heatmap.high) if end)
        text = f"{heatmap.title}: {scale}" if scale else heatmap.title
        highest = float(np.nan_to_num(heatmap.values).max(initial=0.0))
        entries.append(LegendEntry(Sign.HEATMAP, heatmap.colour, text, 0.45 if 0 < highest <= FAINT else 1.0))
    entries += [
        LegendEntry(Sign.PATH if line.is_path else Sign.LINE, line.colour, line.title, dash=line.dash)
        for line in layer.lines
    ]
    entries += [LegendEntry(Sign.MARK, mark.colour, mark.title) for mark in layer.marks]
    return tuple(dict.fromkeys(entry for entry in entries if entry.text))


def paper_entries(scene: Scene) -> tuple[LegendEntry, ...]:
    """List the entries for the papers found, the chosen region and the papers from the chosen years."""
    colours = COLOURS[scene.ground, scene.palette]
    entries = sorted({dot_entry(dot, colours) for dot in scene.dots}, key=lambda entry: _DOT_TEXTS.index(entry.text))
    if scene.region is not None:
        entries.append(LegendEntry(Sign.REGION, colours.chosen, "chosen region"))
    if scene.years is not None:
        first, last = scene.years
        entries.append(
            LegendEntry(Sign.DOT, colours.point, f"paper of {first}" + (f" to {last}" if last != first else ""))
        )
    return tuple(entries)


_DOT_TEXTS = (_CHOICE, _HIT, _OUTLIER, _LIVE) = (
    *("chosen paper", "paper found", "unlike the others"),
    "live, near similar papers",
)
"""Legend texts for dots, in the order of the legend."""


def dot_entry(dot: Dot, colours: Colours) -> LegendEntry:
    """Make the entry that explains a dot."""
    if dot.live is not None:
        return LegendEntry(Sign.LIVE, colours.dot, _LIVE)
    if dot.outlier:
        return LegendEntry(Sign.OUTLIER, colours.outlier, _OUTLIER)
    return LegendEntry(Sign.DOT, colours.dot, _CHOICE if dot.rank is None else _HIT)


# The legend as HTML, for pages and for files that open offline: a sample of each symbol with its meaning.

_EDGE = "outline:1px solid rgb(128 128 128 / 60%)"
_LINE = "width:22px;height:3px;background:{}"
_STYLES = {
    Sign.GROUND: "width:22px;height:14px;background:{};" + _EDGE,
    Sign.HEATMAP: "width:22px;height:14px;background:linear-gradient(90deg,transparent,{});" + _EDGE,
    Sign.LINE: _LINE,
    Sign.REGION: _LINE,
    Sign.PATH: "width:22px;height:11px;background:{};"
    "clip-path:polygon(0 36%,65% 36%,65% 0,100% 50%,65% 100%,65% 64%,0 64%)",
    Sign.MARK: "width:12px;height:11px;margin:0 5px;background:{};clip-path:polygon(50% 0,100% 100%,0 100%)",
    Sign.OUTLIER: "width:10px;height:10px;margin:0 6px;rotate:45deg;background:{}",
    Sign.LIVE: "width:11px;height:11px;margin:0 5px;background:{}",
    Sign.DOT: "width:12px;height:12px;margin:0 5px;border-radius:6px;background:{}",
}


def legend_html(entries: Iterable[LegendEntry]) -> str:
    """Write a line for each entry, with its text escaped."""
    return "".join(
        '<div style="display:flex;align-items:center;gap:8px;font-size:.9rem;padding:2px 0">'
        f'<span style="{escape(sample_style(entry))}"></span><span>{escape(entry.text)}</span></div>'
        for entry in entries
    )


def sample_style(entry: LegendEntry) -> str:
    """Write CSS that draws the symbol of an entry in an empty element of a flex line."""
    opacity = "" if entry.strength == 1 else f";opacity:{entry.strength:g}"
    return f"flex:none;{_STYLES[entry.sign].format(entry.colour)}{opacity}{_gaps(entry.dash)}"


def _gaps(dash: Dash) -> str:
    """Write CSS that cuts the gaps of `dash` out of a line; "" for a solid line."""
    if not dash.pixels:
        return ""
    dash_length, gap = dash.pixels
    return f";mask:repeating-linear-gradient(90deg,#000 0 {dash_length:g}px,#0000 0 {dash_length + gap:g}px)"
