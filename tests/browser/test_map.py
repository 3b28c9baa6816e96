"""What a researcher does on the page of the map, in a real browser."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Serve
from tests.browser.test_ask import PATIENCE_MS, QUESTION, WIDTHS, answered, box, link, open_tab, titles

WS_LIMIT = 2_000_000
"""Bytes that a page may take until it is ready."""


def canvas(page: Page) -> Locator:
    """The map, once its ground is drawn and nothing is waited for."""
    page.locator(".atlas[data-ground=sharp]:not([data-waits])").wait_for(timeout=PATIENCE_MS)
    return page.locator(".atlas canvas")


def view(page: Page) -> list[float]:
    return [float(number) for number in (page.locator(".atlas").get_attribute("data-view") or "").split(",")]


def address(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def drag(page: Page, of: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """From one place to another, each a share of the canvas's width and height."""
    box = of.bounding_box()
    assert box is not None
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=5)
    page.mouse.up()


def test_the_map_is_drawn_by_one_small_message_and_more_comes_with_the_zoom(
    page: Page, serve_app: Serve, golden_corpus: Path
) -> None:
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    page.goto(f"{serve_app(golden_corpus)}/map")
    drawn = canvas(page)
    assert 0 < sum(received) < WS_LIMIT
    before = sum(received)
    drawn.hover(position={"x": 300, "y": 300})
    page.mouse.wheel(0, -180)
    page.wait_for_url(re.compile("view="))
    canvas(page)
    assert view(page)[2] == 1
    assert sum(received) > before


def test_the_zoom_survives_a_toggle_and_a_link_opens_what_was_seen(
    page: Page, serve_app: Serve, golden_corpus: Path
) -> None:
    page.goto(f"{serve_app(golden_corpus)}/map")
    canvas(page).hover(position={"x": 300, "y": 300})
    page.mouse.wheel(0, -180)
    page.wait_for_url(re.compile("view="))
    here = view(page)
    page.get_by_text("Relief", exact=True).click()
    page.wait_for_url(re.compile("ground=relief"))
    page.get_by_text("Play the years", exact=True).click()
    expect(page.get_by_label("From year")).to_be_visible(timeout=PATIENCE_MS)
    assert view(page) == here
    assert page.evaluate("history.length") < 6  # moving the map makes no step of the browser's history

    link = page.url
    page.goto("about:blank")
    page.goto(link)
    canvas(page)
    expect(page.get_by_label("From year")).to_be_visible()
    assert [round(number, 2) for number in view(page)] == [round(number, 2) for number in here]
    assert address(page)["ground"] == ["relief"]


def test_a_layer_is_switched_on_with_its_legend_and_off_again(
    page: Page, serve_app: Serve, golden_corpus: Path
) -> None:
    page.goto(f"{serve_app(golden_corpus)}/map?layer=mission:hubble")
    canvas(page)
    legend = page.locator("[class*=st-key-legend-]")
    expect(legend).to_contain_text("Hubble Space Telescope")
    legend.get_by_role("button").click()
    expect(legend).to_have_count(0)
    assert "layer" not in address(page)
    expect(page.locator("[class*=st-key-layers-]").get_by_role("button", pressed=True)).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Hubble Space")).click()
    expect(legend).to_be_visible(timeout=PATIENCE_MS)
    assert address(page)["layer"] == ["mission:hubble"]


def test_a_click_opens_the_paper_and_its_place_is_found_again(
    page: Page, serve_app: Serve, golden_corpus: Path
) -> None:
    page.goto(f"{serve_app(golden_corpus)}/map")
    drawn = canvas(page)
    drawn.focus()
    page.keyboard.press("Enter")  # the paper nearest the middle
    card = page.locator(".st-key-map-paper")
    expect(card).to_be_visible(timeout=PATIENCE_MS)
    assert address(page)["paper"]
    card.get_by_role("button", name="Go there").click()
    page.wait_for_function("document.location.search.includes('5.00')")
    assert view(page)[2] == 5
    card.get_by_role("button", name="Close").click()
    expect(card).to_have_count(0)
    assert "paper" not in address(page)


def test_a_region_tells_what_is_studied_in_it_and_is_asked_alone(
    page: Page, serve_app: Serve, golden_corpus: Path
) -> None:
    page.goto(f"{serve_app(golden_corpus)}/map")
    drawn = canvas(page)
    page.get_by_role("button", name="Draw a box").click()
    drag(page, drawn, (0.2, 0.1), (0.6, 0.9))
    panel = page.locator(".st-key-map-region")
    expect(panel).to_contain_text("What is studied here", timeout=PATIENCE_MS)
    n_here = int(re.search(r"([\d,]+) of ([\d,]+) papers", panel.inner_text()).group(1))  # type: ignore[union-attr]
    with page.expect_download() as download:
        panel.get_by_role("button", name="CSV").click()
    assert len(download.value.path().read_text(encoding="utf-8-sig").splitlines()) > n_here
    panel.get_by_role("button", name="Ask about this region only").click()
    expect(page.get_by_text(f"{n_here:,} of").first).to_be_visible(timeout=PATIENCE_MS)
    page.wait_for_url(re.compile(r"\?region="))


def test_a_result_is_shown_on_the_map_and_the_answer_is_found_again(
    page: Page, serve_app: Serve, golden_corpus: Path
) -> None:
    page.goto(link(serve_app(golden_corpus), q=QUESTION))
    answered(page)
    open_tab(page, "Map")
    page.get_by_role("button", name="Open the large map").click()
    canvas(page)
    expect(page.locator(".st-key-map-found")).to_contain_text("10 papers found for “What is the value")
    assert len(address(page)["found"]) == 10
    page.get_by_role("button", name="Back to the answer").click()
    expect(box(page)).to_have_value(QUESTION)
    answered(page)
    assert len(titles(page)) == 10


def test_a_mangled_link_opens_the_map_and_says_what_was_ignored(
    page: Page, serve_app: Serve, golden_corpus: Path
) -> None:
    page.goto(f"{serve_app(golden_corpus)}/map?view=x&layer=cheese&paper=gone&region=1,2")
    canvas(page)
    for told in ("view='x'", "there is no layer 'cheese'", "region='1,2'", "The paper gone"):
        expect(page.get_by_text(told)).to_be_visible()


def test_on_a_phone_nothing_sticks_out(page: Page, serve_app: Serve, golden_corpus: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{serve_app(golden_corpus)}/map?layer=mission:hubble&years=all&region=-90,-90;90,90")
    canvas(page)
    expect(page.locator(".st-key-map-region")).to_be_visible()
    assert max(page.evaluate(WIDTHS)) <= 390
