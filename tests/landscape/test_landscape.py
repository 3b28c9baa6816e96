import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.landscape.data.landscape import COORDINATES, EXTENT, open_landscape, write_landscape
from pathfinder.landscape.density import map_extent

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
