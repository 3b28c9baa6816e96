"""Measures how far a map has drifted since papers were added to its corpus, and says whether a new map is advisable."""

from collections.abc import Iterator

import numpy as np

from pathfinder.building.fitted_parts import SEED
from pathfinder.corpus.store import Corpus
from pathfinder.errors import UsageError
from pathfinder.landscape.data.landscape import open_landscape
from pathfinder.landscape.projection.projection import N_NEIGHBOURS, Drift, measure_drift

WORTH_A_NEW_MAP = 0.02
"""Gain in the share of neighbours kept, over that of this map, above which a new map is advised."""


def map_drift(corpus: Corpus) -> Drift:
    """Lay out a fresh map of `corpus` and compare it with the existing one; this takes as long as the layout did in the
    build.

    Raises `UsageError` for a corpus without a map, or with too few papers to compare.
    """
    folder = corpus.path("landscape")
    if folder is None:
        raise UsageError(f"{corpus.folder} has no map to compare: {corpus.absent['landscape']}")
    if len(corpus.papers) <= N_NEIGHBOURS:
        raise UsageError(
            f"measuring drift needs more than {N_NEIGHBOURS} papers, but this corpus has {len(corpus.papers)}: add more"
        )
    vectors = corpus.dense.vectors(np.arange(len(corpus.papers), dtype=np.int64))
    return measure_drift(vectors, open_landscape(folder).coordinates, SEED)


def drift_lines(drift: Drift) -> Iterator[str]:
    """Yield the lines that describe a drift."""
    yield (
        f"drift from a fresh map: median {drift.median:.1%} of the map's longer side, "
        f"nine papers in ten within {drift.ninth_decile:.1%}"
    )
    yield (
        f"nearest neighbours that are also neighbours on the map: {drift.neighbours_kept:.1%} here, "
        f"{drift.neighbours_kept_afresh:.1%} on a fresh map"
    )
    if drift.neighbours_kept_afresh - drift.neighbours_kept > WORTH_A_NEW_MAP:
        yield "a new map (build --new-map) would be better, but would break links to places on this one"
