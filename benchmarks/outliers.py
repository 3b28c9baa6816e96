"""How often a healthy hit is flagged, a planted outlier is found, and the shape of a result is told right.

    python benchmarks/outliers.py build/astro --questions QUERIES.jsonl

Healthy results are the k nearest neighbours of papers that the cut-offs were not calibrated on; a planted outlier
is a random paper of the same corpus in the place of the last of them. One cluster is k neighbours of a paper, two
are halves from two random papers, broad is k random papers. `--questions`, a `queries.jsonl` of the BEIR
layout, adds what real searches look like, where nothing is planted and no one knows what is right. To reach: about 5%
false flags.
"""

import argparse
import json
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.outliers import (
    OutlierCalibration,
    calibrate,
    drawn_papers,
    find_outliers,
    leave_one_out_distances,
)
from pathfinder.assessment.spread import spread
from pathfinder.corpus.store import open_corpus
from pathfinder.explorer import Pathfinder
from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.types import Spread

SIZES = (5, 10, 20, 30)
N_SETS = 300
CALIBRATION_SEED, SEED = 1, 2

Vectors = NDArray[np.float32]
Figures = dict[str, dict[int, float]]


def measure_flags(vectors: Vectors, calibration: OutlierCalibration) -> Figures:
    """Share of healthy hits flagged and of planted outliers found, by cut-off and k."""
    rng = np.random.default_rng(SEED)
    unseen = np.setdiff1d(np.arange(len(vectors)), drawn_papers(len(vectors), CALIBRATION_SEED))
    rows = rng.choice(unseen, size=min(N_SETS, len(unseen)), replace=False)
    near, _ = nearest_neighbours(vectors, rows, max(SIZES))
    strangers = rng.integers(len(vectors), size=len(rows))
    figures: Figures = {f"{what}, {name}": {} for what in ("false", "found") for name in ("calibrated", "paper")}
    for k in SIZES:
        healthy = leave_one_out_distances(vectors[near[:, :k]])
        planted = leave_one_out_distances(vectors[np.column_stack([near[:, : k - 1], strangers])])
        for name in ("calibrated", "paper"):
            cutoff = getattr(calibration, name)[k - 1]
            figures[f"false, {name}"][k] = float(np.mean(healthy > cutoff))
            figures[f"found, {name}"][k] = float(np.mean(planted[:, -1] > cutoff))
    return figures


def measure_spread(vectors: Vectors, calibration: OutlierCalibration) -> Figures:
    """Share of results of each shape that are called by it, by k."""
    rng = np.random.default_rng(SEED)
    near, _ = nearest_neighbours(vectors, rng.integers(len(vectors), size=2 * N_SETS), max(SIZES))
    first, second = near[:N_SETS], near[N_SETS:]
    figures: Figures = {shape.value: {} for shape in Spread}
    for k in SIZES:
        made = {
            Spread.ONE_CLUSTER: first[:, :k],
            Spread.TWO_CLUSTERS: np.hstack([first[:, : k - k // 2], second[:, : k // 2]]),
            Spread.BROAD: np.array([rng.choice(len(vectors), size=k, replace=False) for _ in range(N_SETS)]),
        }
        for shape, sets in made.items():
            called = [spread(hits, find_outliers(hits, calibration)) for hits in vectors[sets]]
            figures[shape.value][k] = called.count(shape) / N_SETS
    return figures


def measure_questions(corpus: Path, questions: list[str]) -> Figures:
    """Share of the hits of real searches that are flagged, and of the results by shape, by k."""
    pathfinder = Pathfinder.open(corpus)
    figures: Figures = {"flagged": {}}
    figures |= {f"called {shape.value}": {} for shape in Spread}
    for k in SIZES:
        results = [pathfinder.search(question, top_k=k) for question in questions]
        shapes = Counter(result.assessment.spread for result in results if result.assessment)
        figures["flagged"][k] = float(np.mean([bool(hit.outlier) for result in results for hit in result.hits]))
        for shape in Spread:
            figures[f"called {shape.value}"][k] = shapes[shape] / len(results)
    return figures


def main() -> None:
    """Measure on one corpus; a table, then JSON."""
    parser = argparse.ArgumentParser(description="False flags, planted outliers and shapes of results.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--questions", type=Path)
    arguments = parser.parse_args()
    index = open_corpus(arguments.corpus).dense
    vectors = index.vectors(np.arange(len(index)))
    calibration = calibrate(vectors, CALIBRATION_SEED)
    figures = measure_flags(vectors, calibration) | measure_spread(vectors, calibration)
    if arguments.questions:
        lines = arguments.questions.read_text(encoding="utf-8").splitlines()
        figures |= measure_questions(arguments.corpus, [json.loads(line)["text"] for line in lines if line.strip()])
    print(f"{'share of':<22}" + "".join(f"{f'k = {k}':>9}" for k in SIZES))
    for name, by_size in figures.items():
        print(f"{name:<22}" + "".join(f"{by_size[k]:>9.1%}" for k in SIZES))
    print(json.dumps({"corpus": arguments.corpus.name, "n_papers": len(vectors), **figures}))


if __name__ == "__main__":
    main()
