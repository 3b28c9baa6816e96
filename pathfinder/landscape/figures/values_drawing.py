"""Plots values against the years of their papers with matplotlib, for files.

Import this module only when a file is drawn: matplotlib takes more than a second to load. One point of the figure is
one pixel, so font sizes and line widths are also in pixels.
"""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from pathfinder.landscape.figures.values import COLOURS, LIMITS, DatedValue, DatedValues
from pathfinder.landscape.picture_files.figure_text import add_tooltip, printable, wrap
from pathfinder.text.quantities.written_numbers import RANGE

WIDTH, HEIGHT = 1000, 640
"""Size of a picture, in pixels."""
POINTS_PER_INCH = 72
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 17.0, 14.0, 12.0
MARGIN = 16.0
POINT_SIZE = 7.0
ARROW_PIXELS = 26.0
"""Length of the arrow that marks a limit, in pixels."""
FEWEST_YEARS = 3
"""Minimum number of years on the axis."""
_AROUND = {"upper": -1.0, "lower": 1.0}
"""Direction from a limit to the true value."""


def draw_values(dated_points: DatedValues, title: str, footer: str) -> Figure:
    """Draw `dated_points`, which must not be empty: values with error bars, limits as arrows. Nothing is averaged."""
    figure = Figure(figsize=(WIDTH / POINTS_PER_INCH, HEIGHT / POINTS_PER_INCH), dpi=POINTS_PER_INCH, facecolor="white")
    FigureCanvasAgg(figure)
    heading = wrap(printable(title), TITLE_SIZE, WIDTH - 2 * MARGIN)[:2]
    note = wrap(printable(footer), SMALL_SIZE, WIDTH - 2 * MARGIN)[:2]
    _write(figure, heading, HEIGHT - MARGIN, TITLE_SIZE, "top")
    _write(figure, note, MARGIN, SMALL_SIZE, "bottom")
    top = HEIGHT - 2 * MARGIN - 24.0 - 1.4 * TITLE_SIZE * len(heading)
    bottom = 2 * MARGIN + 1.4 * SMALL_SIZE * len(note) + 42.0
    left, right = 92.0, WIDTH - MARGIN
    axes = figure.add_axes((left / WIDTH, bottom / HEIGHT, (right - left) / WIDTH, (top - bottom) / HEIGHT))
    years = [value.year for value in dated_points.values]
    middle, half = (min(years) + max(years)) / 2.0, max(max(years) - min(years), FEWEST_YEARS) / 2.0
    axes.set_xlim(middle - 1.06 * half - 0.5, middle + 1.06 * half + 0.5)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.ticklabel_format(axis="x", useOffset=False, style="plain")
    if dated_points.is_wide:
        axes.set_yscale("log")
    axes.margins(y=0.12)
    axes.set_xlabel("year of the paper", fontsize=TEXT_SIZE)
    axes.set_ylabel(printable(dated_points.axis_title), fontsize=TEXT_SIZE)
    axes.tick_params(labelsize=SMALL_SIZE)
    axes.grid(visible=True, color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    for limit in LIMITS:
        _draw_points(axes, dated_points.with_limit(limit), limit)
    axes.legend(
        loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=len(LIMITS), frameon=False, fontsize=SMALL_SIZE, borderpad=0
    )
    return figure


def _write(figure: Figure, lines: Sequence[str], y: float, size: float, side: str) -> None:
    place: dict[str, Any] = {"verticalalignment": side, "fontsize": size, "linespacing": 1.3}
    figure.text(MARGIN / WIDTH, y / HEIGHT, "\n".join(lines), **place)


def _draw_points(axes: Axes, part: Sequence[DatedValue], limit: str | None) -> None:
    """Draw the values with one kind of limit; only the first of them gets an entry in the legend."""
    for n, value in enumerate(part):
        low, middle, high = value.comparable.low, value.comparable.value, value.comparable.high
        if high > low:
            # On a logarithmic axis, an error bar that reaches zero would have no end.
            axes.errorbar(value.year, middle, [[middle - low], [high - middle]], fmt="none", ecolor=COLOURS[limit])
        (point,) = axes.plot(
            [value.year],
            [middle],
            marker={"upper": "v", "lower": "^", RANGE: "_"}.get(limit or "", "o"),
            markersize=POINT_SIZE,
            linestyle="none",
            color=COLOURS[limit],
            markerfacecolor="white" if limit == "about" else COLOURS[limit],
            label=LIMITS[limit] if n == 0 else None,
        )
        add_tooltip(point, value.description)
        if limit in _AROUND:
            axes.annotate(
                "",
                xy=(value.year, value.comparable.value),
                xytext=(0.0, _AROUND[limit] * ARROW_PIXELS),
                textcoords="offset points",
                horizontalalignment="center",
                verticalalignment="center",
                arrowprops={
                    "arrowstyle": "<-",
                    "color": COLOURS[value.limit],
                    "linewidth": 1.5,
                    "shrinkA": 0,
                    "shrinkB": 0,
                },
            )
