"""How much of the neighbourhoods of a corpus survives on the map, and what the map costs, by PCA dimensions.

    python benchmarks/landscape.py build/astro --dimensions 30,50,100,200,384

- recall: of a paper's 15 nearest neighbours by its vector, the share among its 15 nearest on the map.
- trustworthiness (Venna & Kaski 2001), k = 15: 1 when no stranger is a neighbour on the map, 0.5 by chance.
- triplets: of three random papers a, b, c, how often the map says rightly which of b and c is nearer to a;
  0.5 by chance.
- seconds of the processor for PCA, neighbours and UMAP, once it is compiled.

To reach: the map of 16,659 papers within 90 s on two cores, import and compilation included: the last line.
"""

import argparse
import json
from pathlib import Path
from time import perf_counter, process_time

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.store import open_corpus
from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.landscape import projection

K, N_QUERIES, N_TRIPLETS, SEED = 15, 1500, 200_000, 0

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
        return np.less(np.linalg.norm(space[a] - space[b], axis=1), np.linalg.norm(space[a] - space[c], axis=1))

    return float(np.mean(nearer(vectors) == nearer(places)))


def measure(vectors: Vectors, dimensions: int) -> dict[str, float]:
    """Quality and cost of the map of `vectors` by way of that many principal components."""
    start = process_time()
    components = projection.principal_components(vectors, dimensions)
    places = projection.umap_places(components, SEED)
    seconds = process_time() - start
    rows = np.random.default_rng(SEED).choice(len(vectors), size=min(N_QUERIES, len(vectors)), replace=False)
    return {
        "recall@15": recall(vectors, places, rows),
        "trustworthiness": trustworthiness(vectors, places, rows),
        "triplets": triplet_accuracy(vectors, places),
        "variance kept": float(components.var(axis=0).sum() / vectors.var(axis=0).sum()),
        "cpu seconds": seconds,
    }


def main() -> None:
    """Measure on one corpus; a table, then JSON."""
    parser = argparse.ArgumentParser(description="Quality and cost of the map, by PCA dimensions.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--dimensions", default="30,50,100,200")
    arguments = parser.parse_args()
    index = open_corpus(arguments.corpus).dense
    vectors = index.vectors(np.arange(len(index)))
    start, start_cpu = perf_counter(), process_time()
    projection.project(vectors, SEED)
    whole = {"wall seconds": perf_counter() - start, "cpu seconds": process_time() - start_cpu}
    figures = {int(d): measure(vectors, int(d)) for d in arguments.dimensions.split(",")}
    names = list(next(iter(figures.values())))
    print(f"{'PCA':<6}" + "".join(f"{name:>17}" for name in names))
    for dimensions, measured in figures.items():
        print(f"{dimensions:<6}" + "".join(f"{measured[name]:>17.3f}" for name in names))
    print(f"project, {len(vectors):,} papers, first in its process: {whole['wall seconds']:.0f} s")
    print(json.dumps({"corpus": arguments.corpus.name, "n_papers": len(vectors), "project": whole, "pca": figures}))


if __name__ == "__main__":
    main()
