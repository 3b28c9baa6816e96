"""The flow diagram of a screening."""

from xml.etree import ElementTree

from pathfinder.addons.screening.decisions import PrismaCounts
from pathfinder.addons.screening.figure import prisma_svg

COUNTS = PrismaCounts(
    identified=1053,
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
    # 1,053 records less 3 duplicates and 50 others leave 1,000 papers: 40 screened, 2 put off, 958 never looked at.
    assert texts(prisma_svg(COUNTS)) == [
        *("Records identified: 1,053", "Removed before screening", "duplicates: 3", "other: 50"),
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
