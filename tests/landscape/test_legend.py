import numpy as np
import pytest

from pathfinder.landscape.density import Extent
from pathfinder.landscape.grid import Grid
from pathfinder.landscape.layer import Cells, Layer, Line, Mark
from pathfinder.landscape.legend import Entry, Sign, layer_entries

GRID = Grid(Extent(0, 1, 0, 1), 1, 1)


def veil(low: str = "", high: str = "", value: float = 1.0) -> Layer:
    return Layer("a", "A", "", (Cells(GRID, np.array([[value]]), "#111111", "JWST", low, high),))


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [("", "", "JWST"), ("1", "8 times", "JWST: 1 to 8 times"), ("", "8 times", "JWST: 8 times"), ("1", "", "JWST: 1")],
)
def test_a_veil_is_told_with_what_is_known_of_its_scale(low, high, told):
    assert layer_entries(veil(low, high)) == (Entry(Sign.VEIL, "#111111", told),)


def test_a_veil_that_is_thin_everywhere_is_shown_thin():
    (entry,) = layer_entries(veil(value=0.3))
    assert entry.strength < 1


def test_what_is_drawn_often_is_told_once_and_what_has_no_title_not_at_all():
    points = np.zeros((2, 2), dtype=np.float32)
    lines = (Line(points, "#222222", "path", is_path=True), Line(points, "#333333"), Line(points, "#444444", "half"))
    marks = (Mark(0, 0, "one", "#555555", "review"), Mark(1, 1, "other", "#555555", "review"))
    entries = layer_entries(Layer("a", "A", "", lines=lines, marks=marks))
    assert [(entry.sign, entry.text) for entry in entries] == [
        (Sign.PATH, "path"),
        (Sign.LINE, "half"),
        (Sign.MARK, "review"),
    ]
