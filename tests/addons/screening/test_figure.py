"""The flow diagram of a screening."""

import datetime
from xml.etree import ElementTree

import numpy as np

from pathfinder.addons.screening.decisions import PrismaCounts, Screening, ScreeningVerdict
from pathfinder.addons.screening.figure import prisma_svg, screening_groups, screening_map
from pathfinder.landscape.data.landscape import Landscape
from pathfinder.landscape.density import Extent, density_png

COUNTS = PrismaCounts(
    identified=1003,
    duplicates=3,
    not_in_pool=50,
    screened=40,
    excluded=30,
    excluded_by_reason={"no data <yet>": 20, "": 10},
    included=10,
    undecided=2,
    not_screened=958,
)


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_every_paper_is_accounted_for():
    # 1,003 records less 3 duplicates leave 1,000 papers: 40 screened, 2 put off, 958 never looked at. The 50 papers of
    # the library that the search did not return were never identified.
    assert texts(prisma_svg(COUNTS)) == [
        *("Records identified: 1,003", "Removed before screening", "duplicates: 3"),
        *("Papers to be screened: 1,000", "Not screened: 958", "Put off: 2"),
        *("Papers screened: 40", "Papers excluded: 30", "no data <yet>: 20", "no reason stated: 10"),
        "Papers included: 10",
    ]


def test_many_reasons_are_summed_up():
    reasons = {f"reason {n} {'x' * 60}": 1 for n in range(12)}
    lines = texts(prisma_svg(PrismaCounts(12, 0, 0, 12, 12, reasons, 0, 0, 0)))
    assert sum(line.startswith("reason") for line in lines) == 8
    assert "and 4 more reasons" in lines
    assert max(map(len, lines)) < 45


# The map of a screening.


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
