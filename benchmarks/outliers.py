"""Measure how often healthy hits are flagged, planted outliers are found, and the shapes of results are recognised.

    python -m benchmarks.outliers CORPUS [--questions QUERIES.jsonl] [--json FILE]

Healthy results are the k nearest neighbours of papers on which the cut-offs were not calibrated; a planted outlier is a
random paper of the same corpus that replaces the last of them. One cluster is k neighbours of a paper, two clusters are
half the neighbours of each of two random papers, and broad is k random papers. `--questions`, a `queries.jsonl` in
BEIR's layout, adds real searches, in which nothing is planted and the right answer is unknown. Target: about 5% of
healthy hits flagged.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Figure, machine, print_figures
from pathfinder.answering.assessment.assess import (
    OutlierCalibration,
    calibrate,
    drawn_papers,
    leave_one_out_distances,
    spread,
)
from pathfinder.corpus.store import open_corpus
from pathfinder.facade import Pathfinder
from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.types import Spread

SIZES = (5, 10, 20, 30)
N_SETS = 300
CALIBRATION_SEED, SEED = 1, 2
MOST_FALSE_FLAGS = 0.07

Vectors = NDArray[np.float32]


def measure_flags(vectors: Vectors, calibration: OutlierCalibration) -> list[Figure]:
    """Return the share of healthy hits and of planted outliers that are flagged, by k and cut-off."""
    rng = np.random.default_rng(SEED)
    unseen_rows = np.setdiff1d(np.arange(len(vectors)), drawn_papers(len(vectors), CALIBRATION_SEED))
    near, _ = nearest_neighbours(
        vectors, rng.choice(unseen_rows, size=min(N_SETS, len(unseen_rows)), replace=False), max(SIZES)
    )
    strangers = rng.integers(len(vectors), size=len(near))
    figures = []
    for k in SIZES:
        healthy = leave_one_out_distances(vectors[near[:, :k]])
        planted_distances = leave_one_out_distances(vectors[np.column_stack([near[:, : k - 1], strangers])])[:, -1]
        for name, cutoff in (("calibrated", calibration.calibrated[k - 1]), ("paper", calibration.paper[k - 1])):
            assert cutoff is not None, f"{len(vectors)} papers are too few to measure k = {k} on"
            false, found_share = float(np.mean(healthy > cutoff)), float(np.mean(planted_distances > cutoff))
            bound = ("at most", MOST_FALSE_FLAGS) if name == "calibrated" else (None, None)
            figures.append(Figure(f"k = {k}, {name}: healthy hits flagged", false, "", *bound))
            figures.append(Figure(f"k = {k}, {name}: planted outliers found", found_share, ""))
    return figures


def measure_spread(vectors: Vectors, calibration: OutlierCalibration) -> list[Figure]:
    """Return the share of results of each shape that are recognised, by k."""
    rng = np.random.default_rng(SEED)
    near, _ = nearest_neighbours(vectors, rng.integers(len(vectors), size=2 * N_SETS), max(SIZES))
    first, second = near[:N_SETS], near[N_SETS:]
    figures = []
    for k in SIZES:
        planted_sets = {
            Spread.ONE_CLUSTER: first[:, :k],
            Spread.TWO_CLUSTERS: np.hstack([first[:, : k - k // 2], second[:, : k // 2]]),
            Spread.BROAD: np.array([rng.choice(len(vectors), size=k, replace=False) for _ in range(N_SETS)]),
        }
        for shape, sets in planted_sets.items():
            right = [spread(hits, calibration) is shape for hits in vectors[sets]]
            figures.append(Figure(f"k = {k}: {shape.value}, called so", float(np.mean(right)), ""))
    return figures


def measure_questions(corpus: Path, questions: list[str]) -> list[Figure]:
    """Return, for each k, the share of hits flagged in real searches, and the share of results of each shape."""
    pathfinder = Pathfinder.open(corpus)
    figures = []
    for k in SIZES:
        results = [pathfinder.search(question, top_k=k) for question in questions]
        flagged_share = float(np.mean([bool(hit.outlier) for result in results for hit in result.hits]))
        figures.append(Figure(f"k = {k}, questions: hits flagged", flagged_share, ""))
        shapes = Counter(result.assessment.spread for result in results if result.assessment)
        figures += [Figure(f"k = {k}, questions: {shape.value}", shapes[shape] / len(results), "") for shape in Spread]
    return figures


def main() -> None:
    """Measure the corpus named in the arguments."""
    parser = argparse.ArgumentParser(description="False flags, planted outliers and shapes of results.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    index = open_corpus(arguments.corpus).dense
    vectors = index.vectors(np.arange(len(index)))
    calibration = calibrate(vectors, CALIBRATION_SEED)
    figures = measure_flags(vectors, calibration) + measure_spread(vectors, calibration)
    if arguments.questions:
        lines = arguments.questions.read_text(encoding="utf-8").splitlines()
        figures += measure_questions(arguments.corpus, [json.loads(line)["text"] for line in lines if line.strip()])
    print_figures(figures, arguments.json)


if __name__ == "__main__":
    main()
