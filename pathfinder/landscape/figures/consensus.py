"""The consensus over the years as a figure: the papers from each year, and the level of all papers up to then."""

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pathfinder.landscape.figures.plotting import BLUE, GREY, VERMILLION, axis_of_years, load_pandas
from pathfinder.types import ConsensusHistory, ConsensusYear

HEIGHT = 430
SHARES = (0.55, 0.45)
"""Shares of the height taken up by the consensus level and by the papers from each year."""

_LEVELS = {
    0.9: "strong for",
    0.65: "moderate",
    0.35: "weak",
    0.0: "no clear",
    -0.35: "weak",
    -0.65: "moderate",
    -0.9: "strong against",
}
"""Name of each level, placed at the middle of its range of scores."""
_BOUNDARIES = (0.8, 0.5, 0.2, -0.2, -0.5, -0.8)


def history_figure(history: ConsensusHistory) -> go.Figure:
    """Draw the consensus level of all papers up to each year and, below it, the papers from each year, as bars: upwards
    for those in favour, downwards for those against.

    The figure is empty if no paper counts towards the consensus. Display it with `PLOT_CONFIG`.
    """
    load_pandas()
    figure = make_subplots(rows=2, shared_xaxes=True, row_heights=list(SHARES), vertical_spacing=0.06)
    for boundary in _BOUNDARIES:
        figure.add_hline(y=boundary, line={"color": GREY, "width": 0.5, "dash": "dot"}, row=1, col=1)
    years_without_level = [year for year in history.years if year.level is None]
    years_with_level = [year for year in history.years if year.level is not None]
    # The line for the years without a level extends to the first year with a level, so that there is no gap.
    for name, part, line in (
        (
            "too few papers so far",
            [*years_without_level, *years_with_level[:1]] if years_without_level else [],
            {"color": GREY, "dash": "dot", "width": 2},
        ),
        ("all papers up to that year", years_with_level, {"color": BLUE, "width": 3}),
    ):
        if part:
            figure.add_trace(
                go.Scatter(
                    x=[year.year for year in part],
                    y=[year.score for year in part],
                    mode="lines+markers" if len(part) == 1 else "lines",
                    line={**line, "shape": "hv"},
                    name=name,
                    hovertext=[_hover_text(year) for year in part],
                    hoverinfo="text",
                ),
                row=1,
                col=1,
            )
    yearly = _yearly_counts(history.years)
    for kind, place, sign, colour, pattern in (
        ("for", 0, 1, BLUE, ""),
        ("mixed", 2, 1, GREY, "/"),
        ("against", 1, -1, VERMILLION, ""),
    ):
        counts = [n[place] for n in yearly]
        figure.add_trace(
            go.Bar(
                x=[year.year for year in history.years],
                y=[sign * n for n in counts],
                name=kind,
                marker={"color": colour, "pattern": {"shape": pattern}, "line": {"width": 0}},
                hovertext=[f"{year.year}: {n} {kind}" for year, n in zip(history.years, counts, strict=True)],
                hoverinfo="text",
            ),
            row=2,
            col=1,
        )
    if history.changed_in is not None:
        # A year's papers are drawn at that year, so the change is drawn half a year earlier.
        figure.add_vline(x=history.changed_in - 0.5, line={"color": GREY, "width": 2, "dash": "dash"})
        figure.add_annotation(
            x=history.changed_in - 0.5,
            y=1.0,
            xref="x",
            yref="paper",
            yanchor="bottom",
            text=f"changed in {history.changed_in}",
            showarrow=False,
        )
    figure.update_layout(
        {
            "barmode": "relative",
            "dragmode": False,  # on a phone, a swipe scrolls the page
            "bargap": 0.1,
            "height": HEIGHT,
            "margin": {"l": 0, "r": 4, "t": 24, "b": 0},
            "legend": {"orientation": "h", "y": -0.1, "yanchor": "top", "x": 0},
            "hoverlabel": {"align": "left"},
        }
    )
    figure.update_xaxes(axis_of_years([year.year for year in history.years]))
    most = max((max(n) for n in _yearly_counts(history.years)), default=1)
    figure.update_yaxes(
        range=(-1.05, 1.05), tickvals=list(_LEVELS), ticktext=list(_LEVELS.values()), fixedrange=True, row=1
    )
    figure.update_yaxes(
        title="papers per year",
        tickformat="~s",
        dtick=max(1, most // 3),
        labelalias={str(-n): str(n) for n in range(1, most + 1)} | {f"−{n}": str(n) for n in range(1, most + 1)},
        fixedrange=True,
        row=2,
    )
    return figure


def describe_history(history: ConsensusHistory) -> str:
    """Describe the figure in words, for readers who cannot see it; the conclusion is `history.reason`."""
    if not history.years:
        return "No paper counts towards the consensus in any year."
    first, last = history.years[0], history.years[-1]
    n = last.n_supports + last.n_refutes + last.n_mixed
    counts = f"{last.n_supports} for the statement, {last.n_refutes} against it, {last.n_mixed} mixed"
    papers = "1 paper counts" if n == 1 else f"{n} papers count"
    level = "not enough evidence" if last.level is None else last.level.value
    return f"{papers}, from {first.year} to {last.year}: {counts}; overall {level}."


def _hover_text(year: ConsensusYear) -> str:
    level = "not enough evidence" if year.level is None else year.level.value
    return f"until {year.year}: {level}<br>{year.n_supports} for, {year.n_refutes} against, {year.n_mixed} mixed"


def _yearly_counts(years: Sequence[ConsensusYear]) -> list[tuple[int, int, int]]:
    """Count the papers for, against and mixed in each year, as the increase in the totals over those of the
    previous year.
    """
    counts, before = [], (0, 0, 0)
    for year in years:
        total = (year.n_supports, year.n_refutes, year.n_mixed)
        counts.append((total[0] - before[0], total[1] - before[1], total[2] - before[2]))
        before = total
    return counts
