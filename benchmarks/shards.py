"""Compares a pool of processes with a Ray cluster on the same machine: both embed the same papers, taking turns.

    python -m benchmarks.shards SOURCE --ray ADDRESS [--papers N] [--size N] [--workers N] [--rounds N] [--json FILE]

SOURCE is any file of papers, ADDRESS the head of a running cluster (`ray start --head --num-cpus 4`). The time includes
loading the embedder in every process.
"""

import argparse
import time
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import Figure, machine, print_figures
from pathfinder.building import Silent
from pathfinder.building.lake_shards import ProcessPool, ShardRunner, embed_lake
from pathfinder.building.ray_shards import RayCluster
from pathfinder.corpus.readers import read_papers
from pathfinder.models.minilm import MiniLM
from pathfinder.types import Paper


def seconds(papers: list[Paper], runner: ShardRunner, size: int) -> float:
    """Return the time that `runner` takes to embed `papers` in shards of `size` papers."""
    with TemporaryDirectory() as folder:
        start = time.perf_counter()
        embed_lake(iter(papers), Path(folder) / "lake", MiniLM, Silent(), runner, size)
        return time.perf_counter() - start


def measure(papers: list[Paper], address: str, size: int, workers: int, rounds: int) -> list[Figure]:
    """Let the pool and the cluster embed the papers in turn, and return their times."""
    runners = (ProcessPool(workers), RayCluster(address, workers))
    times = [[seconds(papers, runner, size) for runner in runners] for _ in range(rounds)]
    return [
        Figure("papers", len(papers), ""),
        Figure(f"pool of {workers} processes, median of {rounds}", median(pool for pool, _ in times), "s"),
        Figure(f"Ray with {workers} actors, median of {rounds}", median(ray for _, ray in times), "s"),
        Figure("Ray beyond the pool, median", median(ray - pool for pool, ray in times), "s"),
        Figure("Ray / pool, median", median(ray / pool for pool, ray in times), ""),
    ]


def main() -> None:
    """Make the measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--ray", required=True)
    parser.add_argument("--papers", type=int, default=2_048)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, dest="json_path")
    options = parser.parse_args()
    rows = (row for row in read_papers(options.source) if isinstance(row, Paper))
    papers = list(islice(rows, options.papers))
    print(machine())
    print_figures(measure(papers, options.ray, options.size, options.workers, options.rounds), options.json_path)


if __name__ == "__main__":
    main()
