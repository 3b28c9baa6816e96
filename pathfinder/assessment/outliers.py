"""Outliers among the hits, judged by the distances between the hits of a healthy result in this corpus.

The statistic is the distance from a hit to the centroid of the other k - 1 hits (arXiv:2408.01556, section 3.4). It has
two cut-offs, both defined for every k up to 30 and precomputed when a corpus is built:

- `paper`, as published: D95(k) - 0.1, where D95(k) is the 95th percentile of the distances between papers
  and their k nearest neighbours. It compares a distance to a centroid with distances to papers, so that the constant
  0.1 fits only one embedder, and the cut-off hardly depends on k.
- `calibrated`, which is used: the 95th percentile of the statistic itself over healthy neighbourhoods, the k
  nearest neighbours of random papers. One healthy hit in twenty is flagged, whatever the embedder and k.

The same measurement yields `broad`, with which `spread.py` recognises a broad result: one in which the statistic of a
typical hit lies more than halfway from its value in neighbourhoods to its value among random papers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.text.strict_json import from_json, to_json
from pathfinder.types import MAX_TOP_K, Floats, Outliers, Rows

PERCENTILE = 95
PUBLISHED_ADJUSTMENT = 0.1
"""The constant gamma in arXiv:2408.01556."""
SAMPLE_SIZE = 400
"""Number of papers whose neighbourhoods are measured: 400 determine the 95th percentile at k = 10 to about 1%."""
MIN_PAPERS = 20
"""Minimum number of neighbourhoods: with fewer, the 95th percentile is simply the largest value."""
MAX_DISTANCE = 2.0
"""Distance between opposite unit vectors."""
DECIMALS = 6
"""Number of decimals in cut-offs, few enough that the last bits of a matrix product do not affect the file."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class OutlierCalibration:
    """Cut-offs for k = 1..30 hits, at index k - 1. `None` means that the corpus has too few papers for that k."""

    calibrated: tuple[float | None, ...]
    """Euclidean distance between unit vectors, in [0, 2]; `None` for k = 1, where there are no other hits."""
    paper: tuple[float | None, ...]
    """D95(k) - 0.1, in [-0.1, 1.9]."""
    broad: tuple[float | None, ...]
    """Limit in [0, 2] on the median distance of the hits: a result above it resembles random papers more than
    neighbours.
    """

    def __post_init__(self) -> None:
        for name, low in (("calibrated", 0.0), ("paper", -PUBLISHED_ADJUSTMENT), ("broad", 0.0)):
            cutoffs = getattr(self, name)
            if len(cutoffs) != MAX_TOP_K:
                raise ValueError(f"{name} must have {MAX_TOP_K} cut-offs, got {len(cutoffs)}")
            for cutoff in cutoffs:
                if cutoff is not None and not low <= cutoff <= MAX_DISTANCE:
                    raise ValueError(f"{name} must lie in {low}..{MAX_DISTANCE}, got {cutoff}")

    def to_json(self) -> str:
        return to_json(_ADAPTER, self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "OutlierCalibration":
        """Read the output of `to_json`; raises `CorpusDamaged` for anything else."""
        return from_json(_ADAPTER, text, "the outlier cut-offs")


_ADAPTER = TypeAdapter(OutlierCalibration)


def calibrate(vectors: NDArray[np.float32], seed: int) -> OutlierCalibration:
    """Measure the cut-offs of a corpus on the neighbourhoods of up to 400 papers drawn with `seed`.

    `vectors` are the corpus's unit vectors, shape (n, dimension); they may be memory-mapped.
    """
    if len(vectors) < MIN_PAPERS:
        return OutlierCalibration(*3 * [(None,) * MAX_TOP_K])
    rows, largest = drawn_papers(len(vectors), seed), min(MAX_TOP_K, len(vectors) - 1)
    near, apart = nearest_neighbours(vectors, rows, largest)
    lots = np.random.default_rng((seed, 1))
    anywhere = np.array([lots.choice(len(vectors), size=largest, replace=False) for _ in rows])
    healthy, random = _statistics(vectors, near), _statistics(vectors, anywhere)
    cut_offs = [np.percentile(distances, PERCENTILE) for distances in healthy]
    paper = [np.percentile(apart[:, :k], PERCENTILE) - PUBLISHED_ADJUSTMENT for k in range(1, largest + 1)]
    broad = [(_typical(near) + _typical(far)) / 2 for near, far in zip(healthy, random, strict=True)]
    return OutlierCalibration(_by_k([None, *cut_offs]), _by_k(paper), _by_k([None, *broad]))


def drawn_papers(n_papers: int, seed: int) -> Rows:
    """Draw the papers, at most 400, whose neighbourhoods `calibrate` measures; returns their rows, sorted."""
    size = min(SAMPLE_SIZE, n_papers)
    return np.sort(np.random.default_rng(seed).choice(n_papers, size=size, replace=False))


def leave_one_out_distances(vectors: NDArray[np.floating]) -> Floats:
    """Return the distance from each of k unit vectors to the centroid of the others; shape (..., k, dimension) becomes
    (..., k).

    Uses the identity `|P - C_others| = k / (k - 1) * |P - C|`, where C is the centroid of all k; k is at least 2.
    """
    k = vectors.shape[-2]
    if k < 2:
        raise ValueError(f"the centroid of the others needs at least 2 vectors, got {k}")
    exact = np.asarray(vectors, dtype=np.float64)
    distances: Floats = k / (k - 1) * np.linalg.norm(exact - exact.mean(axis=-2, keepdims=True), axis=-1)
    return distances


def find_outliers(vectors: NDArray[np.floating], calibration: OutlierCalibration) -> Outliers | None:
    """Return how far each hit is from the others, together with both cut-offs; `None` for fewer than two hits.

    `vectors` are the unit vectors of at most 30 hits, shape (k, dimension), in the order of the hits.
    """
    k = len(vectors)
    if k < 2:
        return None
    if k > MAX_TOP_K:
        raise ValueError(f"cut-offs exist for at most {MAX_TOP_K} hits, got {k}")
    distances = leave_one_out_distances(vectors)
    return Outliers(tuple(distances.tolist()), calibration.calibrated[k - 1], calibration.paper[k - 1])


def outlier_flags(outliers: Outliers | None) -> tuple[bool, ...] | None:
    """Flag each hit that is an outlier by the calibrated cut-off; `None` if there is no cut-off."""
    if outliers is None or outliers.cutoff_calibrated is None:
        return None
    # Copies of one paper differ only by rounding, and their cut-off is 0.
    farthest = outliers.cutoff_calibrated + 10**-DECIMALS
    return tuple(distance > farthest for distance in outliers.distances)


def _statistics(vectors: NDArray[np.float32], sets: Rows) -> list[Floats]:
    """Return, for k = 2, 3, ..., the statistic of the first k papers in each of `sets`, shape (n_sets, k)."""
    arrays = (np.asarray(vectors[rows], dtype=np.float64) for rows in sets)
    by_set = [[leave_one_out_distances(hits[:k]) for k in range(2, len(hits) + 1)] for hits in arrays]
    return [np.array(distances) for distances in zip(*by_set, strict=True)]


def _typical(distances: Floats) -> float:
    """Return the median, over all sets, of each set's median distance."""
    return float(np.median(np.median(distances, axis=1)))


def _by_k(cutoffs: Sequence[float | np.floating | None]) -> tuple[float | None, ...]:
    rounded_cutoffs = (None if cutoff is None else round(float(cutoff), DECIMALS) for cutoff in cutoffs)
    return (*rounded_cutoffs, *(None,) * (MAX_TOP_K - len(cutoffs)))
