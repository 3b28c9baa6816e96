"""What is sent to the canvas of the map at once: a scene as plain data, and the counts of the years."""

import base64
import json
import zlib

import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.canvas.scene_record import (
    MAX_POINTS,
    MAX_TILES,
    CanvasOptions,
    Sampler,
    history_record,
    scene_record,
    tiles_record,
)
from pathfinder.landscape.data.layer import Heatmap, Layer, MapLine, Mark
from pathfinder.landscape.density import Extent, Grid, grid_over
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Scene
from pathfinder.types import Paper, Region
from tests.landscape.made_up_atlas import EXTENT, made_up_atlas
from tests.landscape.planted import table

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


def test_tiles_are_sent_as_they_lie_on_disk() -> None:
    sent = tiles_record(ATLAS, ["0/0/0", "1/1/0"])
    assert base64.b64decode(sent["1/1/0"]) == ATLAS.tile(1, 1, 0)
    assert list(sent) == ["0/0/0", "1/1/0"]


@pytest.mark.parametrize("name", ["5/0/0", "1/2/0", "1/0/2", "1/-1/0", "../0/0", "", "1/0/0/0", "0/00000/0"])
def test_a_tile_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="zoom/column/row"):
        tiles_record(ATLAS, [name])


def test_more_tiles_than_a_screen_shows_are_refused() -> None:
    with pytest.raises(UsageError, match=f"at most {MAX_TILES} tiles"):
        tiles_record(ATLAS, ["0/0/0"] * (MAX_TILES + 1))


def sampler(n: int) -> Sampler:
    """`n` papers along the diagonal from (0, 0) to (10, 10), of ten years in turn."""
    places = np.linspace(0, 10, n)
    papers = [Paper(f"p{i}", f"Paper $x_{{{i}}}$", "Of something.", year=1990 + i % 10) for i in range(n)]
    return Sampler(np.stack([places, places], axis=1).astype(np.float32), table(papers))


def test_all_papers_of_a_view_are_sent_where_they_are_few() -> None:
    sent = sampler(11).points_record((2.5, 0, 5.5, 5.5))
    assert sorted(sent["rows"]) == [3, 4, 5]
    assert sent["n"] == 3
    assert sorted(sent["x"]) == [3, 4, 5]
    assert sorted(sent["years"]) == [1993, 1994, 1995]
    assert "Paper x₃" in sent["titles"]


def test_many_papers_are_drawn_by_lots_that_are_the_same_from_close_by() -> None:
    sample = sampler(4 * MAX_POINTS)
    far, near = sample.points_record((0, 0, 10, 10)), sample.points_record((0, 0, 5, 5))
    assert far["n"] == 4 * MAX_POINTS
    assert len(far["rows"]) == len(near["rows"]) == MAX_POINTS
    in_half = {row for row, x in zip(far["rows"], far["x"], strict=True) if x <= 5}
    assert in_half <= set(near["rows"])


def test_of_chosen_years_others_are_not_sent() -> None:
    sent = sampler(20).points_record((0, 0, 10, 10), (1992, 1993))
    assert sorted(sent["rows"]) == [2, 3, 12, 13]


@pytest.mark.parametrize("box", [(0, 0, 1), (0, 0, float("nan"), 1), (0, 0, float("inf"), 1)])
def test_a_view_without_four_sides_is_refused(box: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match="four edges"):
        sampler(5).points_record(box)
