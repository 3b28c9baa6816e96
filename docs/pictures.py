"""Takes the pictures of README.md and docs/ from a running page, so that they show what is there.

    make app                                                     # in another terminal: the demo corpus, no chat model
    .venv/bin/python docs/pictures.py http://127.0.0.1:8501 [BROWSER]

BROWSER is a Chromium; by default, the one that playwright has installed. `map.png` is made by `pathfinder map` instead.
"""

import sys
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import sync_playwright

QUESTION = quote("What is the value of the Hubble constant?")
PICTURES = {
    "ask": (f"/?q={QUESTION}", "light"),
    "ask-dark": (f"/?q={QUESTION}", "dark"),
    "map-page": (f"/map?q={QUESTION}", "light"),
}
"""Address and theme of each picture, by the name of its file."""
SIZE = {"width": 1440, "height": 900}
DONE = "[data-testid=stApp][data-test-script-state=notRunning]"
SETTLED_MS = 6000
"""Time for plots and maps to be drawn after the script has ended, in milliseconds."""


def take(address: str, browser_path: str | None) -> None:
    """Write every picture into this folder, from the page at `address`."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path)
        for name, (path, theme) in PICTURES.items():
            page = browser.new_page(viewport=SIZE, color_scheme=theme)  # type: ignore[arg-type]
            page.goto(address + path)
            page.wait_for_selector(DONE, timeout=120_000)
            page.wait_for_timeout(SETTLED_MS)
            page.screenshot(path=Path(__file__).parent / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    take(sys.argv[1].rstrip("/"), sys.argv[2] if len(sys.argv) > 2 else None)
