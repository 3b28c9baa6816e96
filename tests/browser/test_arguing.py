"""A reader argues with the ranking, in a real browser on a small real corpus."""

import re

from playwright.sync_api import Browser, Page, expect

from pathfinder.facade import Pathfinder
from pathfinder.retrieval.explanation.counterfactual import WeightChange, smallest_changes
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import NO_RERANKER
from tests.browser.conftest import choose_option, until, visitor
from tests.browser.test_ask import (
    QUESTION,
    TITLES,
    cards,
    link,
    nothing_sticks_out,
    parameters,
    still,
    titles,
    wait_for_answer,
)

PARAMETER = {"keywords": "wk", "recency": "wt", "citations": "wc"}
TOP_K = 3


def one_that_can_be_raised(pf: Pathfinder) -> tuple[int, str, WeightChange]:
    """Rank and title of the best candidate outside the top k that one slider of the page puts there."""
    result = pf.search(QUESTION, top_k=TOP_K, reranker=NO_RERANKER)
    weighting = result.request.weighting
    for rank, hit in enumerate(weigh(result.candidates, weighting, 33)[TOP_K:], start=TOP_K + 1):
        position = result.candidates.rows.tolist().index(hit.row)
        changes = smallest_changes(result.candidates, weighting, position, TOP_K).changes
        if changes and changes[0].slider in PARAMETER:
            return rank, hit.paper.title, changes[0]
    raise AssertionError("no paper of the golden corpus can be raised")


def test_a_paper_is_put_in_the_top_k_by_the_button_that_says_so(page: Page, app: str, pf: Pathfinder) -> None:
    rank, title, change = one_that_can_be_raised(pf)
    link_parameters = {"q": QUESTION, "k": str(TOP_K), "rerank": NO_RERANKER}
    page.goto(link(app, **link_parameters))
    wait_for_answer(page)
    expect(page.locator(TITLES)).to_have_count(TOP_K)
    before = titles(page)
    assert title not in before

    page.get_by_text(f"What would put another paper in the top {TOP_K}?").click()
    wait_for_answer(page)
    others = page.get_by_role("combobox", name=re.compile("The other 30 papers"))
    expect(others).to_be_visible()
    still(page)  # a list that opens while the page is drawn closes again
    choose_option(page, others, title[:40], f"{rank}. {title[:40]}")
    expect(page.get_by_text(f"The smallest change that puts it in the top {TOP_K}")).to_be_visible()
    still(page)
    page.get_by_role("button", name=re.compile("^Set ")).first.click()
    expect(cards(page).filter(has_text=title)).to_be_visible()
    wait_for_answer(page)
    expect(page.locator(TITLES).nth(change.rank - 1)).to_have_text(title)
    assert parameters(page) == {**link_parameters, PARAMETER[change.slider]: f"{change.after:g}"}


def test_why_a_paper_stands_here_is_told_when_asked(page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION, k=TOP_K, wt=0.5))
    wait_for_answer(page)
    why = page.locator(".paper .why").filter(has_text=re.compile(r"^Of \d+ papers, this is 2nd: .* year"))
    until(why, page.locator(".paper button.why").nth(1).click)
    page.keyboard.press("Escape")
    drawer = page.get_by_test_id("stDialog")
    until(drawer, page.locator(".paper .open").nth(1).click)
    until(drawer.get_by_text("The further left a part reaches"), drawer.get_by_text("Why here?").click)
    expect(drawer.get_by_text(re.compile(r"^It ranks 2nd\."))).to_be_visible()
    expect(
        drawer.get_by_text(re.compile(r"^It stays in the top 3 in .*% of 200 draws \(weights ±0.2\)\."))
    ).to_be_visible()
    expect(drawer.get_by_text(re.compile(r"^recency [0-9.]+ at strength 0.5$"))).to_be_visible()


def test_two_settings_are_compared_also_on_a_phone(browser: Browser, page: Page, app: str) -> None:
    page.goto(link(app, q=QUESTION, k=TOP_K))
    wait_for_answer(page)
    expect(page.locator(TITLES)).to_have_count(TOP_K)
    left_titles = titles(page)
    page.get_by_role("link", name="Lab", exact=True).click()
    expect(page.get_by_text("of 3 papers shared")).to_be_visible()
    expect(page.locator(".st-key-left-list a")).to_have_text(left_titles)
    page.get_by_role("link", name="Ask", exact=True).click()
    wait_for_answer(page)
    expect(page.locator(TITLES)).to_have_text(left_titles)
    with visitor(browser, viewport={"width": 390, "height": 844}) as context:
        phone = context.new_page()
        phone.goto(f"{app}/compare?q=How+do+black+holes+form%3F&k=3")
        expect(phone.get_by_text("of 3 papers shared")).to_be_visible()
        expect(phone.locator(".st-key-right-list a")).to_have_count(3)
        nothing_sticks_out(phone, 390)
