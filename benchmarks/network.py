"""Measures the time to make, open and query a citation network of synthetic papers.

    python -m benchmarks.network [--papers 350000] [--edges 10000000] [--json FILE]

Each paper cites earlier papers, drawn at random with a preference for low rows, and as many works outside the corpus as
within. Target: the network of 350,000 papers with 10 million references between them opens in at most 1 s.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.report import Figure, machine, print_figures, resident_megabytes
from pathfinder.corpus.network import open_network
from pathfinder.corpus.network.relatives import co_cited, coupled_papers
from pathfinder.corpus.network.writing import write_network
from pathfinder.corpus.paper_columns import PAPER_SCHEMA, batch_of
from pathfinder.types import Paper

SEED = 20240801
_PAPERS_AT_ONCE = 10_000
_N_ASKED = 200


def invented_papers(n_papers: int, n_edges: int) -> pa.Table:
    """Return papers, each with about `n_edges / n_papers` references inside the corpus and as many outside."""
    rng = np.random.default_rng(SEED)
    # Draw a few more, because a draw that repeats another or hits the paper itself does not count.
    n_drawn = round(1.03 * n_edges / n_papers)
    batches = []
    for start in range(0, n_papers, _PAPERS_AT_ONCE):
        rows = np.arange(start, min(start + _PAPERS_AT_ONCE, n_papers))
        inside = (rng.random((len(rows), n_drawn)) ** 2 * rows[:, None]).astype(np.int64)
        outside = rng.integers(0, n_edges // 3, (len(rows), round(n_edges / n_papers)))
        references = [
            (*(f"openalex:W{number}" for number in papers.tolist()), *(f"doi:10.1/{work}" for work in works.tolist()))
            for papers, works in zip(inside, outside, strict=True)
        ]
        papers = [
            Paper(str(row), "", "", openalex_id=f"W{row}", references=own_references)
            for row, own_references in zip(rows.tolist(), references, strict=True)
        ]
        batches.append(batch_of(papers))
    return pa.Table.from_batches(batches, schema=PAPER_SCHEMA)


def measure(n_papers: int, n_edges: int, folder: Path) -> list[Figure]:
    """Make the measurements in an empty folder."""
    place = folder / "network"
    writing = _seconds_to_make(n_papers, n_edges, place)
    before = resident_megabytes()
    opening = [_time_call(lambda: open_network(place)) for _ in range(5)]
    network = open_network(place)
    years = np.linspace(1970, 2024, n_papers)
    rows = np.random.default_rng(SEED).integers(0, n_papers, _N_ASKED).tolist()
    return [
        Figure("papers", n_papers, ""),
        Figure("references inside", network.n_inside, ""),
        Figure("references outside", network.n_outside, ""),
        Figure("works outside", len(network.works), ""),
        Figure("on disk", sum(path.stat().st_size for path in place.iterdir()) / 1e6, "MB"),
        Figure("make", writing, "s"),
        Figure("open, first", opening[0], "s", "at most", 1),
        Figure("open, median", float(np.median(opening)), "s", "at most", 1),
        Figure("memory after opening, including mapped pages", resident_megabytes() - before, "MB"),
        Figure("counts as of a year", 1e3 * _time_call(lambda: network.citation_counts_as_of(2000, years)), "ms"),
        Figure("co-cited papers of a paper, median", 1e3 * _median(lambda row: co_cited(network, row), rows), "ms"),
        Figure(
            "coupled papers of a paper, median", 1e3 * _median(lambda row: coupled_papers(network, row), rows), "ms"
        ),
    ]


def _seconds_to_make(n_papers: int, n_edges: int, place: Path) -> float:
    """Return the seconds that it takes to make the network; the papers are then discarded."""
    table = invented_papers(n_papers, n_edges)
    return _time_call(lambda: write_network(table, place))


def _median(call: Callable[[int], object], rows: list[int]) -> float:
    return float(np.median([_time_call(lambda row=row: call(row)) for row in rows]))


def _time_call(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Measure a network of the size given by the arguments."""
    parser = argparse.ArgumentParser(description="Time to make, open and ask a citation network.")
    parser.add_argument("--papers", type=int, default=350_000)
    parser.add_argument("--edges", type=int, default=10_000_000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="pathfinder-") as folder:
        print_figures(measure(arguments.papers, arguments.edges, Path(folder)), arguments.json)


if __name__ == "__main__":
    main()
