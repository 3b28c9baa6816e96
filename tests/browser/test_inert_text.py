"""What a model or a paper says is text on the page, and nothing else."""

from playwright.sync_api import Page

from tests.inert import HOSTILE

ACTING = """box => [...box.querySelectorAll("[data-testid=stMarkdownContainer] *")]
    .filter(part => part.closest(".katex") ? part.matches("a, img, script, iframe, [href], [src], [onerror]")
        : part.className !== "" || part.hasAttribute("style") || !["P", "BR", "SPAN"].includes(part.tagName))
    .map(part => part.outerHTML)"""
"""What of a box is more than a paragraph of text or a formula."""


def test_nothing_hostile_becomes_more_than_text(page: Page, serve_script) -> None:
    page.goto(serve_script("tests/browser/inert_page.py"))
    page.locator(".st-key-acting a").wait_for()
    assert len(page.locator(".st-key-acting").evaluate(ACTING)) >= 3
    for number, text in enumerate(HOSTILE):
        assert page.locator(f".st-key-text-{number}").evaluate(ACTING) == [], text
