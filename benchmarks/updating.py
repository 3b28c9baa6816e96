"""Time of an update against that of a fresh build, stage by stage, and what of the corpus is then the same.

    python -m benchmarks.updating SOURCE [--papers N] [--json FILE]

SOURCE is a file of JSON lines. Of its first N papers, 3% are new, 1.2% changed, 0.12% withdrawn and 0.03% retracted, at
least one of each: for the 16,659 abstracts of astro-ph 2025-2026, these are 500, 200, 20 and 5. Target: at most a tenth
of the time of a fresh build, and the same papers, vectors, words, keywords and calibration. The map keeps its places,
so that only its drift can be compared (`pathfinder info --drift`).
"""

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.building import StageClock
from benchmarks.report import Figure, machine, print_figures
from pathfinder.building import build
from pathfinder.building.update import update
from pathfinder.corpus.manifest import read_manifest
from pathfinder.corpus.readers.decoding import read_text
from pathfinder.models.minilm import MiniLM

SHARES = {"new": 0.03, "changed": 0.012, "withdrawn": 0.0012, "retracted": 0.0003}
"""Shares of the papers that an update finds new or different."""
SAME = ("papers", "dense", "tokens", "passages", "titles", "sparse", "terms", "outliers", "relevance", "reranker")
"""Parts that must be those of a fresh build."""

Record = dict[str, Any]


def versions(records: list[Record]) -> tuple[list[Record], list[Record]]:
    """Return the records before and after the update: the new papers come last, as an update adds them."""
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


def measure(source: Path, n_papers: int | None) -> list[Figure]:
    """Measure a fresh build and an update in a folder that is deleted afterwards."""
    before, after = versions([json.loads(line) for line in read_text(source).split("\n") if line][:n_papers])
    with tempfile.TemporaryDirectory() as folder:
        papers, embedder = Path(folder) / "papers.jsonl", MiniLM()
        _write(papers, before)
        build([papers], Path(folder) / "updated", embedder)
        _write(papers, after)
        clock, start = StageClock(), time.perf_counter()
        report = update(Path(folder) / "updated", embedder, progress=clock)
        seconds, start = time.perf_counter() - start, time.perf_counter()
        build([papers], Path(folder) / "fresh", embedder)
        fresh = time.perf_counter() - start
        now, then = (read_manifest(Path(folder) / name)[0] for name in ("updated", "fresh"))
    different = [role for role in SAME if now.parts.get(role) != then.parts.get(role)]
    print(f"new {report.n_new}, changed {report.n_changed}, withdrawn {report.n_withdrawn}, "
          f"retracted {report.n_retracted}; parts that differ from a fresh build: {different or 'none'}")  # fmt: skip
    return [
        Figure("update", seconds, "s"),
        Figure("fresh build", fresh, "s"),
        Figure("share", seconds / fresh, "", "at most", 0.1),
        Figure("parts that differ", len(different), "", "at most", 0),
        *(Figure(f"{stage}: seconds", own, "s") for stage, own in clock.seconds.items()),
    ]


def _write(path: Path, records: list[Record]) -> None:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")


def main() -> None:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--papers", type=int, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    print(machine())
    print_figures(measure(options.source, options.papers), options.json)


if __name__ == "__main__":
    main()
