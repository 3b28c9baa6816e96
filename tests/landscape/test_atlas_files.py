import numpy as np
import pytest

from pathfinder.errors import CorpusDamaged
from pathfinder.landscape.data.landscape import SCALES, Label
from pathfinder.landscape.density import densities, grid_over, map_extent
from pathfinder.landscape.drawing.terrain import (
    ENDS_FILE,
    GRID_FILE,
    LABELS_FILE,
    PEAKS_FILE,
    TILES_FILE,
    atlas_of,
    density_file,
    draw_tiles,
    open_atlas,
    write_atlas,
)

pytestmark = [
    pytest.mark.build,  # a part of a corpus is drawn or laid out in nearly every test
    pytest.mark.usefixtures("all_tiles"),
]

PLACES = np.random.default_rng(0).normal(size=(50, 2)).astype(np.float32)
GRID = grid_over(map_extent(PLACES))
LABELS = (Label(0.5, -0.25, "Schwarze Löcher", 1, -2.0, 50), Label(0.1, 0.2, "dust", 3, 2.25, 9, "fake:model"))
FILES = [GRID_FILE, LABELS_FILE, PEAKS_FILE, TILES_FILE, ENDS_FILE, *map(density_file, SCALES)]


@pytest.fixture(scope="module")
def written(tmp_path_factory, all_tiles):
    folder = tmp_path_factory.mktemp("atlas") / "atlas"
    write_atlas(atlas_of(PLACES, GRID, densities(PLACES, GRID), LABELS), folder)
    return folder


@pytest.fixture
def folder(written, tmp_path):
    """A copy that may be damaged."""
    (tmp_path / "atlas").mkdir()
    for file in written.iterdir():
        (tmp_path / "atlas" / file.name).write_bytes(file.read_bytes())
    return tmp_path / "atlas"


@pytest.mark.parametrize(
    "damage",
    ["", "{}", '[{"x": 1}]', '[{"x": NaN, "y": 0, "text": "", "level": 1, "min_zoom": 0, "n_papers": 1}]', "[[1, 2]]"],
)
def test_damaged_labels_are_refused(folder, damage):
    (folder / LABELS_FILE).write_text(damage)
    with pytest.raises(CorpusDamaged, match=LABELS_FILE):
        open_atlas(folder)


@pytest.mark.parametrize("ends", [[1, 2, 3], list(range(341)), [5] * 341])
def test_ends_that_do_not_divide_the_tiles_are_refused(folder, ends):
    np.save(folder / ENDS_FILE, np.array(ends, dtype=np.int64))
    with pytest.raises(CorpusDamaged, match="341 tiles"):
        open_atlas(folder)


def test_a_density_of_another_shape_is_refused(folder):
    np.save(folder / density_file("broad"), np.zeros((3, 3)))
    with pytest.raises(CorpusDamaged, match=r"shape \(3, 3\)"):
        open_atlas(folder)


def test_an_atlas_of_0_1_0_opens_whose_version_file_is_ignored(folder):
    (folder / "version.json").write_text("1")
    assert open_atlas(folder).labels == LABELS


def test_an_atlas_comes_back_as_it_was(written):
    assert "Schwarze Löcher" in (written / LABELS_FILE).read_text(encoding="utf-8")
    atlas = open_atlas(written)
    assert (atlas.grid, atlas.labels) == (GRID, LABELS)
    assert {scale: atlas.density[scale].tolist() for scale in SCALES} == {
        scale: density.tolist() for scale, density in densities(PLACES, GRID).items()
    }
    assert {peak.scale for peak in atlas.peaks} == set(SCALES)


def test_each_tile_is_found_by_zoom_column_and_line(written):
    atlas, tiles = open_atlas(written), list(draw_tiles(PLACES, GRID.extent))
    assert atlas.tile(0, 0, 0) == tiles[0]
    assert atlas.tile(1, 1, 0) == tiles[2]
    assert atlas.tile(2, 3, 1) == tiles[1 + 4 + 4 + 3]
    assert atlas.tile(4, 15, 15) == tiles[-1]


def test_tiles_and_densities_are_memory_mapped_and_cannot_be_written_to(written):
    atlas = open_atlas(written)
    for array in (atlas.tiles, atlas.ends, atlas.density["broad"]):
        assert isinstance(array, np.memmap)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
