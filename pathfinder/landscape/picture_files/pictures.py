"""Writes the map as a picture file: one scene as PNG or SVG.

The same scene of the same corpus gives the same bytes. Both formats include a description of the view in words: the PNG
as its `Description`, the SVG as the `desc` that screen readers read. In an SVG, text stays text, and a shape shows its
description when a reader points at it.
"""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.drawing.scene import Scene
from pathfinder.landscape.naming.descriptions import summary

WIDTH, HEIGHT = 1600, 1000
"""Default size of a picture in pixels."""
TITLE = "Map of the literature"

_SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "text.parse_math": False,
    "lines.scale_dashes": False,
    "image.composite_image": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "pathfinder",
}
_LOCK = Lock()
"""Lock for matplotlib, whose settings are shared by the whole process and whose fonts are not thread-safe."""


def draw_png(scene: Scene, map_data: MapData, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """Draw the scene as a PNG file. Raises `UsageError` for a width or height out of bounds."""
    with drawing_settings():
        from pathfinder.landscape.picture_files.figure_text import clean
        from pathfinder.landscape.picture_files.map_figure import draw_figure

        figure, viewport = draw_figure(scene, map_data, width, height)
        file = io.BytesIO()
        metadata = {"Title": TITLE, "Description": clean(summary(scene, map_data, viewport)), "Software": None}
        figure.savefig(file, format="png", metadata=metadata)
    return file.getvalue()


def draw_svg(scene: Scene, map_data: MapData, width: int = WIDTH, height: int = HEIGHT) -> str:
    """Draw the scene as an SVG file: the ground as an embedded image, everything else as shapes and text.

    Raises `UsageError` for a width or height out of bounds.
    """
    with drawing_settings():
        from pathfinder.landscape.picture_files.figure_text import figure_as_svg
        from pathfinder.landscape.picture_files.map_figure import draw_figure

        figure, viewport = draw_figure(scene, map_data, width, height)
        return figure_as_svg(figure, TITLE, summary(scene, map_data, viewport))


@contextmanager
def drawing_settings() -> Iterator[None]:
    """Use matplotlib's defaults and Pathfinder's settings, whatever is in `matplotlibrc`, in one thread at a time."""
    import matplotlib

    with _LOCK, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_SETTINGS)
        yield
