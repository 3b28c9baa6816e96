"""What a person does on the Ask page, in a real browser on a small real corpus."""

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests import golden
from tests.browser.conftest import Ask, become_owner, come_from_elsewhere, download, eventually, until, visitor
from tests.browser.scripted import answering
from tests.wire import Says, Wire

QUESTION = "What is the value of the Hubble constant?"
MOVED = re.compile("^[▲▼] was [0-9]+$|^new$")
MASERS = "Masers of hydroxyl <img src=x onerror=\"document.title='broken'\"> for $10 to $20"

MAPS = ":is(.st-key-map-small, .st-key-map-figure) .js-plotly-plot"
NOTE_ARRIVALS = """
    window.arrivals = [];
    const parts = {
        papers: '.paper',
        map: '.st-key-map-small',  // its place: the browser draws the map itself when it finds the time
        answer: '.st-key-answer a[href^="#paper-"]',
    };
    new MutationObserver(() => {
        for (const [name, found] of Object.entries(parts))
            if (!window.arrivals.includes(name) && document.querySelector(found)) window.arrivals.push(name);
    }).observe(document, {childList: true, subtree: true});
"""
"""Each part of the page, in the order in which it came."""

HAS_ARRIVED = "['papers', 'map', 'answer'].every(name => window.arrivals.includes(name))"
WIDTHS = "[document.documentElement.scrollWidth, document.querySelector('[data-testid=stMain]').scrollWidth]"


def link(app: str, **parameters: object) -> str:
    return f"{app}/?{urlencode(parameters)}"


def parameters(page: Page) -> dict[str, str]:
    """The settings in the address bar, without the list before their last change."""
    query = parse_qs(urlsplit(page.url).query)
    query.pop("before", None)
    return {name: value for name, (value,) in query.items()}


def nothing_sticks_out(page: Page, width: int) -> None:
    """Wait until no part of `page` is wider than `width` pixels: a figure shrinks a moment after it is drawn."""
    page.wait_for_function(f"Math.max(...{WIDTHS}) <= {width}")


def open_line(page: Page, key: str) -> None:
    """Open what is behind the line under the question ("how") or under the answer ("agreement")."""
    line = page.locator(f".st-key-{key} details").first

    def unfold() -> None:
        if line.get_attribute("open") is None:
            line.locator("summary").first.click()

    opened = page.locator(f".st-key-{key} details[open]").first
    until(opened, unfold)
    still(page)
    until(opened, unfold)  # what is drawn anew may come closed


def open_settings(page: Page) -> None:
    """Open the sidebar, which is closed at first."""
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(page.get_by_test_id("stSidebar").get_by_text("Recent papers", exact=True)).to_be_in_viewport()


def cards(page: Page) -> Locator:
    return page.locator(".paper")


TITLES = ".paper .open"
"""Titles of the papers, on their cards."""


def titles(page: Page) -> list[str]:
    return page.locator(TITLES).all_text_contents()


def visible(page: Page, text: str | re.Pattern[str]) -> Locator:
    """The text as it is seen: Streamlit draws a badge that has a tooltip twice, and hides one."""
    return page.get_by_text(text).locator("visible=true")


def wait_for_answer(page: Page) -> None:
    """Wait until the page is whole and still."""
    expect(page.locator(".st-key-answer")).to_be_attached()
    still(page)


def still(page: Page) -> None:
    """Wait until the server has nothing more to draw."""
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)
    expect(page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')).to_be_attached()


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Ask a question")


def ask(page: Page, question: str) -> None:
    box(page).fill(question)
    box(page).press("Enter")


def test_a_question_is_asked_weighed_and_taken_along(page: Page, data_app: str) -> None:
    page.add_init_script(NOTE_ARRIVALS)
    page.goto(data_app)  # nobody has asked this question there, so that its button is an example's
    still(page)
    page.locator(MAPS).wait_for()  # who asks before the map's code has come sees the answer before it
    page.get_by_role("button", name=QUESTION).click()
    page.wait_for_function(HAS_ARRIVED)
    assert page.evaluate("window.arrivals")[-1] == "answer"
    wait_for_answer(page)
    expect(page.locator(".st-key-answer-more button")).to_be_visible()  # the last part of the answer
    assert parameters(page) == {"q": QUESTION}
    expect(page.locator(TITLES)).to_have_count(10)
    first_order = titles(page)

    open_settings(page)
    page.get_by_test_id("stSidebar").get_by_text("Recent papers", exact=True).click()
    expect(page.get_by_text(MOVED).first).to_be_visible()
    wait_for_answer(page)
    assert parameters(page) == {"q": QUESTION, "wt": "0.3"}
    expect(page.locator(TITLES)).not_to_have_text(first_order)
    expect(page.get_by_role("button", name="answer again")).to_have_count(0)  # without a chat model it is made anew

    open_line(page, "how")
    visible(page, re.compile("^Hubble constant$")).first.click()
    page.wait_for_url(re.compile("without=Hubble"))
    wait_for_answer(page)
    assert parameters(page) == {"q": QUESTION, "wt": "0.3", "without": "Hubble constant"}

    expect(cards(page)).to_have_count(10)
    rows = download(page.get_by_role("button", name="CSV"), ".csv").path().read_text(encoding="utf-8-sig").splitlines()
    assert rows[0].startswith("rank,id,title,authors")
    assert len(rows) == 11
    bib = download(page.get_by_role("button", name="BibTeX").last, ".bib").path().read_text(encoding="utf-8")
    n_behind = [int(n) for n in re.findall(r"(\d+) more papers? used in the answer", page.inner_text("body"))]
    assert len(re.findall("^@", bib, re.MULTILINE)) == 10 + sum(n_behind)

    still(page)
    here, order = page.url, titles(page)
    page.goto("about:blank")
    page.goto(here)
    wait_for_answer(page)
    expect(page.locator(TITLES)).to_have_text(order)
    assert page.url == here


def answer_text(page: Page) -> str:
    return page.locator(".st-key-answer").inner_text()


def test_a_source_opens_its_sentence_in_its_context_and_gives_the_focus_back(page: Page, app: str) -> None:
    page.goto(link(app, q="How do black holes form?", k=5))
    wait_for_answer(page)
    source = page.locator(".st-key-answer a.source:visible").first
    sheet = page.get_by_role("dialog")
    page.locator(".sheet").wait_for(state="attached")
    until(sheet, source.hover)
    page.mouse.move(5, 5)
    expect(sheet).to_be_hidden()
    until(sheet, lambda: source.press("Enter"))
    expect(sheet).to_be_focused()
    quoted = sheet.locator("mark").inner_text()
    assert quoted in answer_text(page)
    assert len(sheet.locator(".context").inner_text()) > len(quoted)
    sheet.get_by_role("button", name="Star").click()
    expect(sheet.get_by_role("button", name="Starred")).to_be_visible()
    expect(page.get_by_text("1 on your shelf")).to_be_visible()
    still(page)
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(source).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet).to_be_focused()
    page.go_back()
    expect(sheet).to_be_hidden()
    expect(source).to_be_visible()


@pytest.mark.parametrize(("width", "height", "most"), [(1440, 900, 300), (390, 844, 300)])
def test_the_answer_begins_near_the_top(page: Page, app: str, width: int, height: int, most: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(link(app, q=QUESTION))
    wait_for_answer(page)
    place = page.locator(".st-key-answer").bounding_box()
    assert place is not None
    assert place["y"] < most
    expect(page.get_by_role("heading", level=1)).to_have_text(QUESTION)
    nothing_sticks_out(page, width)


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_whoever_chooses_the_table_sees_it(page: Page, app: str, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(link(app, q=QUESTION))
    wait_for_answer(page)
    page.get_by_role("radio", name="Table").click()
    expect(page.locator(".st-key-chosen-view").get_by_test_id("stDataFrame")).to_be_in_viewport()


def test_keys_move_through_the_list_and_can_be_turned_off(page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION, k=3))
    wait_for_answer(page)
    page.locator(".st-key-paper-list dialog").wait_for(state="attached")
    still(page)  # a list that is drawn again forgets which paper the keys have come to

    def keys(*names: str) -> None:
        for name in names:
            page.keyboard.press(name)

    second = page.locator(".paper:nth-child(2).lit")
    until(second, lambda: keys("k", "k", "j"))  # the first of them lights the first paper, wherever the light was
    until(page.get_by_text("1 selected"), lambda: keys("k", "k", "j", "x"))
    still(page)
    until(page.get_by_role("dialog").get_by_text(titles(page)[1]), lambda: keys("k", "k", "j", "o"))
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    still(page)
    page.keyboard.press("/")
    expect(box(page)).to_be_focused()
    box(page).press("k")
    assert box(page).input_value() == "k"
    box(page).blur()
    page.keyboard.press("t")
    expect(page.get_by_role("radio", name="Table")).to_be_checked()
    still(page)
    page.keyboard.press("t")
    expect(page.get_by_role("radio", name="Cards")).to_be_checked()
    still(page)
    page.keyboard.press("4")
    expect(page.get_by_role("radio", name="Network")).to_be_checked()
    still(page)
    page.keyboard.press("1")
    still(page)
    until(page.locator(".st-key-similar-off"), lambda: keys("k", "k", "a"))
    page.locator(".st-key-similar-off button").click()
    still(page)
    until(second, lambda: keys("k", "k", "j"))  # each is taken once, however often the list has been drawn
    page.keyboard.press("l")
    expect(page.get_by_text("A link to this page", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("A link to this page", exact=True)).to_be_hidden()
    page.keyboard.press("w")
    expect(page.get_by_text("Watch this question")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Watch this question")).to_be_hidden()
    page.keyboard.press("d")
    expect(page.get_by_label("Best matches to compare")).to_be_visible()
    still(page)
    page.keyboard.press("?")
    page.get_by_label("keys are on").uncheck()
    page.mouse.move(5, 5)  # the card on which the pointer comes to rest would be lit
    page.keyboard.press("Escape")
    page.keyboard.press("k")
    expect(page.locator(".paper:nth-child(1).lit")).to_have_count(0)


def test_a_plot_is_downloaded_as_vectors(page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION, k=3, shown="network"))
    wait_for_answer(page)
    for name in ("map-small", "network-figure", "digest-values"):
        plot = page.locator(f".st-key-{name} .js-plotly-plot")
        button = plot.locator('[data-title="Download plot"]')
        until(button, plot.hover)
        saved = download(button, ".svg")
        assert saved.path().read_text(encoding="utf-8").startswith("<svg")


def dot(page: Page, rank: int) -> Locator:
    """The dot of one of three papers on the small map, where the best is drawn last."""
    return page.locator(".st-key-map-small .trace:has(.textpoint) .point").nth(3 - rank)


def act(page: Page, rank: int, action: str) -> None:
    """Choose `action` in the menu of a card."""
    still(page)  # a menu that opens while the page is drawn closes again
    page.get_by_role("button", name=f"More for paper {rank}", exact=True).click()
    page.get_by_role("menuitem", name=action).click()


def test_the_menu_of_every_card_does_what_it_says_and_does_it_again(page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION, k=3))
    wait_for_answer(page)
    ring = dot(page, 3)
    expect(page.locator(".st-key-answer-more button")).to_be_visible()  # the last part of the answer
    expect(ring).to_have_count(1)
    expect(ring).to_have_css("stroke-width", "1.5px")
    cards(page).nth(2).locator(".select").click()
    cards(page).first.hover()  # the dot of the card that is pointed at has a wide ring too
    expect(ring).to_have_css("stroke-width", "5px")
    still(page)
    page.get_by_role("button", name="Deselect", exact=True).click()
    cards(page).first.hover()
    expect(ring).to_have_css("stroke-width", "1.5px")
    for rank in (3, 2):
        before = titles(page)
        act(page, rank, "Similar papers")
        expect(page.locator(".st-key-similar-off")).to_contain_text(before[rank - 1][:30])
        expect(page.locator(TITLES)).not_to_have_text(before)
        wait_for_answer(page)  # it stays
        still(page)
        page.go_back() if rank == 3 else page.locator(".st-key-similar-off button").click()
        expect(page.locator(TITLES)).to_have_text(before)
        still(page)
    act(page, 3, "Timeline")
    expect(page.locator(".st-key-chosen-view")).to_be_visible()


def test_back_and_escape_close_an_open_paper_and_nothing_else(page: Page, app: str) -> None:
    page.goto(app)
    still(page)
    ask(page, QUESTION)
    wait_for_answer(page)
    here, drawer = page.url, page.get_by_role("dialog")
    for close in (page.go_back, lambda: page.keyboard.press("Escape"), page.go_back):
        until(drawer, cards(page).nth(1).locator(".open").click)
        still(page)
        page.evaluate("document.activeElement.blur()")  # as what is drawn anew in it may leave it
        close()
        expect(drawer).to_have_count(0)
        expect(page).to_have_url(here)
        expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
        still(page)
    page.go_back()
    expect(page.locator(".st-key-question")).to_have_count(0)


@pytest.mark.parametrize(
    ("button", "over", "content"),
    [
        (".st-key-answer-more button", "stPopoverBody", "Watch this question"),
        ("[data-testid=stExpandSidebarButton]", "stSidebarUserContent", "What to favour"),
    ],
)
def test_back_closes_what_lies_over_the_page_of_a_phone(
    page: Page, app: str, button: str, over: str, content: str
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(link(app, q=QUESTION) + "#open")  # as the address is copied while something is open
    wait_for_answer(page)
    expect(page.locator(".st-key-answer-more button")).to_be_visible()
    page.wait_for_function("location.hash === ''")  # until the page's own script has come
    still(page)
    here = page.url
    for _ in range(2):
        until(page.get_by_test_id(over).get_by_text(content), page.locator(button).click)  # drawn by the server
        expect(page.get_by_test_id(over)).to_be_in_viewport()
        still(page)
        page.go_back()
        expect(page.get_by_test_id(over)).not_to_be_in_viewport()
        expect(page).to_have_url(here)
    assert not here.endswith("#open")


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (390, 844)])
def test_the_first_paper_that_is_selected_is_counted_above_the_list_and_moves_nothing(
    page: Page, app: str, width: int, height: int
) -> None:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(link(app, q=QUESTION, k=5))
    wait_for_answer(page)
    expect(page.locator(".st-key-answer-more button")).to_be_visible()  # the last part of the answer
    cards(page).first.locator(".select").scroll_into_view_if_needed()
    tops = "[...document.querySelectorAll('.st-key-papers-head, .paper')].map(e => e.getBoundingClientRect().top)"
    before = page.evaluate(tops)
    cards(page).first.locator(".select").click()
    expect(page.get_by_text("1 selected")).to_be_in_viewport()
    still(page)
    assert page.evaluate(tops) == before
    cards(page).last.scroll_into_view_if_needed()
    expect(page.get_by_text("1 selected")).to_be_in_viewport()


@pytest.mark.parametrize("may_copy", [True, False])
def test_a_reference_is_copied_at_once_and_shown_where_the_browser_copies_nothing(
    page: Page, app: str, *, may_copy: bool
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not may_copy:  # as where the page is not sent over HTTPS
        page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(link(app, q=QUESTION, k=3))
    wait_for_answer(page)
    for _ in range(2):
        act(page, 2, "Copy reference")
        if may_copy:
            expect(page.get_by_text("The reference is copied").first).to_be_visible()
            assert page.evaluate("navigator.clipboard.readText()").startswith("@")
            page.evaluate("navigator.clipboard.writeText('')")
            expect(page.get_by_text("The reference is copied")).to_have_count(0)
        else:
            expect(page.get_by_role("dialog").get_by_test_id("stCode")).to_be_visible()
            still(page)
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("dialog")).to_have_count(0)


def lights(page: Page, point: Callable[[], None], rank: int) -> None:
    """Point until the card of this rank is lit: a list or a map that is being drawn moves away under the pointer."""

    def from_elsewhere() -> None:
        page.mouse.move(5, 5)
        point()

    until(page.locator(f".paper:nth-child({rank}).lit"), from_elsewhere)


def test_list_and_map_light_each_other(page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION, k=3))
    wait_for_answer(page)
    lights(page, lambda: cards(page).nth(1).hover(), 2)
    expect(dot(page, 2)).to_have_css("stroke-width", "5px")
    lights(page, lambda: dot(page, 1).hover(force=True), 1)
    expect(dot(page, 2)).not_to_have_css("stroke-width", "5px")


def test_the_page_stays_where_it_is_while_a_question_is_typed_on_a_phone(browser: Browser, app: str) -> None:
    with visitor(browser, viewport={"width": 390, "height": 844}) as context:
        phone = context.new_page()
        phone.goto(app)
        still(phone)
        box(phone).focus()
        phone.keyboard.type("a question that is so long that the box at the foot of the page grows by a line or two")
        assert phone.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollTop") == 0


@pytest.mark.parametrize(("width", "height", "percent"), [(844, 390, 100), (720, 450, 100), (390, 844, 200)])
def test_the_box_and_the_places_are_in_sight_on_low_screens_and_in_large_text(
    browser: Browser, app: str, width: int, height: int, percent: int
) -> None:
    with visitor(browser, viewport={"width": width, "height": height}) as context:
        context.add_init_script(
            f"addEventListener('DOMContentLoaded', () => document.documentElement.style.fontSize = '{percent}%')"
        )
        phone = context.new_page()
        phone.goto(link(app, q=QUESTION, k=3))
        wait_for_answer(phone)
        nothing_sticks_out(phone, width)
        expect(box(phone)).to_be_in_viewport(ratio=1)
        expect(phone.locator("a[href$='lab']").locator("visible=true")).to_be_in_viewport(ratio=1)


def test_a_press_beside_the_sheet_of_a_phone_only_closes_it(browser: Browser, app: str) -> None:
    with visitor(browser, viewport={"width": 390, "height": 844}, has_touch=True) as context:
        phone = context.new_page()
        phone.goto(link(app, q=QUESTION, k=3))
        wait_for_answer(phone)
        sheet = phone.get_by_test_id("stPopoverBody")
        button = phone.get_by_role("button", name="Copy link")
        button.evaluate("button => button.scrollIntoView({block: 'center'})")  # so that the sheet is below it
        until(sheet.get_by_test_id("stCode"), button.click)
        still(phone)
        beneath = phone.locator(".st-key-agreement summary").first.bounding_box()
        assert beneath is not None
        phone.mouse.click(beneath["x"] + 20, beneath["y"] + 10)
        expect(sheet).to_have_count(0)
        still(phone)
        expect(phone.locator(".st-key-agreement details[open]")).to_have_count(0)


@pytest.mark.parametrize("menu", ["answer-more", "library"])
def test_a_place_is_one_press_away_while_a_menu_is_open(page: Page, app: str, menu: str) -> None:
    page.goto(link(app, q=QUESTION, k=3))
    wait_for_answer(page)
    still(page)
    button = page.locator(f".st-key-{menu}").get_by_test_id("stPopoverButton")
    until(page.get_by_test_id("stPopoverBody"), button.click)
    still(page)
    page.get_by_role("link", name="Library", exact=True).click()
    page.wait_for_url("**/library")
    still(page)
    expect(page.get_by_role("heading", name="Library", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("/library$"))


def test_settings_that_were_left_open_do_not_cover_the_page_of_a_phone(browser: Browser, app: str) -> None:
    with visitor(browser, viewport={"width": 390, "height": 844}) as context:
        phone = context.new_page()
        phone.goto(app)
        still(phone)
        phone.get_by_test_id("stExpandSidebarButton").click()
        expect(phone.get_by_text("What to favour")).to_be_in_viewport()
        phone.reload()
        still(phone)
        expect(phone.get_by_test_id("stExpandSidebarButton")).to_be_visible()
        expect(phone.get_by_text("What to favour")).not_to_be_in_viewport()


def test_back_undoes_one_change_at_a_press(page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION))
    wait_for_answer(page)
    still(page)
    n = page.evaluate("history.length")
    undone = page.locator("[class*=st-key-chips]").get_by_role("button", name=re.compile("×$"))
    for n_set in 1, 2:
        page.get_by_role("button", name=re.compile(r"^\+ |^without ")).first.click()
        expect(undone).to_have_count(n_set)
        still(page)
    assert page.evaluate("history.length") == n + 2
    for act, n_set in ((page.go_back, 1), (page.go_back, 0), (page.go_forward, 1)):
        act()
        expect(undone).to_have_count(n_set)
        still(page)


def test_a_link_opens_the_same_view_and_selection(page: Page, app: str, browser: Browser) -> None:
    page.goto(link(app, q=QUESTION, k=3))
    wait_for_answer(page)
    for rank in (2, 3):
        cards(page).nth(rank - 1).locator(".select").click()
        expect(page.get_by_text(f"{rank - 1} selected")).to_be_visible()
        still(page)
    expect(page).to_have_url(re.compile("selected=.*selected="))
    page.get_by_role("radio", name="Table").click()
    expect(page).to_have_url(re.compile("shown=Table"))
    still(page)
    here = page.url
    page.go_back()
    expect(cards(page).first).to_be_visible()
    still(page)
    page.get_by_test_id("stTopNavLink").first.click()
    expect(page.locator(".st-key-question")).to_have_count(0)
    still(page)
    page.go_back()
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    expect(page.get_by_text("2 selected")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    still(page)
    page.locator(".st-key-places a").first.click()
    expect(page.locator(".st-key-question")).to_have_count(0)
    with visitor(browser) as context:
        other = context.new_page()
        other.goto(here)
        wait_for_answer(other)
        expect(other.locator(".st-key-chosen-view")).to_be_visible()
        expect(other.get_by_text("2 selected")).to_be_visible()
        still(other)
        assert other.evaluate("document.querySelector('[data-testid=\"stMain\"]').scrollTop") == 0


@pytest.mark.parametrize("is_here", [True, False])
def test_who_comes_back_finds_where_they_were(page: Page, data_app: str, data: Path, is_here: bool) -> None:
    if is_here:
        become_owner(page.context)  # cookies are cleared after each test
    else:
        come_from_elsewhere(page.context)
    page.goto(data_app)
    expect(page.get_by_role("button", name=QUESTION)).to_be_visible()
    still(page)
    expect(page.get_by_text("Where you were")).to_have_count(0)
    ask(page, "How do black holes form?")
    wait_for_answer(page)
    page.get_by_role("button", name="Star paper 1", exact=True).click()
    expect(page.get_by_role("button", name="On the shelf")).to_have_count(1)
    still(page)
    page.goto(data_app)
    expect(page.get_by_role("heading", name="Where you were")).to_be_visible()
    expect(page.get_by_role("button", name="1 paper on your shelf")).to_be_visible()
    still(page)
    assert (data / "questions.sqlite3").exists() == is_here  # of a visitor, the server stores none
    page.get_by_role("button", name="How do black holes form?").click()
    page.wait_for_url(re.compile("black"))
    wait_for_answer(page)
    page.get_by_role("button", name="New question").click()
    expect(page.get_by_role("button", name="Forget the questions")).to_be_visible()
    still(page)
    page.get_by_role("button", name="Forget the questions").click()
    expect(page.get_by_role("button", name="How do black holes form?")).to_have_count(0)


def test_markup_of_papers_and_of_the_question_is_text(page: Page, app: str) -> None:
    page.goto(app)
    still(page)
    ask(page, MASERS)
    wait_for_answer(page)
    card = cards(page).filter(has_text="Mallory")
    assert golden.HOSTILE["title"] in card.inner_text().replace("\N{WORD JOINER}", "")
    assert "Mallory" in card.inner_text()
    card.locator(".open").click()
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_text("Bold masers ![seen]").first).to_be_visible()
    expect(drawer.get_by_text("Mallory, M.")).to_be_visible()
    still(page)
    expect(drawer.locator(".katex")).to_have_count(1)  # the wavelength, and no sum of money
    page.keyboard.press("Escape")
    assert page.locator("[src='x'], [href='http://x.y'], [src^='http://x.y'], main iframe, main b").count() == 0
    assert page.title() == "Pathfinder"
    expect(page.get_by_role("heading", name=MASERS)).to_be_visible()


def test_bad_input_is_told_and_leaves_the_form_as_it_is(page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION, k="ten", wk="0.001", utm="x", **{"from": "1e9"}))
    wait_for_answer(page)
    for note in ("k='ten'", "wk='0.001'", "'utm' is unknown", "from='1e9'"):
        expect(page.get_by_text(note)).to_be_visible()
    assert parameters(page) == {"q": QUESTION}

    open_settings(page)
    page.get_by_text("Which papers").click()
    page.get_by_label("From year").fill("2020")
    page.get_by_label("From year").press("Enter")
    still(page)
    page.get_by_label("To year").fill("2010")
    page.get_by_label("To year").press("Enter")
    expect(page.get_by_text("year_from is after year_to: from 2020 to 2010; swap them")).to_be_visible()
    expect(page.locator(TITLES)).to_have_count(0)
    expect(page.get_by_role("heading", name=QUESTION)).to_be_visible()
    still(page)
    page.get_by_label("From year").fill("2000")
    page.get_by_label("From year").press("Enter")
    expect(page.locator(TITLES).first).to_be_attached()
    still(page)

    ask(page, "star " * 4000)
    expect(page.get_by_text("the link leaves it out")).to_be_visible()
    expect(page.get_by_text("the question is too long: only its first 256 tokens were embedded")).to_be_visible()
    wait_for_answer(page)
    assert parameters(page) == {}  # what limited the papers of the question before is gone

    listed = titles(page)
    ask(page, " ")
    expect(page.get_by_text("The question is empty")).to_be_visible()
    still(page)
    expect(page.locator(TITLES)).to_have_text(listed)


def moved_by_a_finger(phone: Page, what: Locator) -> bool:
    """Swipe up or down from the middle of something, and say whether it went with the finger."""
    what.scroll_into_view_if_needed()
    place = what.bounding_box()
    assert place is not None
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    finger, step = phone.context.new_cdp_session(phone), -20 if y > 422 else 20
    for nth, kind in enumerate(("touchStart", *("touchMove",) * 8, "touchEnd")):
        points = [] if kind == "touchEnd" else [{"x": x, "y": y + nth * step}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    after = what.bounding_box()
    return after is not None and abs(after["y"] - place["y"]) > 20


def test_two_readers_are_kept_apart_also_on_a_phone(browser: Browser, page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION, k=3))
    with visitor(browser, viewport={"width": 390, "height": 844}, has_touch=True) as context:
        phone = context.new_page()
        phone.goto(link(app, q="How do black holes form?", k=2, wt=1))
        wait_for_answer(phone)
        nothing_sticks_out(phone, 390)
        assert eventually(phone, lambda: moved_by_a_finger(phone, phone.locator(".st-key-map-small")), bool)
        wait_for_answer(page)
        expect(page.locator(TITLES)).to_have_count(3)
        expect(phone.locator(TITLES)).to_have_count(2)
        here = titles(page)
        ask(phone, "Are there planets around other stars?")
        expect(phone.get_by_text("▲")).to_have_count(0)
        wait_for_answer(phone)
        phone.get_by_test_id("stExpandSidebarButton").click()
        expect(phone.get_by_test_id("stSidebar").get_by_text("What to favour")).to_be_visible()
    expect(page.locator(TITLES)).to_have_text(here)
    assert parameters(page) == {"q": QUESTION, "k": "3"}
    still(page)
    page.get_by_role("button", name="Main menu").click()
    page.get_by_text("About", exact=True).click()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="How to ask").click()
    expect(opened.value.get_by_role("heading", name="Limits to keep in mind")).to_be_visible()
    expect(opened.value.get_by_text("Embedder: local:all-MiniLM-L6-v2")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Library", exact=True).click()
    expect(page.locator(TITLES)).to_have_count(0)
    page.get_by_role("link", name="Ask", exact=True).click()
    wait_for_answer(page)
    expect(page.locator(TITLES)).to_have_text(here)


def test_papers_and_map_do_not_wait_for_the_chat_model(page: Page, served: Ask, wire: Wire) -> None:
    app = served(answering(Says("It is ", "<img src=x> 73 km. ", then="hang")))
    page.goto(link(app, q=QUESTION, k=13))
    expect(page.get_by_text("It is <img src=x> 73 km. ▌")).to_be_visible()
    expect(page.locator(TITLES)).to_have_count(13)
    expect(page.locator(MAPS)).to_be_visible()
    wire.released.set()
    open_line(page, "how")
    expect(visible(page, "answer: extractive (the chat model failed)")).to_be_visible()
    wire.released.clear()
    expect(page.locator("img[src='x']")).to_have_count(0)
