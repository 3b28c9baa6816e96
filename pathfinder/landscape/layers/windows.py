"""Counting around cells: in squares that are large enough to say something, and no larger."""

import numpy as np

from pathfinder.types import Floats

ENOUGH = 25
"""Papers that the square around the median paper is to hold, so that a test has something to count."""
MAX_RADIUS = 6


def window_sums(counts: Floats, radius: int) -> Floats:
    """The sum of `counts` in the square of `2 * radius + 1` cells around each cell, cut off at the edge of the map."""
    height, width = counts.shape
    summed = np.zeros((height + 1, width + 1))
    summed[1:, 1:] = counts.cumsum(axis=0).cumsum(axis=1)
    rows, columns = np.arange(height), np.arange(width)
    top, bottom = np.maximum(rows - radius, 0), np.minimum(rows + radius + 1, height)
    left, right = np.maximum(columns - radius, 0), np.minimum(columns + radius + 1, width)
    sums = summed[bottom][:, right] - summed[top][:, right] - summed[bottom][:, left] + summed[top][:, left]
    return np.asarray(np.round(sums, 9))


def radius_for(papers: Floats) -> int:
    """The least radius, 0 to 6, at which the square around the median paper holds 25 papers, if any does."""
    held = papers.ravel()
    for radius in range(MAX_RADIUS):
        around = window_sums(papers, radius).ravel()
        order = np.argsort(around, kind="stable")
        middle = np.searchsorted(np.cumsum(held[order]), held.sum() / 2)
        if around[order[min(int(middle), len(order) - 1)]] >= ENOUGH:
            return radius
    return MAX_RADIUS


def in_cells(radius: int) -> str:
    """The size of a square in words: "5 x 5 cells", or "the cell alone"."""
    side = 2 * radius + 1
    return f"the {side} x {side} cells around it" if radius else "the cell alone"
