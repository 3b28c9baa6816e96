"""Compares an update with a fresh build: the time of each stage, and the parts of the corpus that are the same
afterwards.

    python -m benchmarks.updating SOURCE [--papers N] [--keep DIR] [--json FILE]

SOURCE is a file of JSON lines. Of its first N papers, 3% are new, 1.2% changed, 0.12% withdrawn and 0.03% retracted, at
least one of each: for the 16,659 abstracts of astro-ph 2025-2026, these are 500, 200, 20 and 5. Target: at most a tenth
of the time of a fresh build, and the same parts. Only the map may differ, because papers keep their places on it; its
drift from a fresh map is measured instead, as is the number of earlier papers that have moved.

With `--keep`, the corpus before the update and the fresh one stay in DIR, with the times of the fresh build, and are
reused next time.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.building import StageClock
from benchmarks.report import Figure, machine, print_figures
from pathfinder.building import build
from pathfinder.building.map import map_drift
from pathfinder.building.update import UpdateReport, update
from pathfinder.corpus.manifest import is_corpus, read_manifest
from pathfinder.corpus.readers.decoding import read_text
from pathfinder.corpus.store import open_corpus
from pathfinder.landscape.data.landscape import open_landscape
from pathfinder.models.minilm import MiniLM

SHARES = {"new": 0.03, "changed": 0.012, "withdrawn": 0.0012, "retracted": 0.0003}
"""Shares of papers that are new, changed, withdrawn or retracted in the update."""
OF_THE_MAP = ("landscape", "layers", "atlas")
"""Parts that depend on the places of the papers, which an update keeps."""

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cost:
    """Time of a build or an update."""

    seconds: float
    processor: float
    """Processor time of all threads, in seconds."""


def versions(records: list[Record]) -> tuple[list[Record], list[Record]]:
    """Return the records before and after the update; the new papers come last, where an update adds them."""
    sizes = {name: max(1, round(share * len(records))) for name, share in SHARES.items()}
    before = records[: len(records) - sizes["new"]]
    after, step = [dict(record) for record in records], len(before) // (1 + sum(sizes.values()) - sizes["new"])
    kinds = [name for name, size in sizes.items() if name != "new" for _ in range(size)]
    for place, kind in enumerate(kinds):
        record = after[place * step]
        if kind == "changed":
            record["abstract"] = f"{record['abstract']} We revise the errors."
        else:
            record["status"] = kind
    return before, after


def cost_of(run: Callable[[], object]) -> Cost:
    """Run a build or an update, and measure it."""
    start, processor = time.perf_counter(), time.process_time()
    run()
    return Cost(time.perf_counter() - start, time.process_time() - processor)


def measure(source: Path, n_papers: int | None, folder: Path) -> list[Figure]:
    """Measure an update and a fresh build in `folder`, which may contain their corpora from an earlier run."""
    before, after = versions([json.loads(line) for line in read_text(source).split("\n") if line][:n_papers])
    papers, embedder, clock = folder / "papers.jsonl", MiniLM(), StageClock()
    if not is_corpus(folder / "before"):
        _write(papers, before)
        build([papers], folder / "before", embedder)
    _write(papers, after)
    shutil.rmtree(folder / "updated", ignore_errors=True)
    shutil.copytree(folder / "before", folder / "updated")
    reports: list[UpdateReport] = []
    own = cost_of(lambda: reports.append(update(folder / "updated", embedder, progress=clock)))
    times = folder / "fresh.json"
    if not times.is_file():
        fresh = cost_of(lambda: build([papers], folder / "fresh", embedder))
        times.write_text(json.dumps(asdict(fresh)), encoding="utf-8")
    for name in ("new", "changed", "withdrawn", "retracted"):
        print(f"{name}: {getattr(reports[0], f'n_{name}')}")
    return [
        *_figures(own, Cost(**json.loads(times.read_text(encoding="utf-8")))),
        *_differences(folder),
        *(Figure(f"{stage}: seconds", seconds, "s") for stage, seconds in clock.seconds.items()),
        *(Figure(f"{stage}: processor time", seconds, "s") for stage, seconds in clock.processor.items()),
    ]


def _figures(own: Cost, fresh: Cost) -> list[Figure]:
    return [
        Figure("update", own.seconds, "s"),
        Figure("fresh build", fresh.seconds, "s"),
        Figure("share of its time", own.seconds / fresh.seconds, "", "at most", 0.1),
        Figure("update: processor time", own.processor, "s"),
        Figure("fresh build: processor time", fresh.processor, "s"),
        Figure("share of its processor time", own.processor / fresh.processor, "", "at most", 0.1),
    ]


def _differences(folder: Path) -> list[Figure]:
    """Compare the updated corpus with the fresh one, part by part, and its map with the earlier map and a fresh one."""
    now, then = (read_manifest(folder / name)[0].parts for name in ("updated", "fresh"))
    roles = [role for role in dict.fromkeys((*then, *now)) if role not in OF_THE_MAP]
    different = [role for role in roles if now.get(role) != then.get(role)]
    print(f"the same as in a fresh build: {', '.join(role for role in roles if role not in different)}")
    print(f"different: {', '.join(different) or 'none'}")
    before, after = (open_landscape(path) for path in map(_map_of, (folder / "before", folder / "updated")))
    n_known, drift = len(before.coordinates), map_drift(open_corpus(folder / "updated"))
    has_moved = np.any(before.coordinates != after.coordinates[:n_known], axis=1)
    return [
        Figure("parts that differ", len(different), "", "at most", 0),
        Figure("earlier papers that moved on the map", int(has_moved.sum()), "", "at most", 0),
        Figure("distance from the place on a fresh map: median", drift.median, ""),
        Figure("distance from the place on a fresh map: 90th percentile", drift.ninth_decile, ""),
        Figure("neighbours in meaning that are neighbours on the map", drift.neighbours_kept, ""),
        Figure("neighbours in meaning that are neighbours on a fresh map", drift.neighbours_kept_afresh, ""),
    ]


def _map_of(corpus: Path) -> Path:
    return corpus / read_manifest(corpus)[0].parts["landscape"].name


def _write(path: Path, records: list[Record]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--papers", type=int, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        print_figures(measure(options.source, options.papers, folder), options.json)


if __name__ == "__main__":
    main()
