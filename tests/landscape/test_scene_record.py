"""What is sent to the canvas of the map at once: a scene as plain data, and the counts of the years."""

import base64
import json
import zlib

import numpy as np
import pytest

from pathfinder.landscape.canvas.scene_record import CanvasOptions, history_record, scene_record
from pathfinder.landscape.data.layer import Heatmap, Layer, MapLine, Mark
from pathfinder.landscape.density import Extent, Grid, grid_over
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Scene
from pathfinder.types import Region
from tests.landscape.made_up_atlas import EXTENT, made_up_atlas

ATLAS = made_up_atlas(n_zooms=2)


def layer() -> Layer:
    values = np.array([[0.0, 0.5], [1.0, np.nan]])
    return Layer(
        "growth",
        "Growth",
        "says",
        heatmaps=(Heatmap(Grid(EXTENT, 2, 2), values, "#e69f00", "grows"),),
        lines=(MapLine(np.array([[1, 2], [3, 4.00001]], np.float32), "#009e73", "stars", True),),
        marks=(Mark(1.0, 2.0, "<b>a gap</b>", "#d55e00", row=3),),
    )


def test_a_scene_is_plain_data_and_keeps_texts_as_they_are() -> None:
    scene = Scene(layers=(layer(),), dots=(Dot(7, 1.0, 2.0, "<i>A</i>", 1999, 1, True),), region=Region.box(0, 0, 1, 1))
    record = json.loads(json.dumps(scene_record(scene, ATLAS, options=CanvasOptions(large=True))))
    assert record["extent"] == {"left": 0.0, "right": 20.0, "bottom": 0.0, "top": 12.0}
    assert record["dots"] == [
        {"row": 7, "x": 1.0, "y": 2.0, "title": "<i>A</i>", "year": 1999, "rank": 1, "outlier": True, "live": None}
    ]
    (sent,) = record["layers"]
    assert sent["marks"][0]["text"] == "<b>a gap</b>"
    line = {"points": [[1, 2], [3, 4]], "colour": "#009e73", "dashes": [], "title": "stars", "is_path": True}
    assert sent["lines"] == [line]
    assert record["region"] == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert record["options"] == {"has_server": True, "can_select": True, "large": True, "scrolls_into_view": True}
    assert [label["text"] for label in record["labels"]][:2] == ["stars", "galaxies"]


def test_a_cell_is_a_byte_and_the_last_says_nothing() -> None:
    (sent,) = scene_record(Scene(layers=(layer(),)), ATLAS)["layers"]
    (cells,) = sent["cells"]
    assert list(base64.b64decode(cells["values"])) == [0, 127, 254, 255]
    assert (cells["rows"], cells["columns"]) == (2, 2)


def test_the_number_of_a_scene_names_its_content_and_that_of_its_view_the_view_alone() -> None:
    plain, same = scene_record(Scene(), ATLAS), scene_record(Scene(), ATLAS)
    relief = scene_record(Scene(ground=Ground.RELIEF), ATLAS)
    moved = scene_record(Scene(view=MapView(1, 2, 3)), ATLAS)
    again = scene_record(Scene(view=MapView(1, 2, 3)), ATLAS, n_moves=1)
    assert plain == same
    assert relief["number"] != plain["number"]
    assert relief["view_number"] == plain["view_number"]
    assert len({plain["view_number"], moved["view_number"], again["view_number"]}) == 3


def test_the_years_are_counted_by_cell() -> None:
    places = np.array([[0.1, 0.1], [0.1, 0.1], [9.9, 9.9], [5, 5]], np.float32)
    sent = history_record(places, np.array([2000.0, 2000.0, 2002.0, np.nan]), grid_over(Extent(0, 10, 0, 10), 2))
    assert sent is not None
    assert (sent["first"], sent["last"], sent["rows"], sent["columns"]) == (2000, 2002, 2, 2)
    counts = np.frombuffer(zlib.decompress(base64.b64decode(sent["counts"])), "<u2").reshape(3, 2, 2)
    assert counts[0].tolist() == [[0, 0], [2, 0]]  # the top line first; both lie at the bottom left
    assert counts[1].sum() == 0
    assert counts[2].tolist() == [[0, 1], [0, 0]]


@pytest.mark.parametrize("years", [[np.nan, np.nan], [2000.0, 2000.0]])
def test_fewer_than_two_years_cannot_be_played(years: list[float]) -> None:
    places = np.array([[0, 0], [1, 1]], np.float32)
    assert history_record(places, np.array(years), grid_over(Extent(0, 1, 0, 1))) is None
