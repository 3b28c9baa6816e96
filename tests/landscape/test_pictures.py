import io
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image, ImageColor

from pathfinder.errors import UsageError
from pathfinder.landscape.layer import Cells, Layer, Line, Mark
from pathfinder.landscape.palettes import COLOURS, lookup
from pathfinder.landscape.pictures import png, svg
from pathfinder.landscape.raster import arrow, drawn
from pathfinder.landscape.scene import Dot, Ground, Palette, Scene, View
from pathfinder.landscape.vector import document
from pathfinder.types import Region
from tests.landscape.charts import EAST, WEST, chart

CHART = chart()
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '\u202e<script>alert(1)</script> & "quoted" \x00\ufffe'


def opened(scene: Scene, width: int = 800, height: int = 400) -> Image.Image:
    with Image.open(io.BytesIO(png(scene, CHART, width, height))) as picture:
        picture.load()
        return picture


def tree(scene: Scene, width: int = 800, height: int = 400) -> ElementTree.Element:
    return ElementTree.fromstring(svg(scene, CHART, width, height))


def veil(colour: str, at: tuple[float, float]) -> Layer:
    """A layer whose only cell lies at a place."""
    grid = CHART.atlas.grid
    values = np.full(grid.n_cells, np.nan)
    cell = int(grid.cell_of(np.array([at], dtype=np.float32))[0])
    # Its neighbours, too: a veil is smooth.
    for line in (-1, 0, 1):
        values[[cell + line * grid.n_columns + step for step in (-1, 0, 1)]] = 1.0
    cells = Cells(grid, values.reshape(grid.n_rows, grid.n_columns), colour, "JWST", "as many", "8 times as many")
    return Layer("mission:jwst", "JWST", "", (cells,))


def near(pixel: tuple[int, ...], colour: str, within: float = 80) -> bool:
    return bool(np.abs(np.array(pixel[:3]) - ImageColor.getrgb(colour)).sum() < within)


@pytest.mark.parametrize("size", [(100, 400), (800, 9000)])
def test_a_size_that_no_picture_has_is_refused(size):
    for draw in (png, svg):
        with pytest.raises(UsageError, match="of a picture lies in"):
            draw(Scene(), CHART, *size)


def test_what_is_no_shape_is_refused_by_its_type_and_not_left_out():
    ground = Image.new("RGB", (200, 200))
    why = "made of Veil, Stroke, Spot, Box, Words, .* got str"
    with pytest.raises(TypeError, match=why):
        drawn(ground, ["a circle"])
    with pytest.raises(TypeError, match=why):
        document(["a circle"], "data:,", (200, 200), "")


@pytest.mark.parametrize("line", [[(1, 1)], [(1, 1), (1, 1)]])
def test_an_arrow_of_a_path_that_stays_in_one_place_points_to_the_right(line):
    assert arrow(np.array(line, dtype=np.float64), 2.0) == [[1, 1], [-1, 2], [-1, 0]]


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("ground", Ground)
def test_the_same_scene_gives_the_same_bytes(ground, palette):
    scene = Scene(ground, palette, layers=(veil("#ff0000", WEST),))
    assert png(scene, CHART, 400, 300) == png(scene, CHART, 400, 300)
    assert svg(scene, CHART, 400, 300) == svg(scene, CHART, 400, 300)


def test_the_picture_has_the_ground_and_the_size_that_was_asked_for():
    picture = opened(Scene(Ground.RELIEF, shows_labels=False))
    table = lookup(COLOURS[Ground.RELIEF, Palette.STANDARD])
    assert picture.size == (800, 400)
    assert near(picture.getpixel((400, 20)), "#{:02x}{:02x}{:02x}".format(*table[0]))
    assert near(picture.getpixel((200, 200)), "#{:02x}{:02x}{:02x}".format(*table[255]))


def test_a_veil_lies_where_its_cells_are_and_nowhere_else():
    plain, veiled = (
        np.asarray(opened(Scene(layers=layers, shows_labels=False)), dtype=int)
        for layers in ((), (veil("#ff0000", EAST),))
    )
    lines, columns = np.nonzero(np.abs(plain - veiled).sum(axis=-1)[:, 400:] > 30)
    # The legend, in the lower left, changed too. EAST is at (12, 4): 600 and 200 of 800 and 400 pixels.
    assert abs(columns.mean() + 400 - 600) < 12
    assert abs(lines.mean() - 200) < 12
    assert np.hypot(columns + 400 - 600, lines - 200).max() < 30


def test_hits_are_numbered_discs_and_those_apart_are_diamonds():
    dots = (Dot(0, *WEST, "Found", 2001, 1, False), Dot(41, *EAST, "Apart", 2002, 2, True))
    scene = Scene(dots=dots, shows_labels=False)
    colours = COLOURS[scene.ground, scene.palette]
    picture = opened(scene)
    assert near(picture.getpixel((206, 200)), colours.dot)
    assert near(picture.getpixel((606, 200)), colours.outlier)
    found = tree(scene)
    assert [
        one.find(f"{SVG}title").text for one in found.iter(f"{SVG}circle") if one.find(f"{SVG}title") is not None
    ] == ["Found (2001)"]
    assert {"1", "2"} <= {one.text for one in found.iter(f"{SVG}text")}


def test_papers_of_the_chosen_years_are_points():
    # Papers 0 to 39 are of 1990 to 2029, 40 to 59 of 2000 to 2019: five years hold ten papers.
    found = tree(Scene(years=(2000, 2004), shows_labels=False))
    points = [one for one in found.iter(f"{SVG}circle") if one.get("fill-opacity") == "0.6"]
    assert len(points) == 10
    assert "paper of 2000 to 2004" in {one.text for one in found.iter(f"{SVG}text")}


def test_from_close_by_single_papers_are_points_without_being_asked_for():
    far, close = (list(tree(Scene(view=View(*EAST, zoom))).iter(f"{SVG}circle")) for zoom in (0.0, 3.0))
    assert (len(far), len(close)) == (0, 20)


def test_a_region_a_path_and_marks_are_drawn():
    mark = Mark(*EAST, "A review (2020)", "#00ff00", "review", "1", 41)
    line = Line(np.array([WEST, EAST], dtype=np.float32), "#ff00ff", "Riess, A", is_path=True)
    layer = Layer("authors", "Path", "", lines=(line,), marks=(mark,))
    found = tree(Scene(layers=(layer,), region=Region.box(1.0, 1.0, 3.0, 3.0)))
    titles = {one.text for one in found.iter(f"{SVG}title")}
    assert {"A review (2020)", "Riess, A", "chosen region"} <= titles
    texts = {one.text for one in found.iter(f"{SVG}text")}
    assert {"1", "Riess, A", "review", "chosen region"} <= texts


def test_lines_of_one_colour_are_dashed_alike_in_both_files_and_in_their_legends():
    series = COLOURS[Ground.RELIEF, Palette.STANDARD].series
    ends = np.array([(0.5, 7.0), (15.5, 7.0)], dtype=np.float32)
    lines = tuple(Line(ends - [0, i / 2], f"#00000{i}", f"topic {i}") for i in range(len(series) + 1))
    scene = Scene(Ground.RELIEF, layers=(Layer("topics", "Topics", "", lines=lines),), shows_labels=False)
    drawn = [one for one in tree(scene).iter(f"{SVG}path") if one.get("stroke") == series[0]]
    # The first and the last on the map, then in the legend.
    assert [one.get("stroke-dasharray") for one in drawn] == [None, "7 4", None, "7 4"]
    pixels = np.asarray(opened(scene), dtype=int)

    def share(number: int) -> float:
        y = round(400 - 50 * (7 - number / 2))
        return float(np.mean([near(tuple(pixel), series[0]) for pixel in pixels[y, 400:740]]))

    assert share(0) > 0.95
    # Seven of eleven pixels.
    assert 0.5 < share(len(series)) < 0.75


def test_the_legend_says_what_near_means_and_how_many_papers_there_are():
    texts = {one.text for one in tree(Scene(Ground.RELIEF, layers=(veil("#ff0000", WEST),))).iter(f"{SVG}text")}
    assert {"60 papers", "Near means alike. The axes mean nothing."} <= texts
    assert any(text.startswith("sea: ") for text in texts)
    assert any(text.startswith("JWST: as many to 8 times") for text in texts)


def test_on_a_narrow_picture_the_legend_lies_under_the_map():
    scene = Scene(Ground.RELIEF, layers=(veil("#ff0000", WEST),))
    found = tree(scene, 390, 600)
    texts = {one.text: float(one.get("y")) for one in found.iter(f"{SVG}text")}
    assert texts["galaxies"] < min(y for text, y in texts.items() if text.startswith(("sea", "60 papers")))
    colours = COLOURS[scene.ground, scene.palette]
    assert near(opened(scene, 390, 600).getpixel((385, 595)), colours.halo, 5)


def test_names_can_be_left_out():
    texts = {one.text for one in tree(Scene(shows_labels=False)).iter(f"{SVG}text")}
    assert not texts & {"galaxies", "planets"}
    assert {"galaxies", "planets"} <= {one.text for one in tree(Scene()).iter(f"{SVG}text")}


def test_markup_in_titles_stays_text():
    dot = Dot(0, *WEST, HOSTILE, None, 1)
    layer = replace(veil("#ff0000", WEST), title=HOSTILE, marks=(Mark(*EAST, HOSTILE, "#00ff00", HOSTILE, HOSTILE),))
    found = tree(Scene(dots=(dot,), layers=(layer,)))
    assert list(found.iter(f"{SVG}script")) == []
    assert "\u202e" not in "".join(found.itertext())
    assert any("<script>alert(1)</script>" in (one.text or "") for one in found.iter(f"{SVG}title"))


def test_an_svg_asks_nothing_of_the_network():
    hrefs = [one.get("href") for one in tree(Scene(layers=(veil("#ff0000", WEST),))).iter(f"{SVG}image")]
    assert len(hrefs) == 2
    assert all(href.startswith("data:image/png;base64,") for href in hrefs)


def test_both_files_say_in_words_what_is_in_sight():
    scene = Scene(layers=(veil("#ff0000", WEST),))
    told = opened(scene).text["Description"]
    assert told.startswith("The whole map of 60 papers.")
    assert "Layer JWST: strongest near galaxies." in told
    assert tree(scene).find(f"{SVG}desc").text == told
