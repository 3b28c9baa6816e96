"""Time and memory needed to open and search corpora of many sizes, with fitted exponents.

    python -m benchmarks.scale CORPUS QUESTIONS.jsonl [--papers 1000,16000,...] [--without tokens] [--scratch DIR]
        [--json FILE]

For each size, the papers of CORPUS are repeated with noise on their vectors (`repeated.py`), `benchmarks.speed`
measures the corpus in a separate process, and the corpus is deleted before the next is made, so that the disk never
holds more than one. A size that would leave less than a tenth of the disk free is left out, with the reason. CORPUS
must have been built with this version. An exponent is the slope of the logarithm of a figure against the logarithm of
the number of papers, by least squares over all sizes.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.repeated import ROLES, repeat
from benchmarks.report import machine
from pathfinder.corpus.manifest import Manifest, read_manifest

SIZES = "1000,16000,125000,350000,3000000"
LEAST_FREE = 0.1


def main() -> None:
    """Measure each size, print the figures as they become available, and write all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("--papers", default=SIZES)
    parser.add_argument(
        "--without", nargs="*", default=[], choices=ROLES, help="parts to leave out, to save disk space"
    )
    parser.add_argument("--scratch", type=Path, help="folder for the corpora; the system's temporary one by default")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    sizes = [int(size) for size in options.papers.split(",")]
    report: dict[str, Any] = {"machine": machine(), "corpus": options.corpus.name, "sizes": {}}
    for n in sizes:
        report["sizes"][str(n)] = report_of_n = measure_corpus(
            options.corpus, options.questions, n, options.scratch, options.without
        )
        print(n, json.dumps(report_of_n), flush=True)
        report["exponents"] = exponents(report["sizes"])
        if options.json is not None:
            options.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report["exponents"], indent=1))


def measure_corpus(corpus: Path, questions: Path, n: int, scratch: Path | None, without: list[str]) -> dict[str, Any]:
    """Return the figures of a corpus of `n` papers by name, or the reason why it was not measured."""
    with TemporaryDirectory(prefix="scale-", dir=scratch) as folder:
        manifest, _ = read_manifest(corpus)
        needed_bytes, disk = bytes_per_paper(manifest, without) * n, disk_usage(folder)
        # A part is written at most twice: `terms` is joined from its pieces.
        if disk.free - 1.1 * needed_bytes < LEAST_FREE * disk.total:
            return {"left out": f"it takes {needed_bytes / 1e9:.1f} GB, and {disk.free / 1e9:.1f} GB are free"}
        start = time.perf_counter()
        repeat(corpus, n, Path(folder) / "corpus", without)
        seconds = time.perf_counter() - start
        command = [sys.executable, "-m", "benchmarks.speed", f"{folder}/corpus", str(questions)]
        subprocess.run([*command, "--json", f"{folder}/figures.json"], check=True)  # noqa: S603  our own program
        figures = json.loads((Path(folder) / "figures.json").read_text(encoding="utf-8"))
        n_bytes = sum(path.stat().st_size for path in (Path(folder) / "corpus").rglob("*") if path.is_file())
    return {
        **{f"{figure['name']} ({figure['unit']})": figure["value"] for figure in figures},
        "bytes per paper": n_bytes / n,
        "repeating the papers (s)": seconds,
    }


def bytes_per_paper(manifest: Manifest, without: list[str]) -> float:
    """Return the mean size per paper of the parts that are repeated."""
    parts = [part for role, part in manifest.parts.items() if role in ROLES and role not in without]
    return sum(entry.length for part in parts for entry in part.files) / manifest.counts.papers


def exponents(sizes: dict[str, dict[str, Any]]) -> dict[str, float]:
    """Return the exponent of each figure, if at least two sizes were measured."""
    whole = {int(n): figures for n, figures in sizes.items() if "left out" not in figures}
    if len(whole) < 2:
        return {}
    logs = np.log(sorted(whole))
    names = set.intersection(*(set(figures) for figures in whole.values()))
    return {
        name: round(float(np.polyfit(logs, np.log([whole[n][name] for n in sorted(whole)]), 1)[0]), 3)
        for name in sorted(names)
    }


if __name__ == "__main__":
    main()
