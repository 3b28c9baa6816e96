import io

import numpy as np
import pytest
from PIL import Image, ImageColor

from pathfinder.errors import CorpusDamaged
from pathfinder.landscape.data.landscape import COORDINATES, EXTENT, open_landscape, write_landscape
from pathfinder.landscape.density import (
    LONG_SIDE_PIXELS,
    PALETTE,
    Extent,
    Grid,
    basin_of,
    basins,
    densities,
    density,
    density_png,
    grid_over,
    map_extent,
    peaks,
)

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


def test_everybody_climbs_to_the_next_peak():
    heights = np.array([[1.0, 3.0, 1.0, 0.5, 2.0, 5.0]])
    assert basins(heights).tolist() == [1, 1, 1, 5, 5, 5]


def test_a_plateau_has_one_peak():
    assert basins(np.full((3, 3), 0.7)).tolist() == [0] * 9


def test_the_sea_belongs_to_nobody():
    assert basins(np.array([[0.0, 0.001, 0.5, 1.0]])).tolist() == [-1, -1, 3, 3]
    assert basins(np.zeros((2, 2))).tolist() == [-1] * 4


def test_a_peak_at_the_edge_is_not_climbed_from_the_other_edge():
    heights = np.array([[9.0, 1.0, 5.0], [1.0, 1.0, 1.0], [4.0, 1.0, 1.0]])
    assert basins(heights).tolist()[0] == 0
    assert basins(heights).tolist()[2] == 2
    assert basins(heights).tolist()[6] == 6


def two_crowds():
    rng = np.random.default_rng(0)
    crowds = [rng.normal([2, 2], 0.3, size=(300, 2)), rng.normal([8, 4], 0.3, size=(100, 2))]
    return np.vstack(crowds).astype(np.float32)


def test_two_crowds_have_two_broad_peaks_the_larger_first_and_papers_belong_to_theirs():
    places = two_crowds()
    grid = grid_over(map_extent(places))
    broad = densities(places, grid)["broad"]
    first, second = peaks(broad, grid, "broad")
    assert (first.x, first.y) == pytest.approx((2, 2), abs=0.3)
    assert (second.x, second.y) == pytest.approx((8, 4), abs=0.3)
    assert first.height == 1 > second.height > 0
    of = basin_of(places, grid, broad)
    assert len(set(of[:300])) == len(set(of[300:])) == 1
    assert of[0] != of[300]


def test_a_finer_scale_has_more_peaks_and_every_density_ends_at_one():
    places = np.random.default_rng(1).uniform(0, 10, size=(2000, 2)).astype(np.float32)
    grid = grid_over(map_extent(places))
    smooth = densities(places, grid)
    counts = [len(peaks(smooth[scale], grid, scale)) for scale in ("broad", "medium", "fine")]
    assert counts[0] < counts[1] < counts[2]
    for values in smooth.values():
        assert values.shape == (4 * grid.n_rows, 4 * grid.n_columns)
        assert (values.min() >= 0, values.max()) == (True, 1)


def test_the_top_of_the_map_comes_first():
    grid = Grid(map_extent(np.array([[0, 0], [10, 10]], dtype=np.float32)), 96, 96)
    (top,) = peaks(densities(np.array([[5, 9.5]] * 9, dtype=np.float32), grid)["fine"], grid, "fine")
    assert (top.x, top.y) == pytest.approx((5, 9.5), abs=0.1)


GRID = Grid(Extent(left=0, right=4, bottom=0, top=2), n_rows=2, n_columns=4)


def test_cells_are_numbered_by_line_from_the_top_left():
    places = np.array([[0.5, 1.5], [3.5, 1.5], [0.5, 0.5], [3.5, 0.5]], dtype=np.float32)
    assert GRID.cell_of(places).tolist() == [0, 3, 4, 7]


def test_a_place_on_the_edge_or_beyond_it_is_in_the_cell_next_to_it():
    places = np.array([[4, 2], [9, -9], [-1, 3]], dtype=np.float32)
    assert GRID.cell_of(places).tolist() == [3, 7, 0]


def test_the_centre_of_a_cell_is_in_that_cell():
    centres = np.array([GRID.centre(cell) for cell in range(8)], dtype=np.float32)
    assert GRID.cell_of(centres).tolist() == list(range(8))
    assert np.array_equal(GRID.centres(), [GRID.centre(cell) for cell in range(8)])
    assert GRID.centres(np.array([7])).tolist() == [[3.5, 0.5]]


def test_papers_are_counted_where_they_lie():
    assert GRID.count(np.array([0, 0, 7])).tolist() == [[2, 0, 0, 0], [0, 0, 0, 1]]


def test_cells_are_square_and_there_is_one_at_least():
    assert grid_over(Extent(0, 20, 0, 10), long_side=40) == Grid(Extent(0, 20, 0, 10), 20, 40)
    assert grid_over(Extent(0, 1000, 0, 1), long_side=40).n_rows == 1


PLACES = np.random.default_rng(0).normal(size=(50, 2)).astype(np.float32)


@pytest.fixture
def folder(tmp_path):
    write_landscape(PLACES, tmp_path / "landscape")
    return tmp_path / "landscape"


@pytest.mark.parametrize("other", [PLACES.astype(np.float64), PLACES[:, :1], PLACES[0]])
def test_coordinates_of_another_kind_are_refused(folder, other):
    np.save(folder / COORDINATES, other)
    with pytest.raises(CorpusDamaged, match=r"not float32 of \(n, 2\)"):
        open_landscape(folder)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        '{"left": 0, "right": 1, "bottom": 0}',
        '{"left": 0, "right": NaN, "bottom": 0, "top": 1}',
        "[0, 1, 0, 1]",
    ],
)
def test_a_damaged_extent_is_refused(folder, text):
    (folder / EXTENT).write_text(text)
    with pytest.raises(CorpusDamaged, match=EXTENT):
        open_landscape(folder)


def test_a_landscape_comes_back_as_it_was(folder):
    landscape = open_landscape(folder)
    assert np.array_equal(landscape.coordinates, PLACES)
    assert landscape.extent == map_extent(PLACES)
    assert landscape.image_png.startswith(b"\x89PNG")


def test_coordinates_are_memory_mapped_and_cannot_be_written_to(folder):
    coordinates = open_landscape(folder).coordinates
    assert isinstance(coordinates, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        coordinates[0] = 0
