"""The canvas of the map in a real browser, with no app around it: what it draws, hears, tells and asks for."""

import base64
import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from pathfinder.landscape.canvas.scene_record import CanvasOptions, history_record, tiles_record
from pathfinder.landscape.data.layer import Heatmap, Layer, MapLine, Mark
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Scene
from pathfinder.landscape.drawing.viewport import effective_zoom, text_pixels
from pathfinder.types import Region
from tests.browser.canvas_page import MIDDLE, atlas, colour_at, messages_of, open_canvas, papers, point_at, view

CANVAS = ".atlas canvas"


def test_the_whole_map_is_shown_first_and_the_wheel_zooms_where_the_mouse_is(page: Page) -> None:
    open_canvas(page, Scene())
    assert view(page) == (10, 6, 0)
    page.mouse.move(10 + 120, 240)  # 180 pixels left of the middle, 6 units: x = 4
    page.mouse.wheel(0, -180)
    x, y, zoom = view(page)
    assert (x, y, zoom) == (7, 6, 1)  # 3 units left of the middle are still 180 pixels: x = 4 has stayed there


def test_dragging_moves_the_map_with_the_hand(page: Page) -> None:
    open_canvas(page, Scene(view=MapView(10, 6, 2)))
    page.mouse.move(310, 240)
    page.mouse.down()
    page.mouse.move(310 + 60, 240 - 120, steps=4)
    page.mouse.up()
    assert view(page) == pytest.approx((10 - 60 / 120, 6 - 120 / 120, 2))
    assert messages_of(page, "select") == []


def test_the_map_cannot_be_lost_from_sight(page: Page) -> None:
    open_canvas(page, Scene())
    page.evaluate("map.go({x: 1e9, y: -1e9, zoom: 99})")
    assert view(page) == (20, 0, 8)


def test_keys_move_zoom_and_show_all(page: Page) -> None:
    open_canvas(page, Scene())
    page.locator(CANVAS).focus()
    page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    assert view(page) == pytest.approx((10 + 0.15 * 10, 6, 1))
    page.keyboard.press("-")
    assert view(page)[2] == 0
    page.keyboard.press("+")
    page.keyboard.press("0")
    assert view(page) == (10, 6, 0)


def test_two_fingers_zoom(page: Page) -> None:
    open_canvas(page, Scene())
    fingers = "(name, id, x, y) => document.querySelector('canvas').dispatchEvent(new PointerEvent(name, "
    fingers += "{pointerId: id, clientX: x, clientY: y, button: 0, pointerType: 'touch', bubbles: true}))"
    page.evaluate(
        f"() => {{ const canvas = document.querySelector('canvas'); canvas.setPointerCapture = () => {{}};"
        f"const finger = {fingers}; finger('pointerdown', 1, 210, 240); finger('pointerdown', 2, 410, 240);"
        "finger('pointermove', 2, 610, 240); finger('pointerup', 1, 210, 240); finger('pointerup', 2, 610, 240) }"
    )
    assert view(page)[2] == pytest.approx(1)  # twice as far apart
    assert messages_of(page, "click") == []


def test_what_is_missing_is_asked_for_once_the_hand_rests_and_never_twice(page: Page) -> None:
    open_canvas(page, Scene(), papers() | {"n": 5000})  # of so many, others are drawn from close by
    expect(page.locator(".atlas")).to_have_attribute("data-ground", "sharp")
    page.mouse.move(*MIDDLE)
    page.mouse.wheel(0, -180)
    page.wait_for_function("told.filter(([kind]) => kind === 'want').length === 2")
    first, second = messages_of(page, "want")
    assert all(name.startswith("1/") for name in first["tiles"])  # 600 pixels across: two tiles of 300
    assert all(name.startswith("2/") for name in second["tiles"])
    assert second["box"] == pytest.approx(
        [4, 1.2, 16, 10.8], abs=0.2
    )  # of 10 x 8 that are seen, and a tenth to each side
    expect(page.locator(".atlas")).to_have_attribute("data-ground", "sharp")
    page.mouse.wheel(0, 180)
    page.wait_for_function("told.filter(([kind]) => kind === 'want').length === 3")
    assert messages_of(page, "want")[2]["tiles"] == []


def test_old_tiles_are_drawn_until_the_new_ones_come(page: Page) -> None:
    open_canvas(page, Scene(ground=Ground.RELIEF), serves=False)
    page.mouse.move(*MIDDLE)
    page.mouse.wheel(0, -180)
    view(page)
    assert page.locator(".atlas").get_attribute("data-ground") == "coarse"
    land, sea = colour_at(page, 300, 300), colour_at(page, 300, 20)  # (10, 5) of the mound at (8, 4); (10, 9.7)
    assert land[1] > land[2]  # green before blue
    assert sea[2] > sea[0]


def test_a_step_of_levels_is_no_terrace_where_no_tile_is_finer(page: Page) -> None:
    levels = np.zeros((256, 256, 3), np.uint8)
    levels[:, 128:, 0], levels[..., 1] = 240, 128  # an edge in the middle of the map
    file = io.BytesIO()
    Image.fromarray(levels).save(file, format="PNG")
    open_canvas(page, Scene(shows_labels=False), serves=False)
    page.evaluate("() => { map.map.ground.nZooms = 1; map.map.ground.tiles.clear() }")
    page.evaluate("tile => map.map.ground.add({'0/0/0': tile})", base64.b64encode(file.getvalue()).decode())
    page.evaluate("map.go({x: 10, y: 6, zoom: 4})")  # a pixel of the tile is 30 * 20 * 16 / 256 = 37.5 of the screen
    row = [tuple(colour_at(page, x, 240)) for x in range(0, 600, 5)]
    ends = {row[0], row[-1]}
    assert len(ends) == 2
    between = 5 * sum(colour not in ends for colour in row)
    assert between > 6 * 37.5  # of a blur of 3 pixels of the tile to each side; one of 6 of the screen ends within 40


def test_a_tile_that_cannot_be_read_takes_no_other_with_it(page: Page) -> None:
    open_canvas(page, Scene(ground=Ground.RELIEF), serves=False)
    page.evaluate("map.go({x: 10, y: 6, zoom: 1})")
    page.evaluate("map.take({tiles: {...tiles, '2/0/0': '?', '2/1/1': btoa('no picture')}})")
    page.wait_for_function("map.map.ground.tiles.size === Object.keys(tiles).length - 2")


def test_a_large_screen_asks_for_the_rest_of_its_tiles_as_soon_as_the_first_have_come(page: Page) -> None:
    open_canvas(page, Scene())
    expect(page.locator(".atlas")).to_have_attribute("data-ground", "sharp")
    before = len(messages_of(page, "want"))
    names = [f"3/{column}/{line}" for line in range(8) for column in range(8)]
    page.evaluate("more => Object.assign(tiles, more)", tiles_record(atlas(), names))
    # What is asked for only after patience never is.
    page.evaluate("const real = setTimeout; window.setTimeout = (call, ms) => ms < 5000 ? real(call, ms) : 0")
    page.evaluate("document.body.style.width = '600px'")  # it grows in both directions at once
    page.set_viewport_size({"width": 1720, "height": 1620})  # tiles of 212 pixels, eight by eight
    page.evaluate("document.body.style = '--atlas-height: 1600px'")
    page.wait_for_function("n => told.filter(([kind]) => kind === 'want').length >= n + 2", arg=before)
    expect(page.locator(".atlas")).to_have_attribute("data-ground", "sharp")
    requests = [value["tiles"] for value in messages_of(page, "want")[before:] if value["tiles"]]
    assert [len(tiles) for tiles in requests] == [48, 16]
    assert {*requests[0], *requests[1]} == set(names)


def test_each_ground_takes_its_colours_from_the_same_tiles(page: Page) -> None:
    open_canvas(page, Scene(ground=Ground.DENSITY))
    expect(page.locator(".atlas")).to_have_attribute("data-ground", "sharp")
    assert colour_at(page, 590, 10) == [13, 21, 36]  # #0d1524: no paper
    open_canvas(page, Scene(ground=Ground.RELIEF))
    expect(page.locator(".atlas")).to_have_attribute("data-ground", "sharp")
    assert colour_at(page, 590, 10) == [35, 82, 124]  # #23527c: deep sea


def test_a_server_that_does_not_exist_is_not_asked(page: Page) -> None:
    open_canvas(page, Scene(), options=CanvasOptions(has_server=False, can_select=False))
    page.mouse.move(*MIDDLE)
    page.mouse.wheel(0, -180)
    page.wait_for_function("told.some(([kind]) => kind === 'view')")
    assert messages_of(page, "want") == []
    expect(page.get_by_role("button", name="Draw a box")).to_have_count(0)


def test_what_is_pointed_at_says_title_and_year_as_text(page: Page) -> None:
    dot = Dot(7, 5.0, 9.0, "Of <b>stars</b> & dust", 1999, 1, True)
    open_canvas(page, Scene(dots=(dot,)), papers((15.0, 6.0), years=(None,)))
    point_at(page, 5, 9)
    card = page.locator(".atlas-card")
    expect(card).to_contain_text("Of <b>stars</b> & dust")
    expect(card).to_contain_text("number 1 · 1999 · outlier in subject")
    point_at(page, 15, 6)
    expect(card).to_contain_text("Paper 0year unknown")
    point_at(page, 15, 4)
    expect(card).to_be_hidden()


def test_a_click_tells_the_paper_and_a_click_beside_it_tells_the_place(page: Page) -> None:
    open_canvas(page, Scene(), papers((15.0, 6.0)))
    page.mouse.click(10 + 452, 241)
    page.mouse.click(10 + 150, 150)
    hit, miss = messages_of(page, "click")
    assert hit == {"row": 0, "text": "Paper 0", "x": 15, "y": 6}
    assert miss == {"row": None, "text": None, "x": 5, "y": 9}


def test_the_paper_nearest_the_middle_opens_with_enter(page: Page) -> None:
    open_canvas(page, Scene(), papers((15.0, 6.0), (11.0, 6.0)))
    page.locator(CANVAS).focus()
    page.keyboard.press("Enter")
    assert messages_of(page, "click")[0]["row"] == 1
    expect(page.locator(".atlas-said")).to_have_text("Paper 1, 2000")


def test_a_box_is_told_by_its_corners(page: Page) -> None:
    open_canvas(page, Scene())
    page.get_by_role("button", name="Draw a box").click()
    page.mouse.move(10 + 150, 150)
    page.mouse.down()
    page.mouse.move(10 + 300, 210, steps=5)
    page.mouse.up()
    assert messages_of(page, "select") == [[[5, 9], [10, 9], [10, 7], [5, 7]]]
    expect(page.get_by_role("button", name="Move the map")).to_have_attribute("aria-pressed", "true")


def test_a_lasso_is_told_with_at_most_100_corners_and_a_slip_of_the_hand_is_not(page: Page) -> None:
    open_canvas(page, Scene())
    page.locator(CANVAS).focus()
    page.keyboard.press("l")
    page.mouse.move(310, 240)
    page.mouse.down()
    page.mouse.move(316, 244)
    page.mouse.up()
    assert messages_of(page, "select") == []
    page.keyboard.press("l")
    turn = np.linspace(0, 2 * np.pi, 400)
    page.mouse.move(310 + 200, 240)
    page.mouse.down()
    for angle in turn:
        page.mouse.move(310 + 200 * np.cos(angle), 240 + 200 * np.sin(angle))
    page.mouse.up()
    (corners,) = messages_of(page, "select")
    assert 50 < len(corners) <= 100
    assert max(np.hypot(x - 10, y - 6) for x, y in corners) == pytest.approx(200 / 30, abs=0.1)


def test_a_region_is_taken_from_the_view_and_dropped_by_keys(page: Page) -> None:
    open_canvas(page, Scene(region=Region.box(4, 4, 6, 6)))
    page.locator(CANVAS).focus()
    page.keyboard.press("v")
    page.keyboard.press("Escape")
    corners, dropped = messages_of(page, "select")
    assert corners == [[0, -2], [20, -2], [20, 14], [0, 14]]
    assert dropped is None


def test_a_scene_that_comes_later_keeps_the_view_unless_it_asks_for_another(page: Page) -> None:
    open_canvas(page, Scene())
    page.evaluate("map.go({x: 4, y: 8, zoom: 3})")
    page.evaluate("map.take({layers: [], dots: [], view_number: map.map.scene.view_number})")
    assert view(page) == (4, 8, 3)
    page.evaluate("map.take({view: {x: 14, y: 7, zoom: 1}, view_number: 'another'})")
    assert view(page) == (14, 7, 1)


def test_names_never_overlap_and_more_come_with_the_zoom(page: Page) -> None:
    open_canvas(page, Scene())
    overlap = """() => map.map.names.some((a, i) => map.map.names.some((b, j) => i < j && a.box.left < b.box.right
        && b.box.left < a.box.right && a.box.top < b.box.bottom && b.box.top < a.box.bottom))"""
    names = []
    for zoom in (0, 1, 2, 3, 4):
        page.evaluate("zoom => map.go({x: 4.2, y: 8.1, zoom})", zoom)
        view(page)
        names.append(page.evaluate("map.map.names.map((name) => name.text)"))
        assert not page.evaluate(overlap)
    assert names[0] == ["galaxies", "stars", "planets"]
    assert "white dwarfs" in names[-1]


@pytest.mark.parametrize("zoom", [0, 3, 6])
def test_names_grow_with_the_zoom_as_they_do_in_a_picture(page: Page, zoom: float) -> None:
    open_canvas(page, Scene(view=MapView(4, 8, zoom)))
    view(page)
    names = page.evaluate("map.map.names.map(({level, size}) => [level, size])")
    square = 30 * 20 * 2**zoom  # pixels of the side of the map
    assert names
    assert [size for _, size in names] == pytest.approx(
        [text_pixels(level, effective_zoom(square)) for level, _ in names]
    )


def test_veils_lines_and_marks_are_drawn_where_they_lie(page: Page) -> None:
    grid = atlas().grid
    values = np.full((grid.n_rows, grid.n_columns), np.nan)
    values[:, grid.n_columns // 2 :] = 1.0  # the right half
    layer = Layer(
        "mission:made-up",
        "Made up",
        "says",
        heatmaps=(Heatmap(grid, values, "#ff0000", "Made up"),),
        lines=(MapLine(np.array([[1, 1], [9, 1]], np.float32), "#00ff00"),),
        marks=(Mark(3.0, 11.0, "<i>A gap</i>", "#0000ff", "gap", "1"),),
    )
    open_canvas(page, Scene(layers=(layer,), shows_labels=False))
    expect(page.locator(".atlas")).to_have_attribute("data-ground", "sharp")
    left, right = colour_at(page, 30 * 1, 240), colour_at(page, 30 * 18, 240)
    assert right[0] > 180 > left[0]
    assert colour_at(page, 30 * 5, 60 + 30 * 11)[1] > 200  # (5, 1): the line
    page.mouse.move(10 + 90, 90)  # (3, 11)
    expect(page.locator(".atlas-card")).to_contain_text("<i>A gap</i>")


def test_years_are_chosen_and_played_without_the_server(page: Page) -> None:
    places = np.array([[4, 8], [14, 7]], np.float32)
    years = np.array([1990.0, 2000.0])
    history = history_record(places, years, atlas().grid)
    open_canvas(page, Scene(), papers((4, 8), (14, 7), years=(1990, 2000)), history=history)
    expect(page.locator(".atlas")).to_have_attribute("data-ground", "sharp")  # what it wanted first has come
    expect(page.locator(".atlas-years output")).to_have_text("1990–2000")
    page.get_by_label("From year").fill("1995")
    expect(page.locator(".atlas-years output")).to_have_text("1995–2000")
    assert messages_of(page, "years") == [[1995, 2000]]
    page.wait_for_function("told.filter(([kind]) => kind === 'want').length === 2")  # papers of these years
    screen = "([x, y]) => map.map.frame.toScreen(x, y)"
    x, y = page.evaluate(screen, [4, 8])
    page.mouse.move(10 + x, y)
    expect(page.locator(".atlas-card")).to_be_hidden()  # the paper of 1990 is not drawn
    x, y = page.evaluate(screen, [14, 7])
    page.mouse.move(10 + x, y)
    expect(page.locator(".atlas-card")).to_contain_text("Paper 1")
    page.evaluate(
        """() => {
            window.shown = []
            const years = document.querySelector(".atlas-years output")
            new MutationObserver(() => shown.push(years.textContent)).observe(years, {childList: true, subtree: true,
                characterData: true})
        }"""
    )
    page.get_by_role("button", name="Play the years").click()
    page.wait_for_function("shown.includes('1991–1996')")
    assert page.evaluate("shown.slice(0, 2)") == ["1990–1995", "1991–1996"]  # from the first year on, as wide as chosen
    assert messages_of(page, "years") == [[1995, 2000]]
    assert len(messages_of(page, "want")) == 2  # the server hears of it when the play ends
    page.get_by_role("button", name="Play the years").click()
    ended = messages_of(page, "years")[1:]
    assert [f"{first}–{last}" for first, last in ended] == [page.locator(".atlas-years output").inner_text()]


def test_counts_that_are_read_late_do_not_replace_later_ones(page: Page) -> None:
    open_canvas(page, Scene(), serves=False)  # an answer would bring the scene's own years again
    places = np.array([[4, 8], [14, 7]], np.float32)
    early, late = (history_record(places, np.array([year, 2000.0]), atlas().grid) for year in (1980, 1990))
    page.evaluate(
        """([early, late]) => {
            const read = Response.prototype.arrayBuffer;
            const held = new Promise((resolve) => { window.release = resolve; });
            Response.prototype.arrayBuffer = async function () { await held; return read.call(this); };
            window.reading = map.map.years.load(early);
            Response.prototype.arrayBuffer = read;
            return map.map.years.load(late);
        }""",
        [early, late],
    )
    page.evaluate("async () => { release(); await reading; }")
    assert page.evaluate("map.map.years.history.first") == 1990


def test_the_canvas_lets_go_of_all_it_held(page: Page) -> None:
    open_canvas(page, Scene())
    page.evaluate("map.end()")
    expect(page.locator(".atlas")).to_have_count(0)
    page.evaluate("window.dispatchEvent(new Event('resize'))")
