"""Time to make the network for a question, and time between two frames while it is dragged, in a real browser.

    python -m benchmarks.network_page CORPUS [--papers N] [--question Q] [--browser CHROMIUM] [--json FILE]

Target, on two cores with headless Chromium: a median of at most 33 ms per frame, for 500 papers.
"""

import argparse
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from benchmarks.report import Figure, machine, print_figures
from pathfinder.figures.map import MAP_CONFIG
from pathfinder.figures.network import network_figure
from pathfinder.retrieval.network.paper_network import MAX_PAPERS
from pathfinder.session import Pathfinder
from pathfinder.types import MAX_TOP_K

FLAGS = ["--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"]
N_ROUNDS, N_MOVES = 5, 200
MOST_MS = 33.0
RANGE = (-1.15, 1.15)
"""Range of the horizontal axis before the figure is moved."""
START_FRAMES = """
    window.frames_ms = [];
    let last = performance.now();
    const next = (now) => { window.frames_ms.push(now - last); last = now; requestAnimationFrame(next); };
    requestAnimationFrame(next);
"""


def frames_while_dragged(page_file: Path, browser: str) -> list[float]:
    """Return the milliseconds between frames while the figure is dragged to and fro."""
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser, args=FLAGS)
        page = chromium.new_page(viewport={"width": 1440, "height": 900})
        page.goto(page_file.as_uri())
        page.locator(".js-plotly-plot .scatterlayer .trace").first.wait_for()
        page.mouse.move(700, 400)
        page.mouse.down()
        page.evaluate(START_FRAMES)
        for step in range(N_MOVES):
            page.mouse.move(700 + 200 * (step % 20) / 20, 400 + 100 * (step % 14) / 14)
        frames: list[float] = page.evaluate("window.frames_ms.slice(1)")
        page.mouse.up()
        left, right = page.evaluate("document.querySelector('.js-plotly-plot').layout.xaxis.range")
        chromium.close()
    if (left, right) == RANGE:
        raise SystemExit("the network did not move while it was dragged, so that its frames say nothing")
    return frames


def main() -> None:
    """Measure both times, and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--papers", type=int, default=MAX_PAPERS)
    parser.add_argument("--question", default="What is the value of the Hubble constant?")
    parser.add_argument("--browser", default=shutil.which("chromium-headless-shell") or shutil.which("chromium"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    pf = Pathfinder.open(options.corpus)
    result = pf.search(options.question, top_k=MAX_TOP_K)
    seconds = []
    for _ in range(N_ROUNDS):
        start = time.perf_counter()
        network = pf.network(result, n_papers=options.papers)
        seconds.append(time.perf_counter() - start)
    with tempfile.TemporaryDirectory() as folder:
        page_file = Path(folder) / "network.html"
        network_figure(network).write_html(page_file, include_plotlyjs=True, config=MAP_CONFIG)
        frames = frames_while_dragged(page_file, options.browser)
    print(f"{machine()}; {len(network.papers)} papers, {len(network.links):,} links by {network.tie}")
    figures = [
        Figure("making the network, median", statistics.median(seconds), "s"),
        Figure("frame while dragged, median", statistics.median(frames), "ms", "at most", MOST_MS),
        Figure("frame while dragged, 95th percentile", statistics.quantiles(frames, n=20)[-1], "ms"),
    ]
    print_figures(figures, options.json)


if __name__ == "__main__":
    main()
