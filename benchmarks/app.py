"""Waiting times in a real browser, for the page and for papers after a question, and how far the page moves by itself.

    python -m benchmarks.app CORPUS [--json FILE] [--browser CHROMIUM]

The app runs in its own process and has answered one question before the first measurement. Each figure is the median of
5 new visitors. Targets, on 2 quiet cores and 108,000 papers: the form on screen within 2 s of the request for the page,
the first paper within 1 s of Enter, and a layout shift under 0.1.
"""

import argparse
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import Figure, machine, print_figures

ROOT = Path(__file__).parents[1]
QUESTIONS = (
    "How do black holes grow in the early universe?",
    "What is the value of the Hubble constant?",
    "Which planets have water in their atmospheres?",
    "Are dwarf galaxies made of dark matter?",
    "How are fast radio bursts localised?",
)
WARM_UP = "Why do stars pulsate?"
OPENED = ("", f"/?{urlencode({'q': QUESTIONS[1]})}", "/map", "/library", "/review", "/lab")
"""Addresses at which the layout shift is measured."""
BOX = "Ask a question, or paste an abstract"
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
PATIENCE_MS = 120_000
SHIFTS = """
    window.shift = 0;
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
    }).observe({type: 'layout-shift', buffered: true});
"""
"""Adds up, in `window.shift`, how far what is on screen moves unasked: share of the screen times share of its size."""
WIDTHS = {1440: 900, 390: 844}
"""Width and height in pixels of the screens on which the layout shift is measured."""
STILL_MS = 4000
"""Milliseconds without anything being drawn after which a page is complete."""


def measure(corpus: Path, chromium: str) -> list[Figure]:
    """Return the figures for one corpus."""
    with running_page(corpus) as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        _visit(browser, address, WARM_UP)
        waits = [_visit(browser, address, question) for question in QUESTIONS]
        shift = max(_shift(browser, address + path, width) for path in OPENED for width in WIDTHS)
        asked = max(_shift(browser, address, width, question) for question in QUESTIONS for width in WIDTHS)
        browser.close()
    page, paint, papers = np.median(waits, axis=0)
    return [
        Figure("page request to the form, median of 5", page, "s", "at most", 2),
        Figure("page request to first contentful paint, median of 5", paint, "s", "at most", 2),
        Figure("Enter to the first paper, median of 5", papers, "s", "at most", 1),
        Figure("layout shift of a place opened by its link, largest", shift, "", "at most", 0.1),
        Figure("layout shift of a question asked from the box, largest", asked, "", "at most", 0.1),
    ]


def _visit(browser: Browser, address: str, question: str) -> tuple[float, float, float]:
    """Measure, in seconds, the time from the request to the form and to the first paint, and from the button press to
    the first paper.
    """
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        start = time.perf_counter()
        page.goto(address, wait_until="commit")
        box = page.get_by_role("textbox", name=BOX)
        box.wait_for()
        to_form = time.perf_counter() - start
        to_paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime") / 1000
        box.fill(question)
        start = time.perf_counter()
        box.press("Enter")
        page.locator(".paper").first.wait_for()
        return to_form, to_paint, time.perf_counter() - start


def _shift(browser: Browser, address: str, width: int, question: str = "") -> float:
    """Add up the layout shifts of a page until it is complete: from its request or, with a `question`, from when it is
    asked there.
    """
    with browser.new_context(viewport={"width": width, "height": WIDTHS[width]}, has_touch=width < 800) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(SHIFTS)
        page.goto(address, wait_until="commit")
        page.locator("h1").wait_for()
        _wait_until_still(page)
        if question:
            page.evaluate("window.shift = 0")
            page.get_by_role("textbox", name=BOX).fill(question)
            page.get_by_role("textbox", name=BOX).press("Enter")
            page.locator(".st-key-answer").wait_for()
            _wait_until_still(page)
        return float(page.evaluate("window.shift"))


def _wait_until_still(page: Page) -> None:
    quiet_since = time.perf_counter()
    while (time.perf_counter() - quiet_since) * 1000 < STILL_MS:
        if page.locator("[data-testid=stStatusWidget], [data-testid=stSkeleton]").count():
            quiet_since = time.perf_counter()
        page.wait_for_timeout(200)


@contextmanager
def running_page(corpus: Path, **environment: str) -> Iterator[tuple[str, int]]:
    """Serve the page in its own process; yield its address and the id of the process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.address=127.0.0.1"]
    command += [f"--server.port={port}", "--server.headless=true"]
    environment = os.environ | {"PATHFINDER_CORPUS": str(corpus.resolve())} | environment
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 - our own app
    try:
        _wait(port)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


def _wait(port: int) -> None:
    for _ in range(600):
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=5).close()
            return
        time.sleep(0.1)
    raise TimeoutError(f"nothing listened on port {port} within a minute")


def main() -> None:
    """Measure the waiting times for the corpus given as an argument."""
    parser = argparse.ArgumentParser(description="How long a reader waits.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--browser", default=os.environ.get("PATHFINDER_CHROMIUM") or shutil.which("chromium"))
    arguments = parser.parse_args()
    print(f"{arguments.corpus.name}: {machine()}")
    print_figures(measure(arguments.corpus, arguments.browser), arguments.json)


if __name__ == "__main__":
    main()
