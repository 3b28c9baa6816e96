"""What a person does on the page of similar papers, in a real browser."""

from playwright.sync_api import Page, expect

from tests.browser.test_ask import nothing_sticks_out, still


def test_on_a_phone_nothing_sticks_out(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{app}/similar?like=riess-2022&unlike=hubble-1929")
    expect(page.get_by_text("weighting: ").locator("visible=true")).to_be_visible()
    still(page)
    nothing_sticks_out(page, 390)
