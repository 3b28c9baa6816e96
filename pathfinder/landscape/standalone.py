"""The map as one HTML file that opens anywhere, with no server and no network.

It holds the canvas that the page has, the tiles, some papers, the layers in every palette, cards to be surprised by and
the summary. With `?kiosk=1` behind its address it has large buttons and returns to its start when it is left alone.
"""

import json
from dataclasses import asdict, replace
from html import escape
from string import Template
from typing import Any

from pathfinder.landscape.canvas.source import script, styles, text_of
from pathfinder.landscape.cards import CLOSE, Card, surprise
from pathfinder.landscape.chart import Chart
from pathfinder.landscape.frame import frame_of
from pathfinder.landscape.held import Held, held
from pathfinder.landscape.legend import NOTE, Entry, ground_entries, layer_entries, paper_entries
from pathfinder.landscape.recolouring import told_apart
from pathfinder.landscape.scene import Palette, Scene
from pathfinder.landscape.scene_record import Manner, history_record, scene_record
from pathfinder.landscape.summary import summary
from pathfinder.landscape.view_record import Sampler, tiles_record

TILE_ZOOMS = 4
"""Of the pyramid that go into the file: 85 tiles, which are about 2 MB; from closer by they are enlarged."""
N_CARDS = 40
_SUMMARY_PIXELS = (1000, 700)
"""Of the map that the summary tells of."""


def standalone(scene: Scene, chart: Chart, title: str) -> str:
    """The scene as an HTML file; it fetches nothing. `title` is text, as a heading."""
    frame = frame_of(chart.extent, scene.view, *_SUMMARY_PIXELS)
    papers = held(scene, chart, frame)
    fields = {
        "title": escape(title),
        "note": escape(NOTE),
        "summary": escape(f"{summary(scene, chart, frame)} {papers.says}".rstrip()),
        "styles": styles() + text_of("standalone.css"),
        "data": _data(scene, chart, papers),
        "script": f"{script()}\n{text_of('standalone.js')}",
    }
    return Template(text_of("standalone.html")).substitute(fields)


def _data(scene: Scene, chart: Chart, papers: Held) -> str:
    """All that is drawn as JSON that no text in it can end."""
    record = {
        "scene": _scene(scene, chart) | {"points": _points(chart, papers)},
        "palette": scene.palette.value,
        "looks": {palette.value: _look(replace(scene, palette=palette), chart) for palette in Palette},
        "shown": [layer.slug for layer in scene.layers],
        "cards": _cards(chart, scene.years),
    }
    return json.dumps(record, allow_nan=False).replace("<", "\\u003c")


def _scene(scene: Scene, chart: Chart) -> dict[str, Any]:
    atlas = chart.atlas
    history = history_record(chart.coordinates, chart.years, atlas.grid)
    record = scene_record(scene, atlas, history=history, manner=Manner(asks=False, selects=False))
    names = [f"{z}/{c}/{n}" for z in range(TILE_ZOOMS) for n in range(2**z) for c in range(2**z)]
    tiles = {
        name: tile for i in range(0, len(names), 50) for name, tile in tiles_record(atlas, names[i : i + 50]).items()
    }
    return record | {"n_tile_zooms": TILE_ZOOMS, "tiles": tiles}


def _points(chart: Chart, papers: Held) -> dict[str, Any]:
    extent = chart.extent
    box = [extent.left, extent.bottom, extent.right, extent.top]
    return Sampler(chart.coordinates, chart.papers).record_of(papers.rows) | {"n": papers.n_papers, "box": box}


def _look(scene: Scene, chart: Chart) -> dict[str, Any]:
    """What changes with the palette: colours, layers and their entries of the legend."""
    layers = told_apart(scene.layers, scene.ground, scene.palette)
    record = scene_record(replace(scene, layers=layers), chart.atlas)
    return {
        "colours": record["colours"],
        "layers": [
            {"record": drawn, "legend": _entries(layer_entries(layer))}
            for drawn, layer in zip(record["layers"], layers, strict=True)
        ],
        "ground": _entries(ground_entries(scene.ground, scene.palette)),
        "papers": _entries(paper_entries(scene)),
    }


def _entries(entries: tuple[Entry, ...]) -> list[dict[str, Any]]:
    return [asdict(entry) for entry in entries]


def _cards(chart: Chart, years: tuple[int, int] | None) -> list[dict[str, Any]]:
    """Of papers of the scene's years, if there are any, each with the dot that marks its paper."""
    seeds = range(N_CARDS if len(chart.of_years(years)) else 0)
    cards = {card.row: card for card in (surprise(chart, seed, years) for seed in seeds)}
    return [{"heading": card.heading, "lines": card.lines, "zoom": CLOSE, "dot": _dot(card)} for card in cards.values()]


def _dot(card: Card) -> dict[str, Any]:
    return {
        "row": card.row,
        "x": card.x,
        "y": card.y,
        "title": card.heading,
        "year": None,
        "rank": None,
        "outlier": None,
    }
