"""The papers found, in a list beside the canvas: each lights the other, with no app and no server around them."""

import pytest
from playwright.sync_api import Locator, Page, expect

from pathfinder.landscape.drawing.palettes import COLOURS
from pathfinder.landscape.drawing.scene import Dot, Ground, MapView, Palette, Scene
from tests.browser.canvas_page import colour_at, messages_of, open_canvas, papers, point_at, view

HOSTILE = "<img src=x onerror=\"document.title='broken'\"> [Masers](http://x.y) $10"
DOTS = (
    Dot(7, 5.0, 9.0, "Of stars", 1999, 1, False),
    Dot(3, 12.0, 4.0, HOSTILE, None, 2, True),
    Dot(9, 16.0, 10.0, "Of dust", 2010, 3, False),
)


def open_canvas_list(page: Page, *, width: int = 1000, **scene: object) -> Locator:
    """The lines of the list beside a map with three papers found."""
    page.set_viewport_size({"width": width, "height": 700})
    open_canvas(page, Scene(**{"dots": DOTS, "shows_labels": False} | scene))
    page.set_viewport_size({"width": width, "height": 700})
    page.wait_for_function("() => { const {frame, stage} = map.map; return frame.width === stage.clientWidth }")
    view(page)
    return page.locator(".atlas-hits button")


def lit_line(page: Page) -> list[str]:
    """The numbers of the lines that are lit."""
    return page.locator(".atlas-hits .atlas-lit b").all_text_contents()


def lit_dot(page: Page) -> str:
    """The number of the dot that is lit."""
    view(page)
    return page.locator(".atlas").get_attribute("data-lit") or ""


def test_papers_are_listed_by_rank_and_their_titles_stay_text(page: Page) -> None:
    lines = open_canvas_list(page)
    assert lines.locator("b").all_text_contents() == ["1", "2", "3"]
    assert lines.locator("strong").all_text_contents() == ["Of stars", HOSTILE, "Of dust"]
    expect(lines.nth(1)).to_contain_text("year unknown · outlier in subject")
    assert page.locator(".atlas-hits :is(img, a, script)").count() == 0
    assert page.title() != "broken"


def test_a_line_that_is_pointed_at_lights_its_dot_and_nobody_is_asked(page: Page) -> None:
    lines = open_canvas_list(page)
    expect(page.locator(".atlas[data-ground=sharp]:not([data-waits])")).to_be_visible()  # it changes no more
    before = len(messages_of(page, "want"))
    dot = COLOURS[Ground.DENSITY, Palette.STANDARD].dot
    x, y = page.evaluate("map.map.frame.toScreen(5, 9)")
    beside = x + 12, y
    plain = colour_at(page, *beside)
    lines.nth(0).hover()
    assert lit_dot(page) == "1"
    assert colour_at(page, *beside) != plain  # it is larger now: of 14 pixels and not of 10
    assert "#{:02x}{:02x}{:02x}".format(*colour_at(page, *beside)) == dot
    assert lit_line(page) == ["1"]
    lines.nth(2).hover()
    assert lit_dot(page) == "3"
    assert colour_at(page, *beside) == plain
    page.mouse.move(5, 5)
    assert lit_dot(page) == ""
    assert lit_line(page) == []
    assert len(messages_of(page, "want")) == before
    assert messages_of(page, "click") == []


def test_a_dot_that_is_pointed_at_lights_its_line_and_brings_it_into_sight(page: Page) -> None:
    many = tuple(Dot(i, 1.0 + i % 10, 1.0 + i // 10, f"Paper {i}", 2000, i + 1) for i in range(50))
    open_canvas_list(page, dots=many)
    top = page.locator(".atlas-hits").bounding_box()["y"]  # type: ignore[index]
    point_at(page, many[47].x, many[47].y)
    assert lit_line(page) == ["48"]
    expect(page.locator(".atlas-hits .atlas-lit")).to_be_in_viewport(ratio=0.9)
    assert page.locator(".atlas-hits").evaluate("list => list.scrollTop") > 0
    assert page.evaluate("window.scrollY") == 0
    point_at(page, many[0].x, many[0].y)
    assert lit_line(page) == ["1"]
    assert page.locator(".atlas-hits .atlas-lit").bounding_box()["y"] >= top  # type: ignore[index]
    point_at(page, 18, 11)  # where no paper is
    assert lit_line(page) == []


def test_a_line_that_is_clicked_moves_the_map_to_its_paper_and_opens_it(page: Page) -> None:
    open_canvas_list(page).nth(2).click()
    assert view(page) == (16, 10, 3)
    assert messages_of(page, "click") == [{"row": 9, "text": "Of dust", "x": 16, "y": 10}]
    expect(page.locator(".atlas-card")).to_contain_text("Of dustnumber 3 · 2010")
    expect(page.locator(".atlas-said")).to_have_text("Of dust, number 3 · 2010")


def test_who_is_nearer_already_stays_as_near(page: Page) -> None:
    open_canvas_list(page, view=MapView(5, 9, 5.5)).nth(2).click()
    assert view(page) == (16, 10, 5.5)


def test_keys_walk_through_the_list_light_what_they_come_to_and_go_there(page: Page) -> None:
    lines = open_canvas_list(page)
    lines.nth(0).focus()
    assert lit_dot(page) == "1"
    page.keyboard.press("ArrowDown")
    assert lit_dot(page) == "2"
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")  # there is none below
    expect(lines.nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    assert view(page) == (16, 10, 3)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    assert lit_dot(page) == "1"
    page.keyboard.press("Shift+Tab")
    assert lit_dot(page) == ""


def test_a_dot_out_of_sight_is_pointed_to_from_the_edge(page: Page) -> None:
    lines = open_canvas_list(page, view=MapView(16, 10, 4))  # of the paper at (5, 9) there is nothing to be seen
    x, y = page.evaluate("[14, map.map.frame.height / 2]")
    colour = [int(COLOURS[Ground.DENSITY, Palette.STANDARD].chosen[i : i + 2], 16) for i in (1, 3, 5)]
    edge = [(x, at) for at in range(0, int(2 * y), 4)]
    assert colour not in [colour_at(page, *place) for place in edge]
    lines.nth(0).hover()
    assert colour in [colour_at(page, *place) for place in edge]


def test_a_scene_with_the_same_papers_leaves_the_list_and_the_focus_as_they_are(page: Page) -> None:
    lines = open_canvas_list(page)
    lines.nth(1).focus()
    page.evaluate("map.take(JSON.parse(JSON.stringify({...map.map.scene, layers: []})))")
    expect(lines.nth(1)).to_be_focused()
    assert lit_dot(page) == "2"
    page.evaluate("map.take({dots: map.map.scene.dots.slice(0, 1)})")
    expect(lines).to_have_count(1)
    assert lit_dot(page) == ""
    page.evaluate("map.take({dots: []})")
    expect(page.locator(".atlas-hits")).to_be_hidden()


def test_papers_without_a_rank_are_not_listed(page: Page) -> None:
    open_canvas_list(page, dots=(Dot(1, 5.0, 9.0, "Of a card"),))
    expect(page.locator(".atlas-hits")).to_be_hidden()


@pytest.mark.parametrize(("width", "is_beside"), [(1000, True), (390, False)])
def test_the_list_stands_beside_the_map_or_below_it_on_a_phone(page: Page, width: int, is_beside: bool) -> None:
    open_canvas_list(page, width=width)
    stage, hits = (page.locator(part).bounding_box() for part in (".atlas-stage", ".atlas-hits"))
    assert stage is not None
    assert hits is not None
    assert (hits["x"] >= stage["x"] + stage["width"]) == is_beside
    assert (hits["y"] >= stage["y"] + stage["height"]) == (not is_beside)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert min(stage["height"], stage["width"]) > 200


def test_a_map_that_is_sent_to_a_place_comes_into_sight_and_rings_it(page: Page) -> None:
    open_canvas_list(page)
    page.evaluate("document.body.style.paddingTop = '3000px'")
    page.evaluate("map.take({view: {x: 12, y: 7, zoom: 2}, view_number: 'another'})")
    assert view(page) == (12, 7, 2)
    expect(page.locator(".atlas canvas")).to_be_in_viewport()
    assert page.evaluate("map.map.pointing.chosen") == {"x": 12, "y": 7, "zoom": 2}
    page.evaluate("scrollTo(0, 0)")
    page.evaluate("map.take({options: {...map.map.scene.options, scrolls_into_view: false}, view_number: 'a third'})")
    expect(page.locator(".atlas canvas")).not_to_be_in_viewport()


def test_a_paper_of_the_many_is_no_line(page: Page) -> None:
    open_canvas_list(page)
    page.evaluate("points => map.take({points})", papers((10.0, 6.0)))
    point_at(page, 10, 6)
    expect(page.locator(".atlas-card")).to_contain_text("Paper 0")
    assert lit_line(page) == []
