"""How much of the neighbourhoods of a corpus survives on the map, and what the map costs, by PCA dimensions.

    python -m benchmarks.landscape CORPUS [--dimensions 30,50,100,200,384] [--json FILE]

- recall: of a paper's 15 nearest neighbours by its vector, the share among its 15 nearest on the map.
- trustworthiness (Venna & Kaski 2001), k = 15: 1 when no stranger is a neighbour on the map, 0.5 by chance.
- triplets: of three random papers a, b, c, how often the map says rightly which of b and c is nearer to a;
  0.5 by chance.
- seconds of the processor for PCA, neighbours and UMAP, once it is compiled.

Target: the map of 16,659 papers within 90 s on 2 quiet cores, import and compilation included.
"""

import argparse
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import Figure, machine, print_figures
from pathfinder.corpus.store import open_corpus
from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.landscape import projection

K, N_QUERIES, N_TRIPLETS, SEED = 15, 1500, 200_000, 0
MOST_SECONDS = 90

Vectors = NDArray[np.float32]


def recall(vectors: Vectors, places: Vectors, rows: NDArray[np.int64]) -> float:
    """Share of the K true neighbours that are among the K neighbours on the map."""
    true, _ = nearest_neighbours(vectors, rows, K)
    shown, _ = nearest_neighbours(places, rows, K)
    return float(np.mean([len(np.intersect1d(a, b)) / K for a, b in zip(true, shown, strict=True)]))


def trustworthiness(vectors: Vectors, places: Vectors, rows: NDArray[np.int64]) -> float:
    """One minus the mean rank, beyond K, of the neighbours on the map, scaled as its authors do."""
    n = len(vectors)
    shown, _ = nearest_neighbours(places, rows, K)
    beyond = 0
    for row, neighbours in zip(rows, shown, strict=True):
        similarity = vectors @ vectors[row]
        similarity[row] = np.inf
        rank = np.empty(n, dtype=np.int64)
        rank[np.argsort(-similarity, kind="stable")] = np.arange(n)
        beyond += int(np.maximum(rank[neighbours] - K, 0).sum())
    return 1 - 2 * beyond / (len(rows) * K * (2 * n - 3 * K - 1))


def triplet_accuracy(vectors: Vectors, places: Vectors) -> float:
    """How often the map agrees about which of two papers is nearer to a third."""
    a, b, c = np.random.default_rng(SEED).integers(len(vectors), size=(3, N_TRIPLETS))

    def nearer(space: Vectors) -> NDArray[np.bool_]:
        to_b, to_c = (np.linalg.norm(space[a] - space[other], axis=1) for other in (b, c))
        return np.asarray(to_b < to_c)

    return float(np.mean(nearer(vectors) == nearer(places)))


def measure(vectors: Vectors, dimensions: int) -> list[Figure]:
    """Quality and cost of the map of `vectors` by way of that many principal components."""
    start = process_time()
    components = projection.principal_components(vectors, dimensions)
    places = projection.umap_places(components, SEED)
    seconds = process_time() - start
    rows = np.random.default_rng(SEED).choice(len(vectors), size=min(N_QUERIES, len(vectors)), replace=False)
    kept = float(components.var(axis=0).sum() / vectors.var(axis=0).sum())
    return [
        Figure(f"PCA {dimensions}: recall of {K} neighbours", recall(vectors, places, rows), ""),
        Figure(f"PCA {dimensions}: trustworthiness", trustworthiness(vectors, places, rows), ""),
        Figure(f"PCA {dimensions}: triplets", triplet_accuracy(vectors, places), ""),
        Figure(f"PCA {dimensions}: variance kept", kept, ""),
        Figure(f"PCA {dimensions}: processor time", seconds, "s"),
    ]


def main() -> None:
    """Measure the corpus that the arguments name."""
    parser = argparse.ArgumentParser(description="Quality and cost of the map, by PCA dimensions.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--dimensions", default=str(projection.PCA_DIMENSIONS))
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    print(machine())
    index = open_corpus(arguments.corpus).dense
    vectors = index.vectors(np.arange(len(index)))
    start = perf_counter()
    projection.project(vectors, SEED)
    figures = [Figure(f"map of {len(vectors):,} papers", perf_counter() - start, "s", "at most", MOST_SECONDS)]
    for dimensions in arguments.dimensions.split(","):
        figures += measure(vectors, int(dimensions))
    print_figures(figures, arguments.json)


if __name__ == "__main__":
    main()
