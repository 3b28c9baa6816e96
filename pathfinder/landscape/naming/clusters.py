"""Finds the clusters of the map, one around each peak of the density, and names them after their keywords."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.data.atlas import LABEL_LEVELS, SCALES, Label
from pathfinder.landscape.density.grid import Grid
from pathfinder.landscape.density.peaks import basin_of
from pathfinder.landscape.statistics.phrases import Phrase, phrases_of_parts
from pathfinder.types import Floats, Rows

MIN_SHARE: Mapping[int, float] = MappingProxyType({1: 0.01, 2: 0.002, 3: 0.0004})
"""Minimum share of all papers that a cluster of each level needs in order to be named."""
MIN_PAPERS = 5
"""Minimum number of papers that a cluster needs in order to be named, however small the corpus."""
MAX_UNIT_LENGTH = 3
"""A first word of at most this many letters may be a unit ("kpc") and stays in lower case."""
N_PHRASES = 4
"""Number of phrases kept for each cluster, in case its first phrase goes to another cluster."""
N_CENTRAL = 8
"""Number of papers nearest to the peak that a chat model is shown when it names a cluster."""


@dataclass(frozen=True, slots=True)
class MapCluster:
    """The papers around a peak of the density."""

    x: float
    y: float
    level: int
    n_papers: int
    phrases: tuple[Phrase, ...]
    """Its phrases, the best first."""
    central: tuple[int, ...]
    """Rows of the papers nearest to the peak."""


def find_clusters(
    coordinates: NDArray[np.float32],
    grid: Grid,
    densities: Mapping[str, Floats],
    index: KeywordIndex,
    papers: PaperTable,
) -> tuple[MapCluster, ...]:
    """Find the clusters of all levels that have phrases: continents first and, within a level, the largest first."""
    clusters: list[MapCluster] = []
    for level, scale in zip(LABEL_LEVELS, SCALES, strict=True):
        peak_of = basin_of(coordinates, grid, densities[scale])
        peaks, cluster_of, sizes = _large_enough(peak_of, MIN_SHARE[level])
        phrases = phrases_of_parts(index, papers, cluster_of, len(peaks), N_PHRASES)
        finer = Grid(grid.extent, *densities[scale].shape)
        for number in np.lexsort((peaks, -sizes)):
            x, y = finer.centre(int(peaks[number]))
            central = _nearest(coordinates, np.flatnonzero(cluster_of == number), (x, y))
            if phrases[number]:
                clusters.append(MapCluster(x, y, level, int(sizes[number]), phrases[number], central))
    return tuple(clusters)


def name_by_keywords(clusters: Sequence[MapCluster]) -> tuple[Label, ...]:
    """Label each cluster with one of its phrases; a cluster whose phrases are all taken gets no label. The labels keep
    the order of `clusters`.

    A phrase shared by several clusters of a level goes to the one that it fits best; continents choose first,
    then countries, then towns.
    """
    candidates = [
        (cluster.level, -phrase.score, place, phrase)
        for place, cluster in enumerate(clusters)
        for phrase in cluster.phrases
    ]
    names: dict[int, str] = {}
    used_lemmas: set[tuple[str, ...]] = set()
    for _, _, place, phrase in sorted(candidates, key=lambda candidate: candidate[:3]):
        if place not in names and phrase.lemmas not in used_lemmas:
            names[place] = phrase.text
            used_lemmas.add(phrase.lemmas)
    return tuple(
        Label(cluster.x, cluster.y, _capitalise(names[place]), cluster.level, 0.0, cluster.n_papers)
        for place, cluster in enumerate(clusters)
        if place in names
    )


def _capitalise(phrase: str) -> str:
    """Capitalise `phrase`, unless its first word may be a symbol ("pH") or a unit ("kpc")."""
    first = phrase.split(" ", 1)[0]
    is_word = first.isalpha() and first.islower() and len(first) > MAX_UNIT_LENGTH
    return phrase[0].upper() + phrase[1:] if is_word else phrase


def _large_enough(peak_of: Rows, min_share: float) -> tuple[Rows, Rows, Rows]:
    """Return the peaks with enough papers, the index of each paper's peak among them (or -1), and the sizes of their
    clusters.
    """
    peaks, sizes = np.unique(peak_of[peak_of >= 0], return_counts=True)
    is_large = sizes >= max(MIN_PAPERS, min_share * len(peak_of))
    peaks, sizes = peaks[is_large], sizes[is_large]
    place = np.searchsorted(peaks, peak_of)
    return peaks, np.where(np.isin(peak_of, peaks), place, -1), sizes


def _nearest(coordinates: NDArray[np.float32], rows: Rows, place: tuple[float, float]) -> tuple[int, ...]:
    distances = ((coordinates[rows] - np.array(place)) ** 2).sum(axis=1)
    return tuple(rows[np.lexsort((rows, distances))[:N_CENTRAL]].tolist())
