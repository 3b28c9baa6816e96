import math

import pytest

from pathfinder.errors import UsageError
from pathfinder.types import Region


def test_a_box_is_a_region_of_four_corners():
    assert Region.box(0, 1, 2, 3).corners == ((0, 1), (2, 1), (2, 3), (0, 3))


@pytest.mark.parametrize("n", [0, 2, 201])
def test_a_region_of_too_few_or_too_many_corners_is_refused_with_their_number(n):
    with pytest.raises(UsageError, match=f"3 to 200 corners, got {n}"):
        Region(tuple((float(i), float(i * i)) for i in range(n)))


@pytest.mark.parametrize("corner", [(1.0,), (1.0, math.nan), (math.inf, 0.0), ("1", 0.0), (True, 0.0)])
def test_a_corner_that_is_not_two_numbers_is_refused(corner):
    with pytest.raises(UsageError, match="two numbers"):
        Region(((0.0, 0.0), (1.0, 0.0), corner))
