"""Pictures of the map for files: PNG and SVG of one scene, drawn from the same layout.

The same scene over the same corpus gives the same bytes. Both carry the summary of what is in sight: the PNG as its
`Description`, the SVG as the `desc` that screen readers read.
"""

import base64
import io

from PIL import Image, PngImagePlugin

from pathfinder.landscape.chart import Chart
from pathfinder.landscape.composition import Sheet, compose
from pathfinder.landscape.ground_picture import ground
from pathfinder.landscape.palettes import COLOURS
from pathfinder.landscape.raster import drawn
from pathfinder.landscape.scene import Scene
from pathfinder.landscape.summary import summary
from pathfinder.landscape.vector import document

WIDTH, HEIGHT = 1600, 1000
"""Of a picture in pixels, where nothing else is asked for."""


def png(scene: Scene, chart: Chart, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """The scene as a PNG file. Raises `UsageError` for a size that no picture has."""
    sheet = compose(scene, chart, width, height)
    told = PngImagePlugin.PngInfo()
    told.add_itxt("Description", summary(scene, chart, sheet.frame))
    return _as_png(drawn(_ground(scene, chart, sheet), sheet.items), told)


def svg(scene: Scene, chart: Chart, width: int = WIDTH, height: int = HEIGHT) -> str:
    """The scene as an SVG file: the ground as a picture in it, everything else as shapes and text."""
    sheet = compose(scene, chart, width, height)
    under = "data:image/png;base64," + base64.b64encode(_as_png(_ground(scene, chart, sheet))).decode()
    return document(sheet.items, under, (width, height), summary(scene, chart, sheet.frame))


def _ground(scene: Scene, chart: Chart, sheet: Sheet) -> Image.Image:
    picture = Image.new("RGB", (sheet.width, sheet.height), sheet.margin)
    picture.paste(ground(chart.atlas, sheet.frame, COLOURS[scene.ground, scene.palette]))
    return picture


def _as_png(picture: Image.Image, told: PngImagePlugin.PngInfo | None = None) -> bytes:
    file = io.BytesIO()
    picture.save(file, format="PNG", pnginfo=told)
    return file.getvalue()
