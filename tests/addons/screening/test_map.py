"""The map of a screening."""

import datetime

import numpy as np

from pathfinder.addons.screening.decisions import Screening, ScreeningVerdict
from pathfinder.addons.screening.figure import screening_groups, screening_map
from pathfinder.landscape.data.landscape import Landscape
from pathfinder.landscape.density import Extent, density_png

NOW = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)


def test_papers_are_grouped_by_the_decision_in_force() -> None:
    screening = Screening("?", ("a", "b", "c", "d", "e"), 5)
    for name, verdict in (("a", ScreeningVerdict.IN), ("b", ScreeningVerdict.LATER), ("b", ScreeningVerdict.OUT)):
        screening = screening.decide(name, verdict, NOW)
    assert screening_groups(screening, ("c",)) == {
        "in": ("a",),
        "out": ("b",),
        "later": (),
        "undecided": ("d", "e"),
        "next": ("c",),
    }


def test_each_group_is_drawn_at_its_places_and_papers_that_are_gone_are_left_out() -> None:
    coordinates = np.array([[1, 2], [3, 4]], dtype=np.float32)
    landscape = Landscape(coordinates, Extent(left=0, right=9, bottom=0, top=6), density_png(np.eye(4)))
    none = np.empty(0, dtype=np.int64)
    rows = {"in": np.array([1, -1]), "out": np.array([0]), "later": none, "undecided": none, "next": none}
    places = {trace.name: (list(trace.x), list(trace.y)) for trace in screening_map(landscape, rows).data}
    assert places["in"] == ([3.0], [4.0])
    assert places["out"] == ([1.0], [2.0])
    assert places["next"] == ([], [])
    assert len({trace.marker.symbol for trace in screening_map(landscape, rows).data}) >= 4
