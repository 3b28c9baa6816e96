"""Projects vectors onto the map, once, when a corpus is built, and places new papers on it without moving anything.

This is the only module that imports umap, and only inside a function: the import takes seconds, and the serving process
never needs it.

A new paper is placed using the coordinates of the papers most similar to it, weighted by similarity. The mean of these
coordinates would put a paper that lies between two distant groups into the empty sea between them; the weighted
geometric median, which minimises the weighted sum of the distances, stays with the larger group. When 1,000 astronomy
papers were placed among 15,659, the median kept 20% of the 15 nearest neighbours, the mean 11%, and UMAP itself, when
it laid them out together with the others, 17% (`benchmarks/landscape.py`).
"""

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pathfinder.index.neighbours import nearest_among, nearest_neighbours
from pathfinder.types import Floats, Rows

MIN_PAPERS = 5
"""Minimum number of papers for a map; with fewer, a list says just as much."""
PCA_DIMENSIONS = 100
N_NEIGHBORS = 15
MIN_DISTANCE = 0.1
MAX_EXACT_PAPERS = 50_000
"""Maximum number of papers for which the search for neighbours is exact; for more, UMAP's own approximate search is
faster, although it first takes half a minute to compile.
"""
MAX_LAID_OUT = 350_000
"""Maximum number of papers that are laid out together; if there are more, only a sample is laid out, and the others are
placed according to their neighbours in it.
"""
BLOCK_ROWS = 8192
"""Number of vectors converted to float64 at once: 25 MB for 384 dimensions."""


def project(vectors: NDArray[np.float32], seed: int, most: int = MAX_LAID_OUT) -> NDArray[np.float32] | None:
    """Find a place for every paper, float32 of shape (n, 2), by PCA and UMAP; `None` for fewer than 5 papers.

    If there are more than `most` papers, a random sample of them is laid out, and the others are placed among these.

    `vectors` are unit vectors, shape (n, dimension); they may be memory-mapped. The same vectors and seed always give
    the same bytes, which requires UMAP to run in a single thread. Small distances on the map are meaningful; the axes
    and large distances are not.
    """
    if len(vectors) < MIN_PAPERS:
        return None
    if len(vectors) <= most:
        return umap_places(principal_components(vectors, PCA_DIMENSIONS), seed)
    rows = np.sort(np.random.default_rng(seed).choice(len(vectors), most, replace=False))
    sample = np.asarray(vectors[rows])
    laid_out = umap_places(principal_components(sample, PCA_DIMENSIONS), seed)
    starts = range(0, len(vectors), BLOCK_ROWS)
    places = np.concatenate([place_papers(sample, laid_out, vectors[start : start + BLOCK_ROWS]) for start in starts])
    places[rows] = laid_out
    return places


def principal_components(vectors: NDArray[np.float32], dimensions: int) -> NDArray[np.float32]:
    """Compute coordinates along the directions of largest variance, float32 of shape (n, at most `dimensions`)."""
    mean: Floats = np.asarray(np.mean(vectors, axis=0, dtype=np.float64))
    covariance = np.zeros((len(mean), len(mean)))
    for block in _centred_blocks(vectors, mean):
        covariance += block.T @ block
    directions = np.linalg.eigh(covariance).eigenvectors[:, ::-1][:, :dimensions]
    return np.concatenate([(block @ directions).astype(np.float32) for block in _centred_blocks(vectors, mean)])


def _centred_blocks(vectors: NDArray[np.float32], mean: Floats) -> Iterator[Floats]:
    for start in range(0, len(vectors), BLOCK_ROWS):
        yield vectors[start : start + BLOCK_ROWS] - mean


def umap_places(components: NDArray[np.float32], seed: int) -> NDArray[np.float32]:
    """Run only UMAP: find a place for each row of `components`, of which there must be at least 5."""
    n_neighbors = min(N_NEIGHBORS, len(components) - 1)
    with warnings.catch_warnings():
        # umap warns at import that TensorFlow is missing; the part that needs it is not used.
        warnings.filterwarnings("ignore", message="Tensorflow not installed", category=ImportWarning)
        # UMAP's `transform`, which would place papers later, is never used.
        warnings.filterwarnings("ignore", message=".*transforming new data with transform will be unavailable")
        from umap import UMAP, layouts, umap_

        # Make numba store the code that it compiles for a layout alongside that of UMAP's other functions: otherwise,
        # every process that draws a map would spend four seconds compiling it.
        for function in (*vars(umap_).values(), *vars(layouts).values()):
            if hasattr(function, "enable_caching"):
                function.enable_caching()
        # Slight noise separates duplicates of a paper, for which UMAP would divide by zero.
        start = components[:, :2] / max(float(components[:, :2].std()), 1e-6)
        noise = np.random.default_rng(seed).normal(scale=1e-3, size=start.shape)
        reducer = UMAP(
            n_neighbors=n_neighbors,
            min_dist=MIN_DISTANCE,
            init=(start + noise).astype(np.float32),
            precomputed_knn=_neighbours(components, n_neighbors),
            random_state=seed,
            # A fixed seed rules out multithreading; setting this keeps umap from warning that it uses only one thread.
            n_jobs=1,
        )
        places = reducer.fit_transform(components)
    return np.ascontiguousarray(places, dtype=np.float32)


def _neighbours(components: NDArray[np.float32], n_neighbors: int) -> tuple[NDArray[Any] | None, ...]:
    """Find the nearest neighbours of each paper, including itself, as UMAP's `precomputed_knn` expects. For more than
    `MAX_EXACT_PAPERS` papers, return three `None` values, which make UMAP search for the neighbours itself.
    """
    n = len(components)
    if n > MAX_EXACT_PAPERS:
        return None, None, None
    near, apart = nearest_neighbours(components, np.arange(n), n_neighbors - 1)
    return np.hstack([np.arange(n)[:, None], near]), np.hstack([np.zeros((n, 1), dtype=np.float32), apart])


# Measures how far a map with added papers has drifted from a fresh layout of the same papers.
#
# The position, orientation, handedness and scale of a fresh map are arbitrary, so it is first aligned with the old
# one (Procrustes). The remaining distances measure the disagreement; islands that have moved weigh heavily in them,
# although no paper's neighbours are any worse for it. The neighbourhoods on both maps are therefore compared as well.

N_NEIGHBOURS, N_SAMPLED = 15, 2_000


@dataclass(frozen=True, slots=True)
class Drift:
    """The map of a corpus compared with a fresh one of the same papers. Distances are fractions of the map's longer
    side.
    """

    n_papers: int
    median: float
    """Median distance of a paper from its place on the fresh map."""
    ninth_decile: float
    root_mean_square: float
    neighbours_kept: float
    """Mean fraction of a paper's 15 neighbours in meaning that are also among its 15 nearest papers on this map, [0,
    1].
    """
    neighbours_kept_afresh: float
    """The same fraction as in `neighbours_kept`, but for the fresh map."""


def measure_drift(vectors: NDArray[np.float32], coordinates: NDArray[np.float32], seed: int) -> Drift:
    """Lay out a fresh map, which takes as long as in a build, and compare the two maps.

    `vectors` and `coordinates` belong to the same papers, of which there must be more than 15.
    """
    fresh = project(vectors, seed)
    if fresh is None or len(vectors) <= N_NEIGHBOURS:
        raise ValueError(f"drift can be measured only for more than {N_NEIGHBOURS} papers, got {len(vectors)}")
    distances = np.linalg.norm(align(fresh, coordinates) - coordinates, axis=1) / float(np.ptp(coordinates, 0).max())
    rows = _sample(len(vectors), seed)
    near, _ = nearest_neighbours(vectors, rows, N_NEIGHBOURS)
    return Drift(
        n_papers=len(vectors),
        median=float(np.median(distances)),
        ninth_decile=float(np.percentile(distances, 90)),
        root_mean_square=float(np.sqrt(np.mean(distances**2))),
        neighbours_kept=_shared_neighbours(near, coordinates, rows),
        neighbours_kept_afresh=_shared_neighbours(near, fresh, rows),
    )


def align(moving: NDArray[np.float32], target: NDArray[np.float32]) -> Floats:
    """Rotate, reflect, scale and shift `moving` as a whole to minimise the squared distances to `target`.

    Orthogonal Procrustes (Schönemann 1966), with one scale for both axes.
    """
    here, there = np.asarray(moving, dtype=np.float64), np.asarray(target, dtype=np.float64)
    middle, goal = here.mean(axis=0), there.mean(axis=0)
    left, strengths, right = np.linalg.svd((here - middle).T @ (there - goal))
    scale = strengths.sum() / max(float(((here - middle) ** 2).sum()), np.finfo(np.float64).tiny)
    return np.asarray((here - middle) @ (left @ right) * scale + goal)


def _sample(n: int, seed: int) -> Rows:
    return np.sort(np.random.default_rng(seed).choice(n, size=min(N_SAMPLED, n), replace=False))


def _shared_neighbours(near: Rows, places: NDArray[np.float32], rows: Rows) -> float:
    on_map, _ = nearest_neighbours(places, rows, N_NEIGHBOURS)
    return float(np.mean([len(np.intersect1d(a, b)) / N_NEIGHBOURS for a, b in zip(near, on_map, strict=True)]))


N_PLACING = 10
"""Number of nearest papers that place a new one."""
SHARPNESS = 8
"""Exponent of the cosine in a neighbour's weight: a neighbour at 0.8 counts ten times as much as one at 0.6."""
N_STEPS = 25
"""Number of steps of Weiszfeld's iteration (1937); the last moves a point by less than a thousandth of the distance
between neighbours.
"""


def place_papers(
    known_vectors: NDArray[np.float32], coordinates: NDArray[np.float32], new_vectors: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Find a place for each of `new_vectors`, float32 of shape (n, 2), within the extent of `coordinates`.

    `coordinates` has shape (m, 2), m >= 1, and `known_vectors` (m, dimension); vectors have length 1.
    """
    k = min(N_PLACING, len(coordinates))
    near, apart = nearest_among(new_vectors, known_vectors, k)
    points = np.asarray(coordinates, dtype=np.float64)[near]
    # For a paper that is similar to none of its neighbours, all of them weigh the same.
    similarity = np.clip(1 - np.asarray(apart, dtype=np.float64) ** 2 / 2, 0, 1)
    weights = similarity**SHARPNESS
    alike = weights.sum(axis=1, keepdims=True) > 0
    places = geometric_medians(points, np.where(alike, weights, 1.0))
    return np.clip(places, points.min(axis=1), points.max(axis=1)).astype(np.float32)


def geometric_medians(points: Floats, weights: Floats) -> Floats:
    """Find, for each row of `points`, the place with the smallest weighted sum of distances to the points in that row,
    by Weiszfeld's iteration.

    `points` has shape (n, k, 2), the positive `weights` (n, k), and the result (n, 2). If the iteration reaches one of
    the points, it stays there.
    """
    places = (points * weights[:, :, None]).sum(axis=1) / weights.sum(axis=1)[:, None]
    least = 1e-6 * max(float(np.ptp(points)), 1e-6) if points.size else 1.0
    for _ in range(N_STEPS):
        distances = np.maximum(np.linalg.norm(points - places[:, None], axis=2), least)
        pull = weights / distances
        places = (points * pull[:, :, None]).sum(axis=1) / pull.sum(axis=1)[:, None]
    return np.asarray(places)
