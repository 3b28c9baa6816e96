import io
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.text import Text
from PIL import Image, ImageColor

from pathfinder.errors import UsageError
from pathfinder.landscape.data.landscape import Label
from pathfinder.landscape.data.layer import Heatmap, Layer, MapLine, Mark
from pathfinder.landscape.drawing.palettes import COLOURS, HEIGHT, SHADE, lookup
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Palette, Scene
from pathfinder.landscape.drawing.viewport import fit_viewport
from pathfinder.landscape.picture_files.figure_text import HALO
from pathfinder.landscape.picture_files.map_figure import channels, direction, draw_figure, ground
from pathfinder.landscape.picture_files.pictures import draw_png, draw_svg
from pathfinder.types import Region
from tests.landscape.planted_map import EAST, EXTENT, WEST, atlas, map_data

MAP_DATA = map_data()
SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '\u202e<script>alert(1)</script> & "quoted" \x00\ufffe'


def open_picture(scene: Scene, width: int = 800, height: int = 400) -> Image.Image:
    with Image.open(io.BytesIO(draw_png(scene, MAP_DATA, width, height))) as picture:
        picture.load()
        return picture


def tree(scene: Scene, width: int = 800, height: int = 400) -> ElementTree.Element:
    return ElementTree.fromstring(draw_svg(scene, MAP_DATA, width, height))


def tooltips(scene: Scene) -> set[str]:
    return {title.text or "" for title in tree(scene).iter(f"{SVG}title")}


def texts(scene: Scene, width: int = 800, height: int = 400) -> dict[str, float]:
    """Each text of an SVG with the height at which it stands, from the top."""
    return {text.text or "": float(text.get("y", 0)) for text in tree(scene, width, height).iter(f"{SVG}text")}


def veil(colour: str, at: tuple[float, float]) -> Layer:
    """A layer whose only cell lies at a place."""
    grid = MAP_DATA.atlas.grid
    values = np.full(grid.n_cells, np.nan)
    cell = int(grid.cell_of(np.array([at], dtype=np.float32))[0])
    # Its neighbours, too: a veil is smooth.
    for line in (-1, 0, 1):
        values[[cell + line * grid.n_columns + step for step in (-1, 0, 1)]] = 1.0
    cells = Heatmap(grid, values.reshape(grid.n_rows, grid.n_columns), colour, "JWST", "as many", "8 times as many")
    return Layer("mission:jwst", "JWST", "", (cells,))


def near(pixel: tuple[int, ...], colour: str, within: float = 80) -> bool:
    return bool(np.abs(np.array(pixel[:3]) - ImageColor.getrgb(colour)).sum() < within)


@pytest.mark.parametrize("size", [(100, 400), (800, 9000)])
def test_a_size_that_no_picture_has_is_refused(size):
    for draw in (draw_png, draw_svg):
        with pytest.raises(UsageError, match="of a picture must be"):
            draw(Scene(), MAP_DATA, *size)


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("ground", Ground)
def test_the_same_scene_gives_the_same_bytes(ground, palette):
    scene = Scene(ground, palette, layers=(veil("#ff0000", WEST),))
    assert draw_png(scene, MAP_DATA, 400, 300) == draw_png(scene, MAP_DATA, 400, 300)
    assert draw_svg(scene, MAP_DATA, 400, 300) == draw_svg(scene, MAP_DATA, 400, 300)


def test_the_picture_has_the_ground_and_the_size_that_was_asked_for():
    picture = open_picture(Scene(Ground.RELIEF, shows_labels=False))
    table = lookup(COLOURS[Ground.RELIEF, Palette.STANDARD])
    assert picture.size == (800, 400)
    assert near(picture.getpixel((400, 20)), "#{:02x}{:02x}{:02x}".format(*table[0]))
    assert near(picture.getpixel((200, 200)), "#{:02x}{:02x}{:02x}".format(*table[255]))


def test_a_veil_lies_where_its_cells_are_and_nowhere_else():
    plain, veiled = (
        np.asarray(open_picture(Scene(layers=layers, shows_labels=False)), dtype=int)
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
    picture = open_picture(scene)
    assert near(picture.getpixel((206, 200)), colours.dot)
    assert near(picture.getpixel((606, 200)), colours.outlier)
    assert {"Found (2001)", "Apart (2002)"} <= tooltips(scene)
    assert {"1", "2"} <= set(texts(scene))


def points(scene: Scene) -> list[ElementTree.Element]:
    return tree(scene).findall(f".//*[@id='points']//{SVG}use")


def test_papers_of_the_chosen_years_are_points():
    # Papers 0 to 39 are of 1990 to 2029, 40 to 59 of 2000 to 2019: five years hold ten papers.
    scene = Scene(years=(2000, 2004), shows_labels=False)
    assert len(points(scene)) == 10
    assert "paper of 2000 to 2004" in texts(scene)


def test_from_close_by_single_papers_are_points_without_being_asked_for():
    assert [len(points(Scene(view=MapView(*EAST, zoom)))) for zoom in (0.0, 3.0)] == [0, 20]


def test_a_region_a_path_and_marks_are_drawn():
    mark = Mark(*EAST, "A review (2020)", "#00ff00", "review", "1", 41)
    line = MapLine(np.array([WEST, EAST], dtype=np.float32), "#ff00ff", "Riess, A", is_path=True)
    layer = Layer("authors", "Path", "", lines=(line,), marks=(mark,))
    scene = Scene(layers=(layer,), region=Region.box(1.0, 1.0, 3.0, 3.0))
    assert {"A review (2020)", "Riess, A", "chosen region"} <= tooltips(scene)
    assert {"1", "Riess, A", "review", "chosen region"} <= set(texts(scene))


def test_lines_of_one_colour_are_dashed_alike_in_both_files_and_in_their_legends():
    series = COLOURS[Ground.RELIEF, Palette.STANDARD].series
    ends = np.array([(0.5, 7.0), (15.5, 7.0)], dtype=np.float32)
    lines = tuple(MapLine(ends - [0, i / 2], f"#00000{i}", f"topic {i}") for i in range(len(series) + 1))
    scene = Scene(Ground.RELIEF, layers=(Layer("topics", "Topics", "", lines=lines),), shows_labels=False)
    styles = [path.get("style", "") for path in tree(scene).iter(f"{SVG}path")]
    dashed_styles = [style for style in styles if f"stroke: {series[0]}" in style]
    # The first and the last on the map, then in the legend.
    assert ["stroke-dasharray: 7,4" in style for style in dashed_styles] == [False, True, False, True]
    pixels = np.asarray(open_picture(scene), dtype=int)

    def share(number: int) -> float:
        y = round(400 - 50 * (7 - number / 2))
        return float(np.mean([near(tuple(pixel), series[0]) for pixel in pixels[y, 400:740]]))

    assert share(0) > 0.95
    # Seven of eleven pixels.
    assert 0.5 < share(len(series)) < 0.75


def test_the_legend_says_what_near_means_and_how_many_papers_there_are():
    words = texts(Scene(Ground.RELIEF, layers=(veil("#ff0000", WEST),)))
    assert {"60 papers", "Nearby papers are similar. The axes mean nothing."} <= set(words)
    assert any(text.startswith("sea: ") for text in words)
    assert any(text.startswith("JWST: as many to 8 times") for text in words)


def test_on_a_narrow_picture_the_legend_lies_under_the_map():
    scene = Scene(Ground.RELIEF, layers=(veil("#ff0000", WEST),))
    heights = texts(scene, 390, 600)
    assert heights["galaxies"] < min(y for text, y in heights.items() if text.startswith(("sea", "60 papers")))
    colours = COLOURS[scene.ground, scene.palette]
    assert near(open_picture(scene, 390, 600).getpixel((385, 595)), colours.halo, 5)


def test_names_can_be_left_out():
    assert not set(texts(Scene(shows_labels=False))) & {"galaxies", "planets"}
    assert {"galaxies", "planets"} <= set(texts(Scene()))


def test_markup_in_titles_stays_text():
    dot = Dot(0, *WEST, HOSTILE, None, 1)
    layer = replace(veil("#ff0000", WEST), title=HOSTILE, marks=(Mark(*EAST, HOSTILE, "#00ff00", HOSTILE, HOSTILE),))
    scene = Scene(dots=(dot,), layers=(layer,))
    root = tree(scene)
    assert list(root.iter(f"{SVG}script")) == []
    assert "\u202e" not in "".join(root.itertext())
    assert any("<script>alert(1)</script>" in text for text in tooltips(scene))
    assert any("<script>alert(1)</script>" in text for text in texts(scene))
    open_picture(scene)


@pytest.mark.parametrize(
    "text", ["$x^$ costs $5", "_nolegend_", "%s {0}", "H\u03b1 and \u03a9", "\u661f \u2728", "\ud800"]
)
def test_any_title_is_drawn_as_it_is_written_and_letters_without_a_shape_as_a_question_mark(text):
    layer = replace(veil("#ff0000", WEST), marks=(Mark(*EAST, text, "#00ff00", text, text),))
    expected = {"\u661f \u2728": "? ?", "\ud800": ""}.get(text, text)
    scene = Scene(layers=(layer,))
    open_picture(scene)
    assert [written for written in texts(scene) if written == expected] == [expected] * bool(expected)


def test_an_svg_asks_nothing_of_the_network():
    images = tree(Scene(layers=(veil("#ff0000", WEST),))).iter(f"{SVG}image")
    hrefs = [image.get("{http://www.w3.org/1999/xlink}href") for image in images]
    assert len(hrefs) == 2
    assert all(href.startswith("data:image/png;base64,") for href in hrefs)


def test_both_files_describe_what_is_in_view():
    scene = Scene(layers=(veil("#ff0000", WEST),))
    description = open_picture(scene).text["Description"]
    assert description.startswith("The whole map of 60 papers.")
    assert "Layer JWST: strongest near galaxies." in description
    assert tree(scene).find(f"{SVG}desc").text == description


def height_at(view: MapView, x: float, y: float, width: int = 400, height: int = 200) -> float:
    """What the picture shows at a place of the map, [0, 1]."""
    viewport = fit_viewport(EXTENT, view, width, height)
    ((column, line),) = viewport.pixels(np.array([[x, y]]))
    return float(channels(atlas(), viewport)[int(line), int(column), HEIGHT]) / 255


@pytest.mark.parametrize("zoom", [0.0, 1.0, 2.5, 4.0, 6.0])
@pytest.mark.parametrize("middle", [WEST, EAST])
def test_what_is_drawn_at_a_place_is_what_the_tiles_have_there(zoom, middle):
    x, y = middle
    view = MapView(x, y, zoom)
    # The land falls by a third with every unit; a quarter of what is seen away from the top is still in sight.
    away = 4.0 / 2**zoom
    assert height_at(view, x, y) == pytest.approx(1.0, abs=0.03)
    assert height_at(view, x + away * 0.45, y) == pytest.approx(max(1 - away * 0.15, 0), abs=0.03)


def test_beyond_the_tiles_there_is_nobody():
    viewport = fit_viewport(EXTENT, MapView(0.0, 4.0, 0.0), 400, 200)
    picture = channels(atlas(), viewport)
    # The left half lies beyond the map's square, whose left edge is at x = 0.
    assert (picture[:, :199, HEIGHT] == 0).all()
    assert (picture[:, :199, SHADE] == 128).all()
    assert picture[100, 300, HEIGHT] > 200


def test_a_view_of_nothing_but_sea_is_drawn():
    viewport = fit_viewport(EXTENT, MapView(500.0, 500.0, 3.0), 300, 200)
    assert (channels(atlas(), viewport)[..., HEIGHT] == 0).all()


def test_the_ground_is_painted_with_the_table():
    colours = COLOURS[Ground.RELIEF, Palette.STANDARD]
    picture = ground(atlas(), fit_viewport(EXTENT, None, 400, 200), colours)
    assert picture.shape == (200, 400, 3)
    assert tuple(picture[100, 200]) == tuple(lookup(colours)[0])


WORLD = Scene(Ground.RELIEF)


def shown_names(scene: Scene = WORLD, width: int = 1000, height: int = 600, **more: object) -> list[Text]:
    """The names of places that a figure shows."""
    figure, _ = draw_figure(scene, map_data(**more), width, height)  # type: ignore[arg-type]
    return [text for text in figure.findobj(Text) if text.get_gid() == HALO]


def names_in(scene: Scene = WORLD, **more: object) -> list[str]:
    return [text.get_text() for text in shown_names(scene, **more)]  # type: ignore[arg-type]


def test_continents_are_named_at_once_and_countries_from_closer_by():
    assert names_in() == ["galaxies", "planets"]
    assert names_in(replace(WORLD, view=MapView(*EAST, 2.0))) == ["planets", "hot jupiters"]


def test_of_two_names_in_one_place_the_larger_is_shown():
    here = (Label(*WEST, "small", 1, -2.0, 3), Label(*WEST, "large", 1, -2.0, 30))
    assert names_in(labels=here) == ["large"]


def test_a_name_that_would_be_cut_by_the_edge_is_left_out():
    assert names_in(labels=(Label(0.01, 4.0, "a long name at the edge", 1, -2.0, 3),)) == []


def test_no_name_lies_on_a_paper_found_on_the_label_of_a_mark_or_on_the_legend():
    dot = Dot(0, *WEST, "Found", 2001, 1)
    assert names_in(replace(WORLD, dots=(dot,))) == ["planets"]
    marked = Layer("gaps", "Gaps", "", marks=(Mark(WEST[0] - 0.3, WEST[1], "", "#ff0000", "", "a label"),))
    assert names_in(replace(WORLD, layers=(marked,))) == ["a label", "planets"]
    assert names_in(labels=(Label(1.0, EXTENT.bottom, "a name", 1, -2.0, 3),)) == []


def test_a_name_may_lie_on_a_mark():
    marked = Layer("gaps", "Gaps", "", marks=(Mark(*WEST, "", "#ff0000"),))
    assert names_in(replace(WORLD, layers=(marked,))) == ["galaxies", "planets"]


def test_a_name_has_a_plate_where_the_palette_asks_for_one():
    for palette, has_plate in ((Palette.STANDARD, False), (Palette.CONTRAST, True)):
        for name in shown_names(replace(WORLD, palette=palette)):
            assert (name.get_bbox_patch() is not None) is has_plate


@settings(max_examples=8, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0, 16), st.floats(0, 8), st.sampled_from([1, 2, 3])), max_size=25),
    st.floats(0, 5),
)
def test_no_two_names_overlap_wherever_they_are(places, zoom):
    labels = tuple(Label(x, y, f"a name {i}", level, -2.0, i) for i, (x, y, level) in enumerate(places))
    visible_names = shown_names(replace(WORLD, view=MapView(8.0, 4.0, zoom)), 800, 600, labels=labels)
    boxes = [name.get_window_extent() for name in visible_names]
    assert not any(box.fully_overlaps(other) for i, box in enumerate(boxes) for other in boxes[:i])


@pytest.mark.parametrize(
    ("path", "degrees"),
    [([(0, 0), (1, 1)], 45), ([(0, 0), (0, 1), (0, 1)], 90), ([(1, 1)], 0), ([(1, 1), (1, 1)], 0)],
)
def test_the_arrow_of_a_path_points_where_it_arrives_and_to_the_right_where_it_stays_in_one_place(path, degrees):
    assert np.degrees(direction(np.array(path, dtype=np.float64))) == pytest.approx(degrees)
