"""What a person does on the Evaluate page, in a real browser on a small real corpus."""

from playwright.sync_api import Page, expect

from tests.browser.test_ask import nothing_sticks_out, still


def test_methods_are_compared_and_drawn_also_on_a_phone(page: Page, app: str) -> None:
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(f"{app}/evaluate")
    button = page.get_by_role("button", name="Evaluate", exact=True)
    expect(button).to_be_visible()
    still(page)
    button.click()
    expect(page.get_by_text("In brackets:")).to_be_visible()
    expect(page.locator(".js-plotly-plot .scatterlayer .point")).to_have_count(5)
    expect(page.get_by_test_id("stDataFrame")).to_be_visible()
    nothing_sticks_out(page, 390)
