"""Exports the map as a single HTML file that opens anywhere, without a server or a network.

The file contains the page's canvas, tiles, a sample of the papers, the layers in every palette, cards for "Surprise me"
and the summary. With `?kiosk=1` added to its address, it has large buttons and returns to its starting view when left
alone.
"""

import json
from dataclasses import dataclass, replace
from html import escape
from math import log2
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from pathfinder.landscape.canvas.scene_record import (
    MAX_POINTS,
    CanvasOptions,
    Sampler,
    history_record,
    sampling_order,
    scene_record,
    tiles_record,
)
from pathfinder.landscape.canvas.source import IDLE_SECONDS, idle_clock, script, styles
from pathfinder.landscape.data.map_data import MapData, describe_paper_count
from pathfinder.landscape.drawing.legend import (
    NOTE,
    LegendEntry,
    ground_entries,
    layer_entries,
    paper_entries,
    sample_style,
)
from pathfinder.landscape.drawing.palettes import assign_colours
from pathfinder.landscape.drawing.scene import Palette, Scene
from pathfinder.landscape.drawing.viewport import Viewport, fit_viewport
from pathfinder.landscape.naming.descriptions import CARD_ZOOM, summary, surprise_card
from pathfinder.types import Rows

TILE_ZOOMS = 4
"""Number of zoom levels for which the file has tiles: 85 tiles, about 2 MB; they are enlarged for closer zooms."""
N_CARDS = 40
_SUMMARY_PIXELS = (1000, 700)
"""Size in pixels of the map that the summary describes."""


def standalone(scene: Scene, map_data: MapData, title: str) -> str:
    """Write the scene as an HTML document that loads nothing from elsewhere; `title`, plain text, is its heading."""
    viewport = fit_viewport(map_data.extent, scene.view, *_SUMMARY_PIXELS)
    papers = export_sample(scene, map_data, viewport)
    extent = map_data.extent
    box = [extent.left, extent.bottom, extent.right, extent.top]
    # Escaped so that no text in it can close the script element.
    record = {
        "scene": _scene(scene, map_data)
        | {
            "points": Sampler(map_data.coordinates, map_data.papers).record_of(papers.rows)
            | {"n": papers.n_papers, "box": box}
        },
        "palette": scene.palette.value,
        "looks": {palette.value: _look(replace(scene, palette=palette), map_data) for palette in Palette},
        "shown": [layer.slug for layer in scene.layers],
        "cards": _cards(map_data, scene.years),
        "idle_seconds": IDLE_SECONDS,
    }
    fields = {
        "title": escape(title),
        "note": escape(NOTE),
        "summary": escape(f"{summary(scene, map_data, viewport)} {papers.describe()}".rstrip()),
        "styles": styles() + _text_of("standalone.css"),
        "data": json.dumps(record, allow_nan=False).replace("<", "\\u003c"),
        "script": "\n".join((script(), idle_clock(), _text_of("standalone.js"))),
    }
    return Template(_text_of("standalone.html")).substitute(fields)


@dataclass(frozen=True, slots=True, eq=False)
class ExportSample:
    """The papers that an exported file contains."""

    rows: Rows
    n_own: int
    """Number of papers from the file's own years and view."""
    n_own_included: int
    n_papers: int
    """Number of papers on the whole map."""

    def describe(self) -> str:
        """Describe in one sentence what is left out; "" if every paper is in the file."""
        if len(self.rows) == self.n_papers:
            return ""
        n_others, n_others_included = self.n_papers - self.n_own, len(self.rows) - self.n_own_included
        own = f"{self.n_own_included:,} of the {describe_paper_count(self.n_own)} in its view"
        others = f", and {n_others_included:,} of the {n_others:,} others" if n_others else ""
        return f"This file contains, as points, {own}{others}."


def _scene(scene: Scene, map_data: MapData) -> dict[str, Any]:
    atlas = map_data.atlas
    history = history_record(map_data.coordinates, map_data.years, atlas.grid)
    record = scene_record(scene, atlas, history=history, options=CanvasOptions(has_server=False, can_select=False))
    names = [f"{z}/{c}/{n}" for z in range(TILE_ZOOMS) for n in range(2**z) for c in range(2**z)]
    tiles = {
        name: tile for i in range(0, len(names), 50) for name, tile in tiles_record(atlas, names[i : i + 50]).items()
    }
    return record | {"n_tile_zooms": TILE_ZOOMS, "tiles": tiles}


def _look(scene: Scene, map_data: MapData) -> dict[str, Any]:
    """Collect the data that change with the palette: colours, layers and the legend."""
    layers = assign_colours(scene.layers, scene.ground, scene.palette)
    record = scene_record(replace(scene, layers=layers), map_data.atlas)
    return {
        "colours": record["colours"],
        "layers": [
            {"record": layer_record, "legend": _entries(layer_entries(layer))}
            for layer_record, layer in zip(record["layers"], layers, strict=True)
        ],
        "ground": _entries(ground_entries(scene.ground, scene.palette)),
        "papers": _entries(paper_entries(scene)),
    }


def _entries(entries: tuple[LegendEntry, ...]) -> list[dict[str, str]]:
    return [{"style": sample_style(entry), "text": entry.text} for entry in entries]


def _cards(map_data: MapData, years: tuple[int, int] | None) -> list[dict[str, Any]]:
    """Make cards for papers from `years`, if there are any such papers, each with the dot that marks its paper."""
    seeds = range(N_CARDS if len(map_data.rows_of_years(years)) else 0)
    cards = {card.row: card for card in (surprise_card(map_data, seed, years) for seed in seeds)}
    return [
        {
            "heading": card.heading,
            "lines": card.lines,
            "zoom": CARD_ZOOM,
            "dot": {
                "row": card.row,
                "x": card.x,
                "y": card.y,
                "title": card.heading,
                "year": None,
                "rank": None,
                "outlier": None,
            },
        }
        for card in cards.values()
    ]


def _text_of(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


# Chooses the papers that an exported map contains, because a file cannot load more when its reader moves around.

MAX_OWN = 5000
"""Maximum number of papers from the file's own years and view; with their titles, these take up about 800 kB."""
MAX_OTHERS = MAX_POINTS
"""Maximum number of papers sampled from all the others, for readers who move to another part of the map."""
_WINDOW = 2.5
"""Factor by which a reader's window may be wider or taller than the viewport and still show the same view."""


def export_sample(scene: Scene, map_data: MapData, viewport: Viewport) -> ExportSample:
    """Take papers from the scene's years first, those in the view before those around it, then a sample of the others.

    If the scene has neither years nor a view, all papers count as belonging to it.
    """
    order = sampling_order(len(map_data.coordinates))
    places = map_data.coordinates[order]
    is_other_year = ~np.isin(order, map_data.rows_of_years(scene.years))
    # The largest part of the map that a window of a different shape may show for the same view.
    wider = replace(viewport.view, zoom=max(viewport.view.zoom - log2(_WINDOW), 0.0))
    is_out, is_far = ~viewport.contains(places), ~replace(viewport, view=wider).contains(places)
    own_first = order[np.lexsort((is_out, is_far, is_other_year))]
    others = order[~np.isin(order, own_first[:MAX_OWN])]
    rows = np.concatenate([own_first[:MAX_OWN], others[:MAX_OTHERS]])
    own = order[~is_other_year & ~is_out]
    return ExportSample(rows, len(own), int(np.isin(own, rows).sum()), len(order))
