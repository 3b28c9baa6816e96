"""Papers in a region of the map."""

import numpy as np
import pytest

from pathfinder.corpus.coordinates import inside
from pathfinder.types import Region

SQUARE = Region.box(0, 0, 2, 2)


ANGLES = np.pi / 2 + np.arange(5) * 4 * np.pi / 5
STAR = Region(tuple((float(np.cos(a)), float(np.sin(a))) for a in ANGLES))
"""A five-pointed star drawn in one stroke, which encloses its middle twice."""


@pytest.mark.parametrize(
    ("region", "within", "outside"),
    [
        (SQUARE, [(1, 1), (0.01, 1.99)], [(3, 1), (-1, 1), (1, 3), (1, -1)]),
        (SQUARE, [(0, 0), (2, 2), (0, 2), (2, 0), (1, 0), (1, 2), (0, 1), (2, 1)], []),  # corners and edges
        (Region(((0, 0), (4, 0), (4, 4), (2, 1), (0, 4))), [(2, 0.5), (0.5, 2), (3.8, 2)], [(2, 3)]),  # with a notch
        (STAR, [(0, 0.9)], [(0, 0), (0, -0.9)]),
        # A corner at the height of a paper is crossed once.
        (Region(((0, -1), (1, 0), (0, 1), (-1, 0))), [(0, 0), (-0.5, 0)], [(-2, 0), (2, 0)]),
        (Region(((0, 0), (1, 1), (2, 2))), [(1.5, 1.5)], [(1.5, 1.4)]),  # without area
    ],
)
def test_what_lies_within_or_on_the_edge_is_in_and_what_lies_beside_or_is_gone_round_twice_is_not(
    region: Region, within: list[tuple[float, float]], outside: list[tuple[float, float]]
) -> None:
    is_inside = inside(np.array([*within, *outside], dtype=np.float32), region)
    assert is_inside.tolist() == [True] * len(within) + [False] * len(outside)


def test_the_way_round_does_not_matter() -> None:
    points = np.random.default_rng(0).uniform(-1, 3, (200, 2)).astype(np.float32)
    backwards = Region(SQUARE.corners[::-1])
    assert np.array_equal(inside(points, SQUARE), inside(points, backwards))


def test_a_map_without_papers_has_none_inside() -> None:
    assert inside(np.empty((0, 2), dtype=np.float32), SQUARE).tolist() == []


@pytest.mark.parametrize("seed", range(5))
def test_a_random_lasso_agrees_with_one_ray_a_paper(seed: int) -> None:
    random = np.random.default_rng(seed)
    corners = tuple((float(x), float(y)) for x, y in random.uniform(-1, 1, (12, 2)))
    points = random.uniform(-1, 1, (300, 2)).astype(np.float32)

    def crossings(x: float, y: float) -> int:
        n = 0
        for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
            if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
                n += 1
        return n

    expected = [crossings(float(x), float(y)) % 2 == 1 for x, y in points]
    assert inside(points, Region(corners)).tolist() == expected
