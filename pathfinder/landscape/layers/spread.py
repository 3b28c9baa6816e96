"""How what was counted is drawn on a sparse map: not as dust, but over a part of the squares that were counted."""

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, maximum_filter

from pathfinder.types import Floats


def spread(values: Floats, radius: int) -> Floats:
    """Each value drawn over the cells within half of `radius` too, the highest where several meet; NaN stays apart.

    A cell's value is that of the square of `radius` around it, so that nothing is drawn where nothing was counted.
    """
    if radius < 2:
        return values
    highest = maximum_filter(np.where(np.isnan(values), -1.0, values), footprint=_disc(radius // 2), mode="nearest")
    return np.where(highest < 0, np.nan, highest)


def around_papers(papers: Floats, radius: int) -> NDArray[np.bool_]:
    """The cells with a paper, and those within half of `radius` of one."""
    has_papers = papers > 0
    if radius < 2:
        return np.asarray(has_papers)
    return np.asarray(binary_dilation(has_papers, structure=_disc(radius // 2)))


def _disc(radius: int) -> NDArray[np.bool_]:
    line = np.arange(-radius, radius + 1)
    return np.asarray(line[:, None] ** 2 + line[None, :] ** 2 <= radius**2)
