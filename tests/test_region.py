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


@pytest.mark.parametrize("corner", [(1.0,), (1.0, math.nan), (math.inf, 0.0), (10**400, 0.0), ("1", 0.0), (True, 0.0)])
def test_a_corner_that_is_not_two_numbers_is_refused(corner):
    with pytest.raises(UsageError, match="two numbers"):
        Region(((0.0, 0.0), (1.0, 0.0), corner))


@pytest.mark.parametrize("text", ["", "1", "1,2", "1,2;3", "1,2;3,4;5,six", "1,2,3;4,5,6;7,8,9", "nan,0;1,1;2,0"])
def test_a_text_that_names_no_region_is_refused(text):
    with pytest.raises(UsageError):
        Region.read(text)


def test_a_corner_that_cannot_be_read_is_named():
    with pytest.raises(UsageError, match=r"1\.5,-2.*'here'"):
        Region.read("0,0;1,0;here")


def test_two_corners_name_a_box():
    assert Region.read("0,1;2,3") == Region.box(0, 1, 2, 3)


def test_spaces_and_a_last_semicolon_are_no_corners():
    assert Region.read(" 0, 0; 1,0 ;0,1; ") == Region(((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))


def test_a_region_reads_back_what_it_writes():
    region = Region(((0.1, -2.0), (1e-9, 3.25), (1 / 3, 12345.678)))
    assert region.text.startswith("0.1,-2;")
    assert Region.read(region.text) == region
