"""A page with nothing on it but the canvas of the map, over an atlas that is made up."""

import base64
import json
from functools import cache
from typing import Any

from playwright.sync_api import Page

from pathfinder.landscape.canvas.scene_record import scene_record, tiles_record
from pathfinder.landscape.canvas.source import script, styles
from pathfinder.landscape.data.landscape import Atlas
from pathfinder.landscape.drawing.scene import Scene
from tests.landscape.made_up_atlas import made_up_atlas

SERVER = """
(kind, value) => {
    window.told.push([kind, value]);
    if (kind === 'want' && window.serves) {
        const known = value.tiles.filter((name) => window.tiles[name]);
        const tiles = Object.fromEntries(known.map((name) => [name, window.tiles[name]]));
        const points = value.box ? {...window.points, box: value.box} : null;
        window.map.take({tiles, points});
    }
}
"""
"""Answers as the server does, at once, unless it is silent."""

MIDDLE = (300, 240)
SIZE = {"width": 620, "height": 544}
"""The canvas is then 600 x 480, with the tools below it: 30 pixels a unit of the map that is 20 wide, at zoom 0."""


@cache
def atlas() -> Atlas:
    """One for all tests; it takes seconds to draw."""
    return made_up_atlas()


def papers(*places: tuple[float, float], years: tuple[int | None, ...] = ()) -> dict[str, Any]:
    """Points at `places`, with a title each."""
    return {
        "n": len(places),
        "box": [0, -1, 20, 13],
        "rows": list(range(len(places))),
        "x": [x for x, _ in places],
        "y": [y for _, y in places],
        "years": list(years or (2000,) * len(places)),
        "titles": [f"Paper {i}" for i in range(len(places))],
    }


def open_canvas(
    page: Page, scene: Scene, points: dict[str, Any] | None = None, *, serves: bool = True, **more: Any
) -> None:
    """Draw `scene` and wait until its ground is there; `more` is what `scene_record` takes."""
    record = scene_record(scene, atlas(), **more) | {"points": points or papers()}
    tiles = {f"{z}/{c}/{n}": _tile(z, c, n) for z in range(3) for n in range(2**z) for c in range(2**z)}
    record["tiles"] = tiles_record(atlas(), ["0/0/0"])
    page.set_viewport_size(SIZE)
    page.set_content(
        "<!doctype html><meta charset='utf-8'>"
        f"<style>body {{ margin: 0 10px; --atlas-height: 524px }} {styles()} .atlas-tools {{ order: 1 }}</style>"
        f"<div id='here'></div><script>window.told = []; window.serves = {json.dumps(serves)};"
        f"window.tiles = {json.dumps(tiles)}; window.points = {json.dumps(record['points'])};"
        f"{script()}\nwindow.map = mount(document.getElementById('here'), {json.dumps(record)}, {SERVER});</script>"
    )
    page.locator(".atlas[data-ground]").wait_for()


@cache
def _tile(zoom: int, column: int, line: int) -> str:
    return base64.b64encode(atlas().tile(zoom, column, line)).decode()


def messages_of(page: Page, kind: str) -> list[Any]:
    """What was reported so far, of one kind."""
    return page.evaluate("kind => told.filter(([name]) => name === kind).map(([, value]) => value)", kind)


def view(page: Page) -> tuple[float, float, float]:
    """x, y and zoom of what is drawn."""
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    x, y, zoom = page.locator(".atlas").get_attribute("data-view").split(",")
    return float(x), float(y), float(zoom)


def point_at(page: Page, x: float, y: float) -> None:
    """Move the mouse to a place of the map."""
    script = "([x, y]) => { const box = document.querySelector('canvas').getBoundingClientRect();"
    script += "const [px, py] = map.map.frame.toScreen(x, y); return [box.left + px, box.top + py] }"
    view(page)
    page.mouse.move(*page.evaluate(script, [x, y]))


def colour_at(page: Page, x: float, y: float) -> list[int]:
    """Red, green and blue of a pixel of the canvas."""
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    script = (
        "([x, y]) => [...document.querySelector('canvas').getContext('2d').getImageData(x, y, 1, 1).data].slice(0, 3)"
    )
    return page.evaluate(script, [x, y])
