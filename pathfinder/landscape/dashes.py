"""A line with gaps, as the pieces that are drawn of it."""

from collections.abc import Iterator, Sequence
from itertools import cycle

import numpy as np

from pathfinder.types import Floats


def pieces(points: Floats, lengths: Sequence[float]) -> Iterator[Floats]:
    """What is drawn of the line through `points`, whose `lengths` are drawn and left out in turn; all without them.

    Each piece goes round the corners of the line that lie on it.
    """
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(steps)])
    if not lengths or at[-1] == 0:
        yield points
        return
    start, is_drawn = 0.0, True
    for length in cycle(lengths):
        end = min(start + length, at[-1])
        if is_drawn:
            ends = np.column_stack([np.interp([start, end], at, points[:, axis]) for axis in (0, 1)])
            yield np.concatenate([ends[:1], points[(at > start) & (at < end)], ends[1:]])
        start, is_drawn = end, not is_drawn
        if start >= at[-1]:
            return
