"""Seconds from the start of the server to the first answer on the page, with a corpus that is already built.

    python -m benchmarks.cold_start CORPUS [--times 5] [--json FILE]

This is what a container does when it starts: its image holds the corpus. Each time, a new process serves the page; a
visitor arrives as soon as the process listens, and asks a question. Bytecode is present, as in the image; files that
the system has cached stay cached, so the first start after a reboot takes longer. Target: 10 s on two processors.
"""

import argparse
import asyncio
import time
from pathlib import Path

import numpy as np

from benchmarks.app import running_page
from benchmarks.report import Figure, machine, print_figures
from benchmarks.visitor import Visitor

QUESTION = "How old are globular clusters?"
TARGET_SECONDS = 10


async def _first_answer(address: str) -> None:
    async with Visitor(address, f"q={QUESTION.replace(' ', '+')}") as visitor:
        view = await visitor.open()
    if view.errors:
        raise RuntimeError(f"the page shows an error: {view.errors[0]}")


def seconds_to_answer(corpus: Path) -> tuple[float, float]:
    """Return the seconds until the server listens, and until the first answer has been drawn."""
    start = time.perf_counter()
    with running_page(corpus) as (address, _):
        listening = time.perf_counter() - start
        asyncio.run(_first_answer(address))
        return listening, time.perf_counter() - start


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    print(f"{args.corpus.name}: {machine()}")
    listening, first_answer = np.median([seconds_to_answer(args.corpus) for _ in range(args.times)], axis=0)
    figures = [
        Figure(f"start to listening, median of {args.times}", listening, "s"),
        Figure(f"start to the first answer, median of {args.times}", first_answer, "s", "at most", TARGET_SECONDS),
    ]
    print_figures(figures, args.json)


if __name__ == "__main__":
    main()
