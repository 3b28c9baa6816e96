"""Performance of the map page with many papers in a real browser, compared with a naive page in the same run.

    python -m benchmarks.map_page CORPUS [--papers N] [--json FILE] [--browser CHROMIUM] [--without-naive]

CORPUS is repeated with noise until it has N papers (see `enlarged`). The server runs in its own process. The "first
visitor" opens the page before anyone else; the others come later. The naive page is a Streamlit page with one Plotly
scattergl trace of all papers, with titles on hover. Targets, on 2 cores: ready within 3 s for 350,000 papers and within
2 s for 1,000; at most 2 MB over the socket until then; at most 60 MB of JavaScript heap after a forced garbage
collection; a zoom step redrawn within 300 ms; a region described within 1 s.
"""

import argparse
import os
import shutil
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.report import Figure, machine, print_figures

ROOT = Path(__file__).parents[1]
FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
PATIENCE_MS = 120_000
MANY = 100_000
N_VISITORS, N_STEPS = 3, 6

FIRST_WORDS = "The papers are there."
READY = ".atlas[data-ground=sharp]:not([data-waits]):not([data-points='0'])"
FIND = """
    const all = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')];
    const root = all.map((one) => one.shadowRoot.querySelector('.atlas')).find(Boolean);
"""
STEP = (
    "(steps) => new Promise((resolve) => {"
    + FIND
    + """
        const canvas = root.querySelector('canvas');
        const box = canvas.getBoundingClientRect();
        const [clientX, clientY] = [box.x + box.width / 2, box.y + box.height / 2];
        const drawn = root.dataset.drawn;
        const start = performance.now();
        let redrawn = null;
        const look = () => {
            if (redrawn === null && root.dataset.drawn !== drawn) redrawn = performance.now() - start;
            const late = performance.now() - start;
            if (redrawn !== null && late > 150 && root.dataset.ground === 'sharp' && !root.dataset.waits)
                resolve([redrawn, late]);
            else requestAnimationFrame(look);
        };
        canvas.dispatchEvent(new WheelEvent('wheel', {deltaY: -180 * steps, clientX, clientY, bubbles: true}));
        requestAnimationFrame(look);
    })
    """
)
"""Milliseconds from a turn of the mouse wheel to the frame that shows its effect, and to the frame with all tiles and
papers in view.
"""

PLOTTED = """
    () => { const plot = document.querySelector('.js-plotly-plot');
            return plot && plot._fullLayout && plot._fullData && plot.querySelector('.gl-canvas') !== null }
"""
REPLOT = """
    () => new Promise((resolve) => {
        const plot = document.querySelector('.js-plotly-plot');
        const start = performance.now();
        plot.on('plotly_relayout', () => requestAnimationFrame(() => resolve(performance.now() - start)));
        plot.querySelector('.modebar-btn[data-title="Zoom in"]').click();
    })
"""
"""Milliseconds from a click on Plotly's own button to the first frame after Plotly reports a changed view."""


class Visit:
    """A visitor's page, with the messages sent over its sockets."""

    def __init__(self, browser: Browser) -> None:
        self.context = browser.new_context(viewport={"width": 1440, "height": 900})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.received = 0
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._count))

    def _count(self, frame: str | bytes) -> None:
        self.received += len(frame)

    def open(self, address: str, *, naive: bool = False) -> float:
        """Return the seconds until everything is drawn."""
        start = time.perf_counter()
        self.page.goto(address, wait_until="commit")
        if naive:
            self.page.wait_for_function(PLOTTED)
        else:
            self.page.locator(READY).wait_for()
        return time.perf_counter() - start

    def heap_megabytes(self) -> float:
        """Return the megabytes of JavaScript heap after a forced garbage collection."""
        session = self.context.new_cdp_session(self.page)
        session.send("HeapProfiler.collectGarbage")
        return float(session.send("Runtime.getHeapUsage")["usedSize"]) / 1e6


def empty(browser: Browser, address: str) -> float:
    """Return the seconds until a page with one line of text is shown: the minimum for any page."""
    visit = Visit(browser)
    start = time.perf_counter()
    visit.page.goto(address, wait_until="commit")
    visit.page.get_by_text(FIRST_WORDS).wait_for()
    visit.context.close()
    return time.perf_counter() - start


def measure(browser: Browser, address: str, n: int) -> list[Figure]:
    """Measure the map page."""
    limit = 3 if n >= MANY else 2
    first = Visit(browser)
    ready_first = first.open(f"{address}/map")
    first.context.close()
    require_chat_model, messages = [], []
    for _ in range(N_VISITORS):
        visit = Visit(browser)
        require_chat_model.append(visit.open(f"{address}/map"))
        messages.append(visit.received / 1e6)
        if len(require_chat_model) < N_VISITORS:
            visit.context.close()
    at_rest = visit.heap_megabytes()
    steps = [visit.page.evaluate(STEP, 1 if step < N_STEPS / 2 else -1) for step in range(N_STEPS)]
    lasso = _region(visit.page)
    return [
        Figure("ready, first visitor after the start", ready_first, "s", "at most", limit),
        Figure(f"ready, median of {N_VISITORS} visitors", statistics.median(require_chat_model), "s", "at most", limit),
        Figure("over the socket until ready", max(messages), "MB", "at most", 2),
        Figure("JavaScript heap once ready", at_rest, "MB", "at most", 60),
        Figure("JavaScript heap after six zooms and a region", visit.heap_megabytes(), "MB", "at most", 60),
        Figure(f"zoom step to its redraw, worst of {N_STEPS}", max(s[0] for s in steps), "ms", "at most", 300),
        Figure("zoom step to all tiles and papers, median", statistics.median(s[1] for s in steps), "ms"),
        Figure("region drawn to what is studied there", lasso, "s", "at most", 1),
    ]


def _region(page: Page) -> float:
    """Return the seconds from the moment a box has been drawn over most of the map to the appearance of the panel that
    describes the region inside it.
    """
    page.get_by_role("button", name="Draw a box").click()
    box = page.locator(".atlas canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.1 * box["width"], box["y"] + 0.1 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 0.9 * box["height"], steps=5)
    start = time.perf_counter()
    page.mouse.up()
    page.get_by_text("What is studied here").wait_for()
    return time.perf_counter() - start


def measure_naive(browser: Browser, address: str) -> list[Figure]:
    """Measure the naive page in the same way."""
    visit = Visit(browser)
    require_chat_model = visit.open(f"{address}/naive", naive=True)
    figures = [
        Figure("naive: ready, first visitor", require_chat_model, "s"),
        Figure("naive: over the socket until ready", visit.received / 1e6, "MB"),
        Figure("naive: JavaScript heap once ready", visit.heap_megabytes(), "MB"),
    ]
    return [*figures, Figure("naive: zoom step to its redraw", visit.page.evaluate(REPLOT), "ms")]


@contextmanager
def serve_page(corpus: Path, n: int) -> Iterator[str]:
    """Yield the address of a server with `n` papers, once it has made them."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "benchmarks/enlarged_app.py", "--server.address=127.0.0.1"]
    command += [f"--server.port={port}", "--server.headless=true"]
    more = {"PATHFINDER_CORPUS": str(corpus.resolve()), "ENLARGED_TO": str(n), "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(command, cwd=ROOT, env=os.environ | more, stdout=subprocess.DEVNULL)  # noqa: S603 - our own
    try:
        for _ in range(600):
            with suppress(OSError):
                socket.create_connection(("127.0.0.1", port), timeout=5).close()
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()


def main() -> None:
    """Measure the corpus named in the arguments."""
    parser = argparse.ArgumentParser(description="How the map page bears many papers.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--papers", type=int, default=350_000)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--browser", default=os.environ.get("PATHFINDER_CHROMIUM") or shutil.which("chromium"))
    parser.add_argument("--without-naive", action="store_true")
    arguments = parser.parse_args()
    print(f"{arguments.papers:,} papers out of {arguments.corpus.name}: {machine()}")
    with serve_page(arguments.corpus, arguments.papers) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.browser, args=FLAGS)
        waiting = Visit(browser)
        waiting.page.goto(address)  # the papers are made before anything is measured
        waiting.page.get_by_text(FIRST_WORDS).wait_for()
        waiting.context.close()
        figures = [Figure("an empty page of Streamlit, ready", empty(browser, address), "s")]
        figures += measure(browser, address, arguments.papers)
        if not arguments.without_naive:
            figures += measure_naive(browser, address)
        browser.close()
    print_figures(figures, arguments.json)


if __name__ == "__main__":
    main()
