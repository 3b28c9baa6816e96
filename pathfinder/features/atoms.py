"""Fits the atoms of the features: spherical k-means over the papers' vectors (Dhillon and Modha 2001), which begins
with k-means++ (Arthur and Vassilvitskii 2007).

Centroids serve as a dictionary for sparse codes (Coates and Ng 2012). `benchmarks/FEATURES.md` compares them with a
k-sparse autoencoder and with non-negative matrix factorisation.
"""

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import kmeans_plusplus

from pathfinder.corpus.features.dictionary import Atoms, directions_from
from pathfinder.models.ports import Vectors
from pathfinder.retrieval.reranking.local.one_thread import ONE_THREAD

SEED = 20240801
MOST_FEATURES = 200
PAPERS_EACH = 25
"""Number of papers per feature; a corpus has at most `MOST_FEATURES` features."""
MIN_PAPERS = 250
"""Minimum number of papers in a corpus with features; with fewer, there would be too few to test a name on."""
MOST_ACTIVE = 4
"""Largest number of features active in a paper; in a corpus with few features, at most a tenth of them."""
MOST_READ = 20_000
"""Maximum number of papers, drawn at random, to which the atoms are fitted."""
N_STEPS = 20
FULL_PERCENTILE = 95
"""Percentile, among the cosines of the papers in which a feature is active, that counts as full strength."""


def n_features_of(n_papers: int) -> int:
    """Return the number of features of a corpus with `n_papers` papers."""
    return min(MOST_FEATURES, n_papers // PAPERS_EACH)


def n_active_of(n_features: int) -> int:
    """Return the largest number of features that are active in one paper."""
    return min(MOST_ACTIVE, max(1, n_features // 10))


def fit_atoms(vectors: Vectors, n_features: int, seed: int = SEED) -> Atoms:
    """Fit `n_features` atoms to vectors of shape (n, dimension), n >= n_features.

    Linear algebra runs on one thread, so that sums are added up in the same order whatever the number of cores.
    """
    generator = np.random.default_rng(seed)
    rows = np.sort(generator.choice(len(vectors), min(len(vectors), MOST_READ), replace=False))
    sample = np.asarray(vectors[rows], dtype=np.float32)
    centre = sample.mean(axis=0)
    with ONE_THREAD:
        directions = _spherical_k_means(directions_from(sample, centre), n_features, generator)
        atoms = Atoms(centre, directions, np.ones(n_features, dtype=np.float32), n_active_of(n_features))
        return _calibrate(atoms, sample)


def _spherical_k_means(units: NDArray[np.float32], k: int, generator: np.random.Generator) -> NDArray[np.float32]:
    """Return `k` unit vectors, shape (k, dimension); one to which no paper belongs is replaced by the vector of a
    random paper.
    """
    first, _ = kmeans_plusplus(units, k, random_state=int(generator.integers(2**31)))
    atoms: NDArray[np.float32] = first
    for _ in range(N_STEPS):
        nearest = np.argmax(units @ atoms.T, axis=1)
        sums = np.zeros_like(atoms)
        np.add.at(sums, nearest, units)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        is_empty = lengths[:, 0] == 0
        sums[is_empty] = units[generator.choice(len(units), int(is_empty.sum()))]
        atoms = (sums / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
    return atoms


def _calibrate(atoms: Atoms, vectors: NDArray[np.float32]) -> Atoms:
    """Set the cosine at which each feature is at full strength."""
    cosines = directions_from(vectors, atoms.centre) @ atoms.directions.T
    least = np.partition(cosines, -atoms.n_active, axis=1)[:, -atoms.n_active][:, None]
    active = np.where((cosines >= least) & (cosines > 0), cosines, np.nan)
    active[0, np.isnan(active).all(axis=0)] = 1.0  # a feature that is active in no paper
    full = np.nanpercentile(active, FULL_PERCENTILE, axis=0).astype(np.float32)
    return Atoms(atoms.centre, atoms.directions, full, atoms.n_active)
