"""The colours of layers: apart from each other for every kind of colour vision, where there are few."""

from pathfinder.landscape.layer import Dash

SERIES = (
    "#e69f00", "#56b4e9", "#009e73", "#f0e442", "#d55e00", "#cc79a7", "#0072b2",
    "#b3de69", "#bc80bd", "#fb8072", "#80b1d3", "#fdb462",
)  # fmt: skip
"""Seven of Okabe and Ito (2008), then five that differ from them in lightness."""

RISING, FALLING = "#e69f00", "#56b4e9"
WARNING, CALM, PAST = "#d55e00", "#56b4e9", "#9aa3b5"
HIT, OUTLIER = "#56b4e9", "#d55e00"


def colour_of(place: int) -> str:
    """The colour of the layer at `place` in a list; they come round after twelve."""
    return SERIES[place % len(SERIES)]


def dash_of(place: int) -> Dash:
    """How the line at `place` in a list is drawn: of those of one colour each another way, until these come round."""
    ways = tuple(Dash)
    return ways[place // len(SERIES) % len(ways)]
