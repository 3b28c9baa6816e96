"""What a visitor does on the page of the world, in a real browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.source import IDLE_SECONDS
from pathfinder.landscape.drawing.scene import Ground, MapView, Scene
from pathfinder.landscape.drawing.viewport import fit_viewport, whole_map
from pathfinder.landscape.naming.descriptions import summary
from pathfinder.ui.world.world_page import SIZE
from tests.browser.conftest import download, eventually
from tests.browser.test_ask import nothing_sticks_out
from tests.browser.test_map import canvas, view

CARD = ".st-key-world-card"
WORDS = ".words"
WHOLE = re.compile(r",0$")
"""The view of a canvas at zoom 0."""
CORNER = "canvas => [...canvas.getContext('2d').getImageData(5, 5, 1, 1).data].slice(0, 3)"
LARGE = 44
"""Pixels that a finger hits."""


def start(page: Page, address: str, query: str = "") -> None:
    page.goto(f"{address}/world{query}")
    canvas(page)
    expect(page.locator(WORDS)).not_to_be_empty()


def corner(page: Page) -> list[int]:
    """Red, green and blue of the sea in the corner of the canvas."""
    pixel: list[int] = canvas(page).evaluate(CORNER)
    return pixel


def test_a_surprise_goes_somewhere_and_tells_of_a_paper_there(page: Page, app: str) -> None:
    start(page, app)
    expect(page.locator(WORDS)).to_contain_text("The whole map of 33 papers.")
    page.get_by_role("button", name="Surprise me").click()
    expect(page.locator(CARD)).to_contain_text(re.compile("Published in|Year of publication"))
    page.wait_for_url(re.compile("paper=.*view=|view=.*paper="))
    expect(page.locator(WORDS)).to_contain_text("Part of the map, with ")
    expect(page.locator(".atlas")).not_to_have_attribute("data-view", WHOLE)  # it went to the paper
    expect(page.locator(f"{CARD} a")).to_have_count(1)  # its own page, and none in its text

    canvas(page)
    here, card = page.url, page.locator(CARD).inner_text()
    page.goto("about:blank")
    page.goto(here)
    canvas(page)
    expect(page.locator(CARD)).to_have_text(card, use_inner_text=True)
    canvas(page)
    page.get_by_role("button", name="Close").click()
    expect(page.locator(CARD)).to_have_count(0)


def test_a_mission_is_switched_on_with_its_legend_and_the_view_stays(page: Page, app: str) -> None:
    start(page, app)
    page.get_by_role("button", name="Zoom in (+)").click()
    page.wait_for_url(re.compile("view="))
    expect(page.locator(WORDS)).to_contain_text("Part of the map, with ")  # a late report has the old address
    canvas(page)
    before = view(page)
    page.get_by_role("button", name="Hubble Space Telescope (3)").click()
    page.wait_for_url(re.compile("layer=mission"))
    expect(page.get_by_text("science from that year").first).to_be_visible()
    expect(page.locator(WORDS)).to_contain_text("Layer Hubble Space Telescope: ")
    canvas(page)
    assert view(page) == before


def test_a_link_that_opens_a_server_keeps_all_its_layers(
    page: Page, serve_alone: Callable[[Path], str], golden_corpus: Path
) -> None:
    start(page, serve_alone(golden_corpus), "?layer=mission:hubble&layer=mission:sdss")
    expect(page.locator(WORDS)).to_contain_text("Layer Hubble Space Telescope: ")
    expect(page.locator(WORDS)).to_contain_text("Layer Sloan Digital Sky Survey: ")


def test_the_colours_change_and_the_link_keeps_them(page: Page, app: str) -> None:
    start(page, app)
    sea = corner(page)
    page.get_by_role("radio", name="High contrast").or_(page.get_by_role("button", name="High contrast")).click()
    page.wait_for_url(re.compile("palette=contrast"))
    assert sea != [0, 0, 0]
    eventually(page, lambda: corner(page), lambda colour: colour == [0, 0, 0])


def test_keys_alone_move_the_world_and_are_answered_in_words(page: Page, app: str) -> None:
    start(page, app)
    page.locator(".atlas canvas").focus()
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(page.locator(WORDS)).to_contain_text("Part of the map")
    assert page.locator(WORDS).get_attribute("aria-live") == "polite"
    page.keyboard.press("0")
    expect(page.locator(WORDS)).to_contain_text("The whole map")


def test_the_words_are_of_what_the_canvas_of_this_screen_shows(page: Page, app: str, golden_corpus: Path) -> None:
    golden = Pathfinder.open(golden_corpus).drawn_map
    middle = whole_map(golden.extent)
    here = MapView.read(f"{middle.x:.3f},{middle.y:.3f},0.75")
    scene = Scene(Ground.RELIEF, view=here)
    page.set_viewport_size({"width": 390, "height": 844})
    start(page, app, f"?view={here.x:.3f},{here.y:.3f},0.75")
    width, height = canvas(page).evaluate("canvas => [canvas.clientWidth, canvas.clientHeight]")
    viewports = (fit_viewport(golden.extent, here, *size) for size in ((width, height), SIZE))
    narrow, wide = (summary(scene, golden, seen) for seen in viewports)
    assert narrow != wide
    expect(page.locator(WORDS)).to_have_text(narrow)


def test_a_papers_markup_stays_text(page: Page, app: str) -> None:
    start(page, app, "?paper=hostile")
    expect(page.locator(CARD)).to_contain_text("<svg/onload=document.title='broken'>")
    assert page.locator(f"{CARD} :is(script, img, iframe)").count() == 0
    assert page.locator(f"{CARD} a").all_inner_texts() == page.get_by_role("link", name="Open").all_inner_texts()
    assert page.title() != "broken"


def test_the_world_is_saved_as_it_is_on_screen(page: Page, app: str) -> None:
    start(page, app)
    page.get_by_role("button", name="Save the map").click()
    for name, suffix, begin in (("Picture (PNG)", "png", b"\x89PNG"), ("Drawing (SVG)", "svg", b"<svg")):
        saved = download(page.get_by_role("button", name=name), f".{suffix}")
        assert saved.path().read_bytes().startswith(begin)


@pytest.mark.parametrize("query", ["", "?kiosk=1"])
def test_on_a_phone_nothing_sticks_out(page: Page, app: str, query: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    start(page, app, query)
    page.get_by_role("button", name="Surprise me").click()
    expect(page.locator(CARD)).to_be_visible()
    nothing_sticks_out(page, 390)


def ground(page: Page) -> str:
    """All that is drawn now, as a picture."""
    canvas(page)
    return picture(page)


def picture(page: Page) -> str:
    return str(page.locator(".atlas canvas").evaluate("canvas => canvas.toDataURL()"))


def until_it_differs(page: Page, before: str) -> str:
    """What is drawn as soon as it is not what it was."""
    return eventually(page, lambda: picture(page), lambda now: now != before)


def test_the_years_that_are_chosen_change_what_is_drawn_and_the_link_keeps_them(page: Page, app: str) -> None:
    start(page, app)
    everything = ground(page)
    page.get_by_label("From year").fill("2015")
    page.wait_for_url(re.compile("years=2015-"))
    until_it_differs(page, everything)
    years = page.locator(".atlas-years output").inner_text()
    assert re.fullmatch("2015–[0-9]{4}", years)
    expect(page.locator(WORDS)).to_contain_text("2015")
    picture = ground(page)

    link = page.url
    page.goto("about:blank")
    page.goto(link)
    canvas(page)
    expect(page.locator(".atlas-years output")).to_have_text(years)
    page.get_by_label("From year").fill("1900")
    page.wait_for_url(re.compile("years="))
    until_it_differs(page, picture)


def test_the_years_are_played_one_by_one_until_the_play_is_stopped(page: Page, app: str) -> None:
    start(page, app)
    everything, years = ground(page), page.locator(".atlas-years output")
    page.get_by_role("button", name="Play the years").click()
    first = until_it_differs(page, everything)
    until_it_differs(page, first)
    expect(page.get_by_role("button", name="Play the years")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Play the years").click()
    stopped = years.inner_text()
    page.wait_for_url(re.compile(f"years={stopped.replace('–', '-')}"))
    page.wait_for_timeout(1000)  # longer than a step of the play
    expect(years).to_have_text(stopped)


# In public ------------------------------------------------------------------------------------------


def test_a_kiosk_has_no_way_out_nothing_to_type_and_large_targets(page: Page, app: str) -> None:
    start(page, app, "?kiosk=1")
    page.get_by_role("button", name="Surprise me").click()
    expect(page.locator(CARD)).to_be_visible()
    canvas(page)
    assert page.locator("a:visible[href]:not([href^='#'])").count() == 0
    assert (
        page.locator("input:visible:not([type=range]):not([type=radio]):not([type=checkbox]), textarea:visible").count()
        == 0
    )
    buttons = [box for box in (button.bounding_box() for button in page.locator("button:visible").all()) if box]
    assert len(buttons) > 6
    assert min(min(box["width"], box["height"]) for box in buttons) >= LARGE


def test_only_the_world_is_without_a_navigation_as_a_kiosk(page: Page, app: str) -> None:
    page.goto(f"{app}/about?kiosk=1")
    expect(page.get_by_role("link", name="Map", exact=True)).to_be_visible()
    start(page, app, "?kiosk=1")
    expect(page.get_by_role("link", name="Ask", exact=True)).to_have_count(0)


def test_a_kiosk_that_is_left_alone_goes_back_to_its_start(page: Page, app: str) -> None:
    page.clock.install()
    start(page, app, "?kiosk=1")
    page.get_by_role("button", name="Surprise me").click()
    expect(page.locator(CARD)).to_be_visible()
    canvas(page)
    page.get_by_role("button", name="Hubble Space Telescope (3)").click()
    page.wait_for_url(re.compile("layer="))
    canvas(page)
    page.mouse.move(400, 400)  # from here on, however long all of it took
    page.clock.fast_forward(1000 * (IDLE_SECONDS - 30))
    page.mouse.move(500, 400)
    page.clock.fast_forward(1000 * (IDLE_SECONDS - 30))
    expect(page.locator(CARD)).to_be_visible()
    page.clock.fast_forward(1000 * 31)
    expect(page.locator(CARD)).to_have_count(0)
    # A canvas of its own for whoever comes next.
    expect(page.locator(".st-key-world-canvas-1 .atlas")).to_have_attribute("data-view", WHOLE)
    expect(page.locator(".atlas")).to_have_count(1)
    assert re.fullmatch(r".*/map\?kiosk=1&look=public", page.url)
