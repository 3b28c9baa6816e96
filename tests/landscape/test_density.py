import io

import numpy as np
import pytest
from PIL import Image, ImageColor

from pathfinder.landscape.density import LONG_SIDE_PIXELS, PALETTE, Extent, density, density_png, map_extent

SQUARE = Extent(left=0.0, right=10.0, bottom=0.0, top=10.0)


def places(*points):
    return np.array(points, dtype=np.float32)


def brightest(picture):
    row, column = np.unravel_index(np.argmax(picture), picture.shape)
    return row, column


def test_the_extent_leaves_a_margin_of_a_twentieth_of_the_long_side():
    assert map_extent(places([0, 0], [20, 10])) == Extent(left=-1, right=21, bottom=-1, top=11)


def test_copies_of_one_paper_have_a_place_of_their_own():
    assert map_extent(places([3, 4], [3, 4])) == Extent(left=2.5, right=3.5, bottom=3.5, top=4.5)


def test_the_picture_has_the_shape_of_the_extent():
    assert density(places([1, 1]), Extent(0, 10, 0, 5)).shape == (LONG_SIDE_PIXELS / 2, LONG_SIDE_PIXELS)
    assert density(places([1, 1]), Extent(0, 5, 0, 10)).shape == (LONG_SIDE_PIXELS, LONG_SIDE_PIXELS / 2)


def test_a_paper_at_the_top_left_is_bright_at_the_top_left():
    row, column = brightest(density(places([1.005, 8.995]), SQUARE))
    assert (row, column) == pytest.approx((100, 100), abs=1)


def test_density_runs_from_nothing_to_one_and_grows_with_the_papers():
    crowd = np.random.default_rng(0).normal([3, 5], 0.3, size=(500, 2))
    few = np.random.default_rng(1).normal([7, 5], 0.3, size=(50, 2))
    picture = density(np.vstack([crowd, few]).astype(np.float32), SQUARE)
    assert picture.min() == 0
    assert picture.max() == pytest.approx(1, abs=0.01)
    assert picture[500, 300] > picture[500, 700] > picture[500, 950] == 0


def test_a_heap_of_copies_does_not_darken_the_rest():
    rest = np.random.default_rng(0).uniform(1, 9, size=(3000, 2))
    heap = np.full((300, 2), 5.0)
    alone = density(rest.astype(np.float32), SQUARE)
    with_heap = density(np.vstack([rest, heap]).astype(np.float32), SQUARE)
    assert np.median(with_heap[200:400]) > 0.5 * np.median(alone[200:400])


def test_the_png_is_as_large_as_the_density_and_as_bright():
    png = density_png(np.array([[0.0, 0.5, 1.0]]))
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    assert picture.size == (3, 1)
    assert picture.getpixel((0, 0)) == ImageColor.getrgb(PALETTE[0])
    assert picture.getpixel((1, 0)) == pytest.approx(ImageColor.getrgb(PALETTE[2]), abs=1)
    assert picture.getpixel((2, 0)) == ImageColor.getrgb(PALETTE[-1])


def test_the_palette_runs_from_dark_to_light():
    lightness = [sum(ImageColor.getrgb(colour)) for colour in PALETTE]
    assert lightness == sorted(lightness)
