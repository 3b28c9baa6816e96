"""A pool in which two words decide: papers on dust are in, papers on gas are out."""

import numpy as np

from pathfinder.addons.screening.pool import ScreeningPool, make_pool

N, N_DUST = 60, 12
DUST = np.arange(N) % 5 == 4
"""Papers 4, 9, 14, ...: 12 of 60."""


def dust_pool(ranking: np.ndarray | None = None) -> ScreeningPool:
    """Make the pool; without a `ranking`, the question lists the papers as they come."""
    texts = [f"{'dust grains' if is_dust else 'hot gas'} in object {row % 7}" for row, is_dust in enumerate(DUST)]
    angles = np.where(DUST, 0.2, 1.2) + 0.01 * np.arange(N)
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    order = np.arange(N) if ranking is None else ranking
    names = [f"p{row}" for row in range(N)]
    return make_pool(names, texts, vectors, "grains of dust", np.array([1, 0], dtype=np.float32), order)
