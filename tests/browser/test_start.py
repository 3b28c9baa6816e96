import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, Page, expect

from pathfinder.ui.stars.own_shelves import HERE
from tests.browser.conftest import OWNER, served_script
from tests.browser.test_ask import ask, box, still, wait_for_answer


def test_a_question_brings_papers_a_map_and_an_answer(
    page: Page, serve_app: Callable[..., str], golden_corpus: Path
) -> None:
    page.goto(serve_app(golden_corpus))
    still(page)
    ask(page, "What is the value of the Hubble constant?")
    expect(page.get_by_role("button", name="Final Results from the Hubble Space").first).to_be_visible()
    expect(page.locator(".js-plotly-plot .scatterlayer .trace").first).to_be_visible()
    expect(page.locator('.st-key-answer a[href^="#paper-"]:visible').first).to_be_visible()
    expect(page.get_by_role("heading", name="10 papers")).to_be_visible()


def test_the_places_are_found_from_the_top_and_nothing_offers_to_deploy_them(
    page: Page, serve_app: Callable[..., str], golden_corpus: Path
) -> None:
    page.goto(serve_app(golden_corpus))
    for place in ("Map", "Library", "Review", "Lab"):
        page.get_by_role("link", name=place, exact=True).click()
        expect(page.get_by_role("heading", name=place, exact=True)).to_be_visible()
        still(page)
        expect(page).to_have_url(re.compile(f"/{place.lower()}"))
    expect(page.get_by_text("Deploy", exact=True)).to_have_count(0)


def test_a_page_opened_before_the_first_one_has_its_frame_and_keeps_its_address(
    page: Page, serve_alone: Callable[..., str], golden_corpus: Path
) -> None:
    page.goto(f"{serve_alone(golden_corpus)}/similar?like=hubble-1929")
    expect(page.get_by_role("link", name="Ask", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile(r"/similar\?like=hubble-1929$"))


def test_an_old_address_opens_the_place_of_its_content_with_all_its_parameters(
    page: Page, serve_alone: Callable[..., str], golden_corpus: Path
) -> None:
    address = serve_alone(golden_corpus)
    for old, new in (
        ("world?layer=mission:hubble&layer=gaps&years=2000-2010", {"look": ["public"], "years": ["2000-2010"]}),
        ("screen?q=masers", {"step": ["screen"]}),
        ("compare?q=masers&k=3", {"trial": ["compare"], "q": ["masers"], "k": ["3"]}),
        ("shelves", {"part": ["shelves"]}),
    ):
        page.goto(f"{address}/{old}")
        page.wait_for_url(lambda url, new=new: new.items() <= parse_qs(urlsplit(url).query).items())
        expect(page.get_by_role("radio", checked=True).first).to_be_visible()


def test_the_api_answers_beside_the_page_in_one_process(page: Page, tmp_path: Path, golden_corpus: Path) -> None:
    with served_script({"PATHFINDER_CORPUS": str(golden_corpus)}, tmp_path, "server.py") as address:
        page.goto(f"{address}/?q=the+Hubble+constant")
        wait_for_answer(page)
        page.get_by_role("button", name="Copy link").last.click()
        still(page)
        page.get_by_text("The same as code", exact=True).click()
        expect(page.get_by_text(f"curl {address}/api/v1/answer")).to_be_visible()
        reply = page.request.post(f"{address}/api/v1/search", data={"query": "the Hubble constant", "top_k": 1})
        assert len(reply.json()["hits"]) == 1
        refused = page.request.get(f"{address}/api/v1/papers/hubble-1929", headers={"Origin": "https://evil.example"})
        assert refused.status == 403


def test_only_a_browser_that_has_opened_the_printed_link_is_the_owners(
    page: Page, visits: BrowserContext, serve_app: Callable[..., str], golden_corpus: Path
) -> None:
    address = serve_app(golden_corpus)
    visits.clear_cookies()
    page.goto(f"{address}/shelves")  # from this machine, without a proxy's header, as through a proxy that adds none
    expect(page.get_by_text("in this browser only")).to_be_visible()
    page.goto(f"{address}/?owner={OWNER[:-1]}")
    page.goto(f"{address}/shelves")
    expect(page.get_by_text("in this browser only")).to_be_visible()
    page.goto(f"{address}/?owner={OWNER}")
    expect(page).to_have_url(f"{address}/")
    expect(box(page)).to_be_visible()
    page.goto(f"{address}/shelves")
    expect(page.get_by_text(HERE)).to_be_visible()
