"""What is believed of the size that a browser tells of its canvas."""

import pytest

from pathfinder.ui.world.world_page import SIZE, read_size


@pytest.mark.parametrize("size", [None, "390x430", [390], [390, 430, 1], [390.5, 430], ["390", "430"], {"width": 390}])
def test_what_is_no_size_is_as_if_nothing_had_been_told(size: object) -> None:
    assert read_size(size) == SIZE


def test_a_size_is_brought_to_what_a_picture_may_have() -> None:
    assert read_size([390, 430]) == (390, 430)
    assert read_size([-1, 10**9]) == (200, 8000)
