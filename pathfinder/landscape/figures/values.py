"""Plots the values stated in papers against the years of the papers, with error bars, for the page."""

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from pathfinder.answering.assessment.values.candidate import ComparableValue, comparable, value_as_text
from pathfinder.landscape.figures.plotting import BLUE, GREY, VERMILLION, axis_of_years, load_pandas
from pathfinder.text.author_names import parse_name
from pathfinder.text.latex.display import readable
from pathfinder.text.quantities.written_numbers import RANGE
from pathfinder.types import Paper, StatedValue

# The values of a digest, as they are plotted: in a single unit, against the years of their papers.

WIDE = 30.0
"""Ratio of the largest value to the smallest above which the axis is logarithmic."""
RECENT, FEWEST = 30, 3
"""Number of years that a plot shows at first, and the minimum number of values in them; otherwise it shows them all."""
LIMITS = {None: "value", "about": "approximate value", "upper": "upper limit", "lower": "lower limit", RANGE: "range"}
"""Names of values and limits in the legend."""


@dataclass(frozen=True, slots=True)
class DatedValue:
    """A value with the year of its paper."""

    comparable: ComparableValue
    year: int
    paper: Paper

    @property
    def limit(self) -> str | None:
        """ "upper", "lower" or "about"; `None` for a measurement."""
        return self.comparable.stated_value.limit

    @property
    def has_error(self) -> bool:
        """True if its uncertainty is stated."""
        return self.limit != RANGE and self.comparable.low < self.comparable.value < self.comparable.high

    @property
    def description(self) -> str:
        """First author, year, and the value as stated: "Riess 2022: 73.04 ± 1.04 km/s/Mpc"."""
        author = parse_name(self.paper.authors[0]).last if self.paper.authors else self.paper.title
        return readable(f"{author} {self.year}: {value_as_text(self.comparable.stated_value)}")


@dataclass(frozen=True, slots=True)
class DatedValues:
    """All values that one plot can show."""

    quantity: str
    """Most common name of the quantity."""
    unit: str
    """Unit of the axis; empty for plain numbers."""
    values: tuple[DatedValue, ...]
    n_left_out: int
    """Number of values left out because they have other dimensions, come from papers without a year, or became known
    after their papers.
    """

    @property
    def axis_title(self) -> str:
        """Quantity and unit."""
        return readable(f"{self.quantity} [{self.unit}]" if self.unit else self.quantity)

    @property
    def is_wide(self) -> bool:
        """True if the values need a logarithmic axis."""
        numbers = [value.comparable.value for value in self.values]
        return bool(numbers) and min(numbers) > 0.0 and max(numbers) / min(numbers) > WIDE

    @property
    def is_one_number(self) -> bool:
        """True if there is nothing but one number, about which an axis would show the eighth digit."""
        return len({end for value in self.values for end in value.comparable.ends}) == 1

    @property
    def recent(self) -> "DatedValues":
        """Those from the `RECENT` years before the newest paper; all of them if fewer than `FEWEST` would be left."""
        first = max((value.year for value in self.values), default=0) - RECENT
        values = tuple(value for value in self.values if value.year >= first)
        return replace(self, values=values) if len(values) >= FEWEST else self

    @property
    def newest(self) -> DatedValue | None:
        """A value from the newest paper: its first with an uncertainty, or else its first."""
        return max(self.values, key=lambda value: (value.year, value.has_error), default=None)

    @property
    def most_cited(self) -> DatedValue | None:
        """A value from the most cited paper: its first with an uncertainty, or else its first; `None` unless at least
        two papers have a citation count.
        """
        counted = [value for value in self.values if value.paper.citation_count]
        if len({value.paper.paper_id for value in counted}) < 2:
            return None
        return max(counted, key=lambda value: (value.paper.citation_count or 0, value.has_error))

    def with_limit(self, limit: str | None) -> tuple[DatedValue, ...]:
        """Return the values with this kind of limit."""
        return tuple(value for value in self.values if value.limit == limit)

    def describe(self) -> str:
        """Describe the plot in words, for readers who cannot see it."""
        if not self.values:
            return "None of these values comes from a paper with a year."
        years = [value.year for value in self.values]
        numbers = [end for value in self.values for end in value.comparable.ends]
        extent = f"from {min(numbers):.6g} to {max(numbers):.6g} {self.unit}".rstrip()
        return f"{len(years)} values of papers from {min(years)} to {max(years)}, {extent}."


def dated_values(values: Sequence[StatedValue], papers: Mapping[str, Paper]) -> DatedValues:
    """Convert `values` to their most common unit; omit those with other dimensions, from papers without a year, or that
    became known after their papers.
    """
    common = comparable(values)
    values_with_year = tuple(
        DatedValue(value, year, paper)
        for value in common.values
        if (year := (paper := papers[value.stated_value.paper_id]).year) is not None and not value.stated_value.is_later
    )
    names = [value.comparable.stated_value.quantity for value in values_with_year]
    quantity = max(set(names), key=lambda name: (names.count(name), name)) if names else "value"
    return DatedValues(quantity, common.unit, values_with_year, len(values) - len(values_with_year))


HEIGHT = 320
"""Height in pixels."""
COLOURS = {None: BLUE, "about": BLUE, RANGE: BLUE, "upper": VERMILLION, "lower": GREY}
_SYMBOLS = {
    None: "circle",
    "about": "circle-open",
    RANGE: "line-ew-open",
    "upper": "triangle-down",
    "lower": "triangle-up",
}


def values_figure(dated_points: DatedValues) -> go.Figure:
    """Plot values, in their most common unit, against the years of their papers.

    Error bars add statistical and systematic uncertainties in quadrature; limits are triangles that point to where the
    value may lie.
    """
    load_pandas()
    figure = go.Figure()
    for limit in LIMITS:
        if part := dated_points.with_limit(limit):
            figure.add_trace(value_points(part, limit))
    figure.update_layout(
        xaxis={"title": "year of the paper"} | axis_of_years([value.year for value in dated_points.values]),
        yaxis={"title": _escape(dated_points.axis_title), "fixedrange": True, "exponentformat": "power"}
        | ({"type": "log"} if dated_points.is_wide else {"rangemode": "tozero"} if dated_points.is_one_number else {}),
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        height=HEIGHT,
        dragmode=False,  # on a phone, a swipe scrolls the page
        hovermode="x unified",  # names the values that others cover
        legend={"orientation": "h", "yanchor": "bottom", "y": 1.05},
    )
    return figure


def value_points(part: Sequence[DatedValue], limit: str | None) -> go.Scatter:
    """Draw values or limits of one kind with their error bars."""
    return go.Scatter(
        x=[value.year for value in part],
        y=[value.comparable.value for value in part],
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [value.comparable.high - value.comparable.value for value in part],
            "arrayminus": [value.comparable.value - value.comparable.low for value in part],
            "color": COLOURS[limit],
            "width": 0,  # a cap would strike through a point without an error
        },
        mode="markers",
        cliponaxis=False,
        marker={"color": COLOURS[limit], "size": 9, "symbol": _SYMBOLS[limit]},
        name=LIMITS[limit],
        hovertext=[_escape(value.description) for value in part],
        hoverinfo="text",
    )


def _escape(text: str) -> str:
    """Escape the few HTML tags that Plotly interprets: names and titles come from papers."""
    return html.escape(text, quote=False)
