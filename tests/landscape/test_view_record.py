"""What is sent to the canvas of the map for a view: tiles, and papers by lot."""

import base64

import numpy as np
import pytest

from pathfinder.errors import UsageError
from pathfinder.landscape.canvas.scene_record import MAX_POINTS, MAX_TILES, Sampler, tiles_record
from pathfinder.types import Paper
from tests.landscape.made_up_atlas import made_up_atlas
from tests.landscape.planted import table

ATLAS = made_up_atlas(n_zooms=2)


def test_tiles_are_sent_as_they_lie_on_disk() -> None:
    sent = tiles_record(ATLAS, ["0/0/0", "1/1/0"])
    assert base64.b64decode(sent["1/1/0"]) == ATLAS.tile(1, 1, 0)
    assert list(sent) == ["0/0/0", "1/1/0"]


@pytest.mark.parametrize("name", ["5/0/0", "1/2/0", "1/0/2", "1/-1/0", "../0/0", "", "1/0/0/0", "0/00000/0"])
def test_a_tile_that_there_is_not_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="zoom/column/row"):
        tiles_record(ATLAS, [name])


def test_more_tiles_than_a_screen_shows_are_refused() -> None:
    with pytest.raises(UsageError, match=f"at most {MAX_TILES} tiles"):
        tiles_record(ATLAS, ["0/0/0"] * (MAX_TILES + 1))


def sampler(n: int) -> Sampler:
    """`n` papers along the diagonal from (0, 0) to (10, 10), of ten years in turn."""
    places = np.linspace(0, 10, n)
    papers = [Paper(f"p{i}", f"Paper $x_{{{i}}}$", "Of something.", year=1990 + i % 10) for i in range(n)]
    return Sampler(np.stack([places, places], axis=1).astype(np.float32), table(papers))


def test_all_papers_of_a_view_are_sent_where_they_are_few() -> None:
    sent = sampler(11).points_record((2.5, 0, 5.5, 5.5))
    assert sorted(sent["rows"]) == [3, 4, 5]
    assert sent["n"] == 3
    assert sorted(sent["x"]) == [3, 4, 5]
    assert sorted(sent["years"]) == [1993, 1994, 1995]
    assert "Paper x₃" in sent["titles"]


def test_many_papers_are_drawn_by_lots_that_are_the_same_from_close_by() -> None:
    sample = sampler(4 * MAX_POINTS)
    far, near = sample.points_record((0, 0, 10, 10)), sample.points_record((0, 0, 5, 5))
    assert far["n"] == 4 * MAX_POINTS
    assert len(far["rows"]) == len(near["rows"]) == MAX_POINTS
    in_half = {row for row, x in zip(far["rows"], far["x"], strict=True) if x <= 5}
    assert in_half <= set(near["rows"])


def test_of_chosen_years_others_are_not_sent() -> None:
    sent = sampler(20).points_record((0, 0, 10, 10), (1992, 1993))
    assert sorted(sent["rows"]) == [2, 3, 12, 13]


@pytest.mark.parametrize("box", [(0, 0, 1), (0, 0, float("nan"), 1), (0, 0, float("inf"), 1)])
def test_a_view_without_four_sides_is_refused(box: tuple[float, ...]) -> None:
    with pytest.raises(UsageError, match="four edges"):
        sampler(5).points_record(box)
