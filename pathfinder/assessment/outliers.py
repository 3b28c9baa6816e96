"""Which hits lie apart from the others, by how far apart the hits of a healthy result lie in this corpus.

The statistic is the distance of a hit to the centroid of the other k - 1 hits (arXiv:2408.01556, section
3.4). There are two cut-offs for it, both for every k up to 30, both precomputed when a corpus is built:

- `paper`, as published: D95(k) - 0.1, where D95(k) is the 95th percentile of the distances between papers
  and their k nearest neighbours. It compares a distance to a centroid with distances to papers, so 0.1 is a
  constant of one embedder, and k barely enters.
- `calibrated`, which decides: the 95th percentile of the statistic itself over healthy neighbourhoods, the k
  nearest neighbours of random papers. One healthy hit in twenty is flagged, with every embedder and every k.

The same measurement gives `broad`, which `spread.py` tells a broad result by: where the statistic of a typical
hit is halfway between that in neighbourhoods and that among random papers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.corpus.strict_json import from_json, to_json
from pathfinder.index.neighbours import nearest_neighbours
from pathfinder.types import MAX_TOP_K, Floats, Outliers, Rows

PERCENTILE = 95
PUBLISHED_ADJUSTMENT = 0.1
"""The paper's gamma."""
SAMPLE_SIZE = 400
"""Papers whose neighbourhoods are measured: 400 pin the 95th percentile of k = 10 to about 1%."""
MIN_PAPERS = 20
"""Of fewer neighbourhoods the 95th percentile is no more than the largest value."""
MAX_DISTANCE = 2.0
"""Between opposite unit vectors."""
DECIMALS = 6
"""Digits that cut-offs are kept to, so that the last bits of a matrix product do not reach the file."""


@with_config(ConfigDict(strict=True, extra="forbid", allow_inf_nan=False))
@dataclass(frozen=True, slots=True)
class OutlierCalibration:
    """The cut-offs for k = 1..30 hits, at index k - 1. `None`: the corpus has too few papers for that k."""

    calibrated: tuple[float | None, ...]
    """Euclidean on unit vectors, [0, 2]; `None` for k = 1, where there are no other hits."""
    paper: tuple[float | None, ...]
    """D95(k) - 0.1, [-0.1, 1.9]."""
    broad: tuple[float | None, ...]
    """Median over the hits of a result, [0, 2]: above it, a result is more like random papers than like neighbours."""

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
        """Raises CorpusDamaged for anything but what `to_json` writes."""
        return from_json(_ADAPTER, text, "the outlier cut-offs")


_ADAPTER = TypeAdapter(OutlierCalibration)


def calibrate(vectors: NDArray[np.float32], seed: int) -> OutlierCalibration:
    """The cut-offs of a corpus, from the neighbourhoods of up to 400 papers drawn with `seed`.

    `vectors` are the corpus's unit vectors, shape (n, dimension); they may be memory-mapped.
    """
    if len(vectors) < MIN_PAPERS:
        return OutlierCalibration(*3 * [(None,) * MAX_TOP_K])
    rows, largest = drawn_papers(len(vectors), seed), min(MAX_TOP_K, len(vectors) - 1)
    near, apart = nearest_neighbours(vectors, rows, largest)
    lots = np.random.default_rng((seed, 1))
    anywhere = np.array([lots.choice(len(vectors), size=largest, replace=False) for _ in rows])
    healthy, random = _statistics(vectors, near), _statistics(vectors, anywhere)
    calibrated = [np.percentile(distances, PERCENTILE) for distances in healthy]
    paper = [np.percentile(apart[:, :k], PERCENTILE) - PUBLISHED_ADJUSTMENT for k in range(1, largest + 1)]
    broad = [(_typical(near) + _typical(far)) / 2 for near, far in zip(healthy, random, strict=True)]
    return OutlierCalibration(_by_k([None, *calibrated]), _by_k(paper), _by_k([None, *broad]))


def drawn_papers(n_papers: int, seed: int) -> Rows:
    """The rows, at most 400, of the papers whose neighbourhoods `calibrate` measures, in their order."""
    size = min(SAMPLE_SIZE, n_papers)
    return np.sort(np.random.default_rng(seed).choice(n_papers, size=size, replace=False))


def leave_one_out_distances(vectors: NDArray[np.floating]) -> Floats:
    """Distance of each of k unit vectors to the centroid of the other k - 1, shape (..., k, dimension) -> (..., k).

    By the identity `|P - C_others| = k / (k - 1) * |P - C|`, C the centroid of all k; k is at least 2.
    """
    k = vectors.shape[-2]
    if k < 2:
        raise ValueError(f"the centroid of the others needs at least 2 vectors, got {k}")
    exact = np.asarray(vectors, dtype=np.float64)
    distances: Floats = k / (k - 1) * np.linalg.norm(exact - exact.mean(axis=-2, keepdims=True), axis=-1)
    return distances


def find_outliers(vectors: NDArray[np.floating], calibration: OutlierCalibration) -> Outliers | None:
    """How far each hit lies from the others, with both cut-offs; `None` for fewer than two hits.

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
    """Whether each hit lies apart, by the calibrated cut-off; `None` where there is none to decide by."""
    if outliers is None or outliers.cutoff_calibrated is None:
        return None
    # Copies of one paper differ by rounding only, and their cut-off is 0.
    farthest = outliers.cutoff_calibrated + 10**-DECIMALS
    return tuple(distance > farthest for distance in outliers.distances)


def _statistics(vectors: NDArray[np.float32], sets: Rows) -> list[Floats]:
    """The statistic for k = 2, 3, ... of the first k papers of each of `sets`, each of shape (n_sets, k)."""
    gathered = (np.asarray(vectors[rows], dtype=np.float64) for rows in sets)
    by_set = [[leave_one_out_distances(hits[:k]) for k in range(2, len(hits) + 1)] for hits in gathered]
    return [np.array(distances) for distances in zip(*by_set, strict=True)]


def _typical(distances: Floats) -> float:
    """The median hit of the median set."""
    return float(np.median(np.median(distances, axis=1)))


def _by_k(cutoffs: Sequence[float | np.floating | None]) -> tuple[float | None, ...]:
    known = (None if cutoff is None else round(float(cutoff), DECIMALS) for cutoff in cutoffs)
    return (*known, *(None,) * (MAX_TOP_K - len(cutoffs)))
