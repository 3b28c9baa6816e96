"""Papers in a region of the map."""

import numpy as np
import pytest

from pathfinder.corpus.coordinates import inside
from pathfinder.types import Region

SQUARE = Region.box(0, 0, 2, 2)


def places(*points: tuple[float, float]) -> np.ndarray:
    return np.array(points, dtype=np.float32).reshape(-1, 2)


def test_what_lies_within_is_in_and_what_lies_beside_is_not() -> None:
    is_inside = inside(places((1, 1), (3, 1), (-1, 1), (1, 3), (1, -1), (0.01, 1.99)), SQUARE)
    assert is_inside.tolist() == [True, False, False, False, False, True]


def test_edges_and_corners_are_in() -> None:
    assert inside(places((0, 0), (2, 2), (0, 2), (2, 0), (1, 0), (1, 2), (0, 1), (2, 1)), SQUARE).all()


def test_the_way_round_does_not_matter() -> None:
    points = np.random.default_rng(0).uniform(-1, 3, (200, 2)).astype(np.float32)
    backwards = Region(SQUARE.corners[::-1])
    assert np.array_equal(inside(points, SQUARE), inside(points, backwards))


def test_the_notch_of_a_lasso_is_outside() -> None:
    notched_region = Region(((0, 0), (4, 0), (4, 4), (2, 1), (0, 4)))
    assert inside(places((2, 3), (2, 0.5), (0.5, 2), (3.8, 2)), notched_region).tolist() == [False, True, True, True]


def test_what_a_lasso_goes_round_twice_is_outside() -> None:
    """A five-pointed star drawn in one stroke encloses its middle twice."""
    angles = np.pi / 2 + np.arange(5) * 4 * np.pi / 5
    star = Region(tuple((float(np.cos(a)), float(np.sin(a))) for a in angles))
    assert inside(places((0, 0), (0, 0.9), (0, -0.9)), star).tolist() == [False, True, False]


def test_a_corner_at_the_height_of_a_paper_is_crossed_once() -> None:
    diamond = Region(((0, -1), (1, 0), (0, 1), (-1, 0)))
    assert inside(places((0, 0), (-2, 0), (2, 0), (-0.5, 0)), diamond).tolist() == [True, False, False, True]


def test_a_region_without_area_holds_what_lies_on_its_line() -> None:
    line = Region(((0, 0), (1, 1), (2, 2)))
    assert inside(places((1.5, 1.5), (1.5, 1.4)), line).tolist() == [True, False]


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
