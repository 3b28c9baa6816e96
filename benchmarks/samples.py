"""Measures the error of what a build computes from a sample of its papers.

    python -m benchmarks.samples CORPUS [--laid-out N] [--draws N] [--json FILE]

Outlier cut-offs are calibrated again with other draws of the same number of papers. For the map, N papers are laid out,
and the others are placed by their neighbours: for both groups, the share of the 15 nearest papers that are among the 15
nearest on the map is measured.
"""

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from benchmarks.report import Figure, machine, print_figures
from pathfinder.assessment.assess import calibrate
from pathfinder.building.fitted_parts import SEED
from pathfinder.corpus.store import open_corpus
from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.landscape.projection.projection import project

N_NEIGHBOURS, N_MEASURED = 15, 1_000
N_HITS = 10


def cutoff_figures(vectors: NDArray[np.float32], n_draws: int) -> list[Figure]:
    """Measure the spread of the cut-offs for ten hits over `n_draws` draws."""
    samples = [calibrate(vectors, seed) for seed in range(n_draws)]
    calibrated = np.array([sample.calibrated[N_HITS - 1] for sample in samples], dtype=float)
    broad = np.array([sample.broad[N_HITS - 1] for sample in samples], dtype=float)
    return [
        Figure(f"outlier cut-off for {N_HITS} hits, mean of {n_draws} draws", float(calibrated.mean()), ""),
        Figure("  its standard deviation, share of the mean", float(calibrated.std(ddof=1) / calibrated.mean()), ""),
        Figure("limit of a broad result, standard deviation, share", float(broad.std(ddof=1) / broad.mean()), ""),
    ]


def map_figures(vectors: NDArray[np.float32], n_laid_out: int) -> list[Figure]:
    """Compare the neighbourhoods of papers that were laid out with those of papers that were placed among them."""
    places = project(vectors, SEED, n_laid_out)
    assert places is not None
    laid_out = np.random.default_rng(SEED).choice(len(vectors), n_laid_out, replace=False)
    placed_rows = np.setdiff1d(np.arange(len(vectors)), laid_out)
    lots, tree = np.random.default_rng(1), cKDTree(places)
    figures = [Figure("papers laid out", n_laid_out, ""), Figure("papers placed among them", len(placed_rows), "")]
    for name, group in (("laid out", laid_out), ("placed", placed_rows)):
        rows = np.sort(lots.choice(group, min(N_MEASURED, len(group)), replace=False))
        near, _ = nearest_neighbours(vectors, rows, N_NEIGHBOURS + 1)
        _, on_map = tree.query(places[rows], N_NEIGHBOURS + 1)
        share = [
            len(np.intersect1d(np.setdiff1d(a, [row]), np.setdiff1d(b, [row]))) / N_NEIGHBOURS
            for row, a, b in zip(rows, near, on_map, strict=True)
        ]
        figures.append(Figure(f"nearest papers that are near on the map, {name}", float(np.mean(share)), ""))
    return figures


def main() -> None:
    """Make the measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--laid-out", type=int, default=5_000)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--json", type=Path, dest="json_path")
    options = parser.parse_args()
    corpus = open_corpus(options.corpus)
    vectors = corpus.dense.vectors(np.arange(len(corpus.papers), dtype=np.int64))
    print(machine())
    print_figures([*cutoff_figures(vectors, options.draws), *map_figures(vectors, options.laid_out)], options.json_path)


if __name__ == "__main__":
    main()
