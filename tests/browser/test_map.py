"""What a researcher does on the page of the map, in a real browser."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from pathfinder.facade import Pathfinder
from tests.browser.conftest import WARM_UP_MS, download, eventually
from tests.browser.test_ask import QUESTION, TITLES, link, nothing_sticks_out, wait_for_answer

WS_LIMIT = 2_000_000
"""Bytes that a page may take until it is ready."""


def canvas(page: Page) -> Locator:
    """The map, once its ground is drawn, nothing is waited for, and the page around it, if any, is still."""
    page.locator(".atlas[data-ground=sharp]:not([data-waits])").wait_for(timeout=WARM_UP_MS)  # the first starts the app
    expect(page.locator('[data-testid="stApp"]:not([data-test-script-state="notRunning"])')).to_have_count(0)
    return page.locator(".atlas canvas")


def view(page: Page) -> list[float]:
    return [float(number) for number in (page.locator(".atlas").get_attribute("data-view") or "").split(",") if number]


def shows(page: Page, x: float, y: float, zoom: float) -> None:
    """Wait until the map shows a place: the address may tell of it before it is drawn, or while it is drawn anew."""
    eventually(page, lambda: view(page), lambda now: now == pytest.approx([x, y, zoom], abs=0.001))


def address(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def wait_until_settled(page: Page) -> None:
    """Nothing runs on the server, and nothing is waited for by the map."""
    canvas(page)
    page.wait_for_timeout(300)  # longer than a hand rests before the map tells of it
    canvas(page)


def place_of(corpus: Path, paper_id: str) -> tuple[float, float]:
    """Where a paper lies on the map."""
    pf = Pathfinder.open(corpus)
    (row,) = pf.corpus.papers.rows_of((paper_id,))
    x, y = pf.drawn_map.coordinates[row].tolist()
    return x, y


def on_the_screen(page: Page, corpus: Path, paper_id: str) -> Position:
    """Where a paper lies on the canvas, in pixels of it, while the whole map is shown."""
    extent, (x, y) = Pathfinder.open(corpus).drawn_map.extent, place_of(corpus, paper_id)
    width, height = page.locator(".atlas canvas").evaluate("canvas => [canvas.clientWidth, canvas.clientHeight]")
    unit = min(width / (extent.right - extent.left), height / (extent.top - extent.bottom))
    middle = (extent.left + extent.right) / 2, (extent.bottom + extent.top) / 2
    return {"x": width / 2 + (x - middle[0]) * unit, "y": height / 2 - (y - middle[1]) * unit}


def zoom_in(page: Page) -> None:
    """Turn the wheel over the map; without the key, it scrolls the page."""
    canvas(page).hover(position={"x": 300, "y": 300})
    page.keyboard.down("Control")
    page.mouse.wheel(0, -180)
    page.keyboard.up("Control")
    page.wait_for_url(re.compile("view="))
    canvas(page)


def drag(page: Page, of: Locator, start: tuple[float, float], end: tuple[float, float]) -> None:
    """From one place to another, each a share of the canvas's width and height."""
    box = of.bounding_box()
    assert box is not None
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=5)
    page.mouse.up()


def test_the_map_is_drawn_by_one_small_message_and_more_comes_with_the_zoom(page: Page, app: str) -> None:
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    page.goto(f"{app}/map")
    canvas(page)
    assert 0 < sum(received) < WS_LIMIT
    before = sum(received)
    zoom_in(page)
    assert view(page)[2] == 1
    assert sum(received) > before


def test_the_zoom_survives_a_toggle_and_a_link_opens_what_was_seen(page: Page, app: str) -> None:
    page.goto(f"{app}/map")
    zoom_in(page)
    here = view(page)
    page.get_by_text("Relief", exact=True).click()
    page.wait_for_url(re.compile("ground=relief"))
    canvas(page)
    page.get_by_text("Play the years", exact=True).click()
    expect(page.get_by_label("From year")).to_be_visible()
    canvas(page)
    assert view(page) == here
    assert page.evaluate("history.length") < 6  # moving the map makes no step of the browser's history

    link = page.url
    page.goto("about:blank")
    page.goto(link)
    canvas(page)
    expect(page.get_by_label("From year")).to_be_visible()
    assert [round(number, 2) for number in view(page)] == [round(number, 2) for number in here]
    assert address(page)["ground"] == ["relief"]


def test_a_layer_is_switched_on_with_its_legend_and_off_again(page: Page, app: str) -> None:
    page.goto(f"{app}/map?layer=mission:hubble")
    canvas(page)
    legend = page.locator("[class*=st-key-legend-]")
    expect(legend).to_contain_text("Hubble Space Telescope")
    legend.get_by_role("button").click()
    expect(legend).to_have_count(0)
    canvas(page)
    assert "layer" not in address(page)
    expect(page.locator("[class*=st-key-layers-]").get_by_role("button", pressed=True)).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Hubble Space")).click()
    expect(legend).to_be_visible()
    canvas(page)
    assert address(page)["layer"] == ["mission:hubble"]


def test_a_click_opens_the_paper_and_its_place_is_found_again(page: Page, app: str) -> None:
    page.goto(f"{app}/map")
    map_canvas = canvas(page)
    map_canvas.focus()
    page.keyboard.press("Enter")  # the paper nearest the middle
    card = page.locator(".st-key-map-paper")
    expect(card).to_be_visible()
    canvas(page)
    assert address(page)["paper"]
    card.get_by_role("button", name="Show on the map").click()
    expect(page.locator(".atlas")).to_have_attribute("data-view", re.compile(",5$"))
    page.wait_for_url(re.compile("5[.]00"))
    canvas(page)
    card.get_by_role("button", name="Close").click()
    expect(card).to_have_count(0)
    canvas(page)
    assert "paper" not in address(page)


def test_a_region_tells_what_is_studied_in_it_and_is_asked_alone(page: Page, app: str) -> None:
    page.goto(f"{app}/map")
    map_canvas = canvas(page)
    page.get_by_role("button", name="Draw a box").click()
    drag(page, map_canvas, (0.2, 0.1), (0.6, 0.9))
    panel = page.locator(".st-key-map-region")
    expect(panel).to_contain_text("Topics here")
    canvas(page)
    n_here = int(re.search(r"([\d,]+) of ([\d,]+) papers", panel.inner_text()).group(1))  # type: ignore[union-attr]
    rows = download(panel.get_by_role("button", name="CSV")).path().read_text(encoding="utf-8-sig").splitlines()
    assert len(rows) > n_here
    canvas(page)
    box = page.get_by_test_id("stChatInputTextArea")
    box.fill("What is the value of the Hubble constant?")
    box.press("Enter")
    expect(page.get_by_text(f"{n_here:,} of").first).to_be_visible()
    page.wait_for_url(re.compile(r"region="))


def test_a_result_is_shown_on_the_map_and_the_answer_is_found_again(page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION))
    wait_for_answer(page)
    page.get_by_role("button", name="Open the large map").click()
    canvas(page)
    expect(page.locator(".st-key-map-found")).to_contain_text("10 papers found for “What is the value")
    assert len(address(page)["found"]) == 10
    page.get_by_role("button", name="Back to the answer").click()
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    wait_for_answer(page)
    expect(page.locator(TITLES)).to_have_count(10)


FOUND_IDS = ("riess-2022", "hostile", "bare")
LINES = ".atlas-hits button"


def test_the_list_beside_the_map_and_its_dots_light_each_other_without_the_server(
    page: Page, app: str, golden_corpus: Path
) -> None:
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(len(frame))))
    page.goto(f"{app}/map?{urlencode({'found': FOUND_IDS}, doseq=True)}")
    map_canvas = canvas(page)
    lines = page.locator(LINES)
    expect(lines).to_have_count(3)
    wait_until_settled(page)
    before = len(sent)
    lines.nth(1).hover()
    expect(page.locator(".atlas")).to_have_attribute("data-lit", "2")
    map_canvas.hover(position=on_the_screen(page, golden_corpus, "bare"))
    expect(page.locator(f"{LINES}.atlas-lit b")).to_have_text("3")
    expect(page.locator(".atlas")).to_have_attribute("data-lit", "")
    assert len(sent) == before

    lines.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-map-paper")).to_contain_text("Masers of $10")
    page.wait_for_url(re.compile("paper=hostile.*view=|view=.*paper=hostile"))
    x, y = place_of(golden_corpus, "hostile")
    shows(page, x, y, 3)
    expect(lines.nth(1)).to_be_focused()  # the page has run again, and the list has stayed


def test_a_row_of_a_layers_table_moves_the_map_to_its_place(page: Page, app: str, golden_corpus: Path) -> None:
    page.goto(f"{app}/map?{urlencode({'layer': 'shelf:riess-2022;bare'})}")
    canvas(page)
    page.get_by_text("Marked papers: table", exact=True).click()
    table = page.locator("[class*=st-key-table-shelf] .dvn-scroller").first
    expect(table).to_be_visible()
    wait_until_settled(page)
    for nth, paper_id in ((1, "bare"), (0, "riess-2022")):
        table.click(position={"x": 60, "y": 35 * nth + 52})  # rows of 35 pixels, below a head of as many
        x, y = place_of(golden_corpus, paper_id)
        page.wait_for_url(re.compile(rf"view={x:.3f}%2C{y:.3f}%2C3.00"))
        shows(page, x, y, 3)
        wait_until_settled(page)
    expect(page.locator(".atlas canvas")).to_be_in_viewport()


def test_a_paper_full_of_markup_is_text_wherever_the_map_shows_it(page: Page, app: str, golden_corpus: Path) -> None:
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    x, y = place_of(golden_corpus, "hostile")
    around = f"{x - 0.01:.3f},{y - 0.01:.3f};{x + 0.01:.3f},{y - 0.01:.3f};{x + 0.01:.3f},{y + 0.01:.3f}"
    around += f";{x - 0.01:.3f},{y + 0.01:.3f}"
    link = {"found": FOUND_IDS, "q": "<img src=x onerror=alert(1)> ![i](http://x.y)", "view": f"{x:.3f},{y:.3f},3"}
    link |= {"layer": ["shelf:hostile", "author:Mallory, M."], "region": around}
    page.goto(f"{app}/map?{urlencode(link, doseq=True)}")
    map_canvas = canvas(page)
    middle = map_canvas.evaluate("canvas => [canvas.clientWidth / 2, canvas.clientHeight / 2]")
    here = {"x": middle[0], "y": middle[1]}
    map_canvas.hover(position=here)
    expect(page.locator(".atlas-card")).to_contain_text("<svg/onload=document.title='broken'>")
    map_canvas.click(position=here)
    paper = page.locator(".st-key-map-paper")
    expect(paper).to_contain_text("<svg/onload=document.title='broken'>")
    wait_until_settled(page)
    paper.get_by_text("Abstract", exact=True).click()
    expect(paper).to_contain_text("![seen](http:")
    expect(page.locator(".st-key-map-region")).to_contain_text("1 of 33 papers")
    expect(page.locator(".st-key-map-region")).to_contain_text("<img/src=x/onerror=alert(1)>")
    expect(page.locator(LINES).nth(1)).to_contain_text("<svg/onload=document.title='broken'>")
    expect(page.locator(".st-key-map-found")).to_contain_text("![i](http:")
    expect(page.locator("[class*=st-key-legend-]").nth(1)).to_contain_text("Mallory, M.")
    for name in ("Marked papers: table", "Mallory, M.: table"):
        page.get_by_text(name, exact=True).click()
        wait_until_settled(page)
    main = page.get_by_test_id("stMain")
    assert main.locator("iframe, img[src*='x.y'], a[href^='http://x.y'], [onerror], i:text('Mallory')").count() == 0
    assert page.title() != "broken"
    assert [url for url in addresses if urlsplit(url).path.endswith("/x")] == []  # and of other hosts nobody at all


def test_a_mangled_link_opens_the_map_and_says_what_was_ignored(page: Page, app: str) -> None:
    page.goto(f"{app}/map?view=x&layer=cheese&paper=gone&region=1,2")
    canvas(page)
    for note in ("view='x'", "there is no layer 'cheese'", "region='1,2'", "The paper gone"):
        expect(page.get_by_text(note)).to_be_visible()


def test_on_a_phone_nothing_sticks_out(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/map?layer=mission:hubble&years=all&region=-90,-90;90,90")
    canvas(page)
    expect(page.locator(".st-key-map-region")).to_be_visible()
    nothing_sticks_out(page, 390)
