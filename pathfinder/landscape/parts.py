"""The parts of the map that have a name: what belongs to a peak of the density, and what may be said of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pathfinder.corpus.papers import PaperTable
from pathfinder.index.terms import KeywordIndex
from pathfinder.landscape.atlas import LABEL_LEVELS, SCALES, Label
from pathfinder.landscape.grid import Grid
from pathfinder.landscape.peaks import basin_of
from pathfinder.landscape.phrases import Phrase, phrases_of_parts
from pathfinder.types import Floats, Rows

LEAST_SHARE: Mapping[int, float] = MappingProxyType({1: 0.01, 2: 0.002, 3: 0.0004})
LONGEST_UNIT = 3
"""Letters of a first word that is left as it is written."""
LEAST_PAPERS = 5
"""A part with fewer papers than this, or than the share of all that its level asks for, has no name."""
N_PHRASES = 4
"""What a part may be called, should the first phrase be another's name already."""
N_CENTRAL = 8
"""Papers nearest to the peak that are shown to whoever names a part."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the map around a peak."""

    x: float
    y: float
    level: int
    n_papers: int
    phrases: tuple[Phrase, ...]
    """Best first."""
    central: tuple[int, ...]
    """Rows of the papers nearest to the peak."""


def find_parts(
    coordinates: NDArray[np.float32],
    grid: Grid,
    densities: Mapping[str, Floats],
    index: KeywordIndex,
    papers: PaperTable,
) -> tuple[Part, ...]:
    """The parts that have something to be called by, of all levels, continents first and the most papers first."""
    found: list[Part] = []
    for level, scale in zip(LABEL_LEVELS, SCALES, strict=True):
        peak_of = basin_of(coordinates, grid, densities[scale])
        peaks, part_of, sizes = _large_enough(peak_of, LEAST_SHARE[level])
        phrases = phrases_of_parts(index, papers, part_of, len(peaks), N_PHRASES)
        finer = Grid(grid.extent, *densities[scale].shape)
        for part in np.lexsort((peaks, -sizes)):
            x, y = finer.centre(int(peaks[part]))
            central = _nearest(coordinates, np.flatnonzero(part_of == part), (x, y))
            if phrases[part]:
                found.append(Part(x, y, level, int(sizes[part]), phrases[part], central))
    return tuple(found)


def name_by_keywords(parts: Sequence[Part]) -> tuple[Label, ...]:
    """Each part under one of its phrases that is nobody else's name; without one, it has none. In the same order.

    A phrase that several parts of a level could be called by goes to the one that it fits best; what a higher level
    is called by is taken.
    """
    offers = [(part.level, -phrase.score, place, phrase) for place, part in enumerate(parts) for phrase in part.phrases]
    names: dict[int, str] = {}
    taken: set[tuple[str, ...]] = set()
    for _, _, place, phrase in sorted(offers, key=lambda offer: offer[:3]):
        if place not in names and phrase.lemmas not in taken:
            names[place] = phrase.text
            taken.add(phrase.lemmas)
    return tuple(
        Label(part.x, part.y, _as_a_name(names[place]), part.level, 0.0, part.n_papers)
        for place, part in enumerate(parts)
        if place in names
    )


def _as_a_name(phrase: str) -> str:
    """With a capital, unless its first word may be a symbol ("pH") or a unit ("kpc")."""
    first = phrase.split(" ", 1)[0]
    is_word = first.isalpha() and first.islower() and len(first) > LONGEST_UNIT
    return phrase[0].upper() + phrase[1:] if is_word else phrase


def _large_enough(peak_of: Rows, least_share: float) -> tuple[Rows, Rows, Rows]:
    """The peaks with enough papers; for each paper the place of its peak among them, or -1; and how many each has."""
    peaks, sizes = np.unique(peak_of[peak_of >= 0], return_counts=True)
    enough = sizes >= max(LEAST_PAPERS, least_share * len(peak_of))
    peaks, sizes = peaks[enough], sizes[enough]
    place = np.searchsorted(peaks, peak_of)
    is_in = np.isin(peak_of, peaks)
    return peaks, np.where(is_in, place, -1), sizes


def _nearest(coordinates: NDArray[np.float32], rows: Rows, place: tuple[float, float]) -> tuple[int, ...]:
    apart = ((coordinates[rows] - np.array(place)) ** 2).sum(axis=1)
    return tuple(rows[np.lexsort((rows, apart))[:N_CENTRAL]].tolist())
