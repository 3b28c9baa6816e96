"""What a visitor does with a file of the world, in a real browser that has nothing else."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from pathfinder.facade import Pathfinder
from pathfinder.landscape.canvas.source import IDLE_SECONDS
from pathfinder.landscape.canvas.standalone import standalone
from pathfinder.landscape.drawing.scene import Dot, Ground, Scene
from tests.browser.conftest import download
from tests.browser.test_map import canvas, shows, view
from tests.browser.test_world import WHOLE, corner, ground, start, until_it_differs
from tests.landscape.planted_map import map_data


@pytest.fixture
def file(golden_corpus: Path, tmp_path: Path) -> str:
    """The address of a file with the world of the golden corpus, and of nothing else."""
    pf = Pathfinder.open(golden_corpus)
    layers = tuple(pf.layer(f"mission:{name}") for name in ("hubble", "sdss"))
    html = standalone(Scene(Ground.RELIEF, layers=layers), pf.drawn_map, "<b>World</b> & co")  # type: ignore[arg-type]
    (tmp_path / "world.html").write_text(html, encoding="utf-8")
    return (tmp_path / "world.html").as_uri()


def test_a_file_of_the_world_opens_with_no_server_and_asks_nobody(page: Page, file: str) -> None:
    addresses: list[str] = []
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(file)
    canvas(page)
    assert [url for url in addresses if not url.startswith(("file:", "data:", "blob:"))] == []
    expect(page.get_by_role("heading", name="<b>World</b> & co")).to_be_visible()
    expect(page.locator("#legend")).to_contain_text("mountains")
    expect(page.locator("#legend")).to_contain_text("Hubble Space Telescope")
    page.get_by_label("Hubble Space Telescope").uncheck()
    expect(page.locator("#legend")).not_to_contain_text("Hubble Space Telescope")
    page.get_by_label("Colours").select_option("contrast")
    page.get_by_role("button", name="Surprise me").click()
    expect(page.locator("#card")).to_contain_text(re.compile("Published in|Year of publication"))
    expect(page.locator(".atlas")).not_to_have_attribute("data-view", WHOLE)  # it went to the paper
    page.get_by_role("button", name="Zoom in (+)").click()
    canvas(page)


def test_a_file_as_a_kiosk_goes_back_to_its_start(page: Page, file: str) -> None:
    page.clock.install()
    page.goto(f"{file}?kiosk=1")
    canvas(page)
    sea, years = corner(page), page.locator(".atlas-years output").inner_text()
    page.get_by_role("button", name="Surprise me").click()
    page.get_by_label("Hubble Space Telescope").uncheck()
    page.get_by_label("Colours").select_option("contrast")
    page.get_by_role("button", name="Play the years").click()
    expect(page.locator("#card")).to_be_visible()
    expect(page.locator(".atlas-years output")).not_to_have_text(years)
    page.clock.fast_forward(1000 * IDLE_SECONDS + 1000)
    expect(page.locator("#card")).to_be_hidden()
    expect(page.get_by_label("Hubble Space Telescope")).to_be_checked()
    expect(page.get_by_label("Colours")).to_have_value("standard")
    expect(page.locator(".atlas")).to_have_attribute("data-view", WHOLE)
    expect(page.locator(".atlas-years output")).to_have_text(years)
    expect(page.get_by_role("button", name="Play the years")).to_have_attribute("aria-pressed", "false")
    page.clock.fast_forward(5_000)
    expect(page.locator(".atlas-years output")).to_have_text(years)  # nothing plays on
    assert corner(page) == sea


def test_the_world_that_is_saved_as_a_page_opens_from_disk_with_no_network(
    page: Page, app: str, tmp_path: Path
) -> None:
    start(page, app, "?layer=mission:hubble")
    page.get_by_role("button", name="Save the map").click()
    html = download(page.get_by_role("button", name="Page that works offline (HTML)"))
    saved = tmp_path / html.suggested_filename
    assert saved.suffix == ".html"
    html.save_as(saved)

    addresses: list[str] = []
    page.goto("about:blank")
    page.context.set_offline(True)
    page.on("request", lambda request: addresses.append(request.url))
    page.goto(saved.as_uri())
    page.locator(".atlas[data-ground=sharp]").wait_for()
    assert page.locator(".atlas").get_attribute("data-points") == "33"
    expect(page.get_by_label("Hubble Space Telescope")).to_be_checked()
    world = ground(page)
    page.get_by_label("From year").fill("2015")
    picture = until_it_differs(page, world)
    page.get_by_role("button", name="Play the years").click()
    until_it_differs(page, picture)
    page.get_by_role("button", name="Play the years").click()
    page.get_by_role("button", name="Surprise me").click()
    expect(page.locator("#card")).to_be_visible()
    expect(page.locator(".atlas")).not_to_have_attribute("data-view", re.compile(",0$"))  # it went to the paper
    assert {url.split(":")[0] for url in addresses} <= {"file", "data", "blob"}


def test_the_names_of_a_file_are_drawn_and_more_come_with_the_zoom(page: Page, tmp_path: Path) -> None:
    (tmp_path / "world.html").write_text(standalone(Scene(Ground.RELIEF), map_data(), "World"), encoding="utf-8")
    page.goto((tmp_path / "world.html").as_uri())
    canvas(page)
    expect(page.locator(".atlas")).to_have_attribute("data-names", "2")  # galaxies in the west, planets in the east
    x, y = page.locator(".atlas canvas").evaluate("canvas => [0.75 * canvas.clientWidth, 0.5 * canvas.clientHeight]")
    page.locator(".atlas canvas").hover(position={"x": x, "y": y})
    for _ in range(2):
        page.mouse.wheel(0, -180)
    expect(page.locator(".atlas")).to_have_attribute("data-view", re.compile(",2$"))
    assert view(page)[0] > 8
    expect(page.locator(".atlas")).to_have_attribute("data-names", "2")  # planets, and hot jupiters beside them


def test_a_file_lists_the_papers_found_and_goes_to_them(page: Page, golden_corpus: Path, tmp_path: Path) -> None:
    golden = Pathfinder.open(golden_corpus).drawn_map
    dots = tuple(Dot(row, *golden.coordinates[row].tolist(), f"<b>Paper</b> {row}", 2000, row + 1) for row in range(3))
    (tmp_path / "found.html").write_text(standalone(Scene(dots=dots), golden, "Found"), encoding="utf-8")
    page.goto((tmp_path / "found.html").as_uri())
    canvas(page)
    page.get_by_role("button", name="<b>Paper</b> 1").click()
    shows(page, *golden.coordinates[1].tolist(), 3)
