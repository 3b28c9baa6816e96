"""Opinion over the years as a figure: what the papers of each year say, and where all until then stand."""

from collections.abc import Sequence
from typing import Any, Final

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pathfinder.figures import BLUE, VERMILLION, load_pandas
from pathfinder.types import ConsensusHistory, ConsensusYear

GREY = "#888888"
"""Seen on paper and on the night ground."""
HEIGHT = 430
SHARES = (0.55, 0.45)
"""Of the height, for where opinion stands and for what each year says."""

HISTORY_CONFIG: Final[dict[str, Any]] = {"displayModeBar": False, "scrollZoom": False, "showSendToCloud": False}
"""For whoever draws the figure."""

_LEVELS = {
    0.9: "strong for",
    0.65: "moderate",
    0.35: "weak",
    0.0: "no clear",
    -0.35: "weak",
    -0.65: "moderate",
    -0.9: "strong against",
}
"""In the middle of each level's scores."""
_BOUNDARIES = (0.8, 0.5, 0.2, -0.2, -0.5, -0.8)


def history_figure(history: ConsensusHistory) -> go.Figure:
    """The level of all papers until each year; below it the papers of the year, for it upwards, against it downwards.

    Empty where no paper counts. Draw it with `HISTORY_CONFIG`.
    """
    load_pandas()
    figure = make_subplots(rows=2, shared_xaxes=True, row_heights=list(SHARES), vertical_spacing=0.06)
    for boundary in _BOUNDARIES:
        figure.add_hline(y=boundary, line={"color": GREY, "width": 0.5, "dash": "dot"}, row=1, col=1)
    _standing(figure, history.years)
    _sayings(figure, history.years)
    if history.changed_in is not None:
        # The papers of a year stand at the year: the change lies before them.
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
    figure.update_layout(_layout())
    figure.update_xaxes(fixedrange=True, tickformat="d")
    most = max((max(n) for n in _of_each_year(history.years)), default=1)
    figure.update_yaxes(
        range=(-1.05, 1.05), tickvals=list(_LEVELS), ticktext=list(_LEVELS.values()), fixedrange=True, row=1
    )
    figure.update_yaxes(
        title="papers of the year",
        tickformat="~s",
        dtick=max(1, most // 3),
        labelalias={str(-n): str(n) for n in range(1, most + 1)} | {f"−{n}": str(n) for n in range(1, most + 1)},
        fixedrange=True,
        row=2,
    )
    return figure


def describe_history(history: ConsensusHistory) -> str:
    """What the figure shows, in words, for those who do not see it; `history.reason` says what follows from it."""
    if not history.years:
        return "No paper counts in any year."
    first, last = history.years[0], history.years[-1]
    n = last.n_supports + last.n_refutes + last.n_mixed
    counts = f"{last.n_supports} for the statement, {last.n_refutes} against it, {last.n_mixed} mixed"
    papers = "1 paper counts" if n == 1 else f"{n} papers count"
    level = "not enough evidence" if last.level is None else last.level.value
    return f"{papers}, from {first.year} to {last.year}: {counts}; all together {level}."


def _standing(figure: go.Figure, years: Sequence[ConsensusYear]) -> None:
    few = [year for year in years if year.level is None]
    enough = [year for year in years if year.level is not None]
    # The first year with a level ends the line of those without, so that there is no gap.
    for name, part, line in (
        ("too few papers yet", [*few, *enough[:1]] if few else [], {"color": GREY, "dash": "dot", "width": 2}),
        ("all papers until then", enough, {"color": BLUE, "width": 3}),
    ):
        if part:
            figure.add_trace(
                go.Scatter(
                    x=[year.year for year in part],
                    y=[year.score for year in part],
                    mode="lines+markers" if len(part) == 1 else "lines",
                    line={**line, "shape": "hv"},
                    name=name,
                    hovertext=[_standing_words(year) for year in part],
                    hoverinfo="text",
                ),
                row=1,
                col=1,
            )


def _standing_words(year: ConsensusYear) -> str:
    level = "not enough evidence" if year.level is None else year.level.value
    return f"until {year.year}: {level}<br>{year.n_supports} for, {year.n_refutes} against, {year.n_mixed} mixed"


def _sayings(figure: go.Figure, years: Sequence[ConsensusYear]) -> None:
    of_each = _of_each_year(years)
    for name, place, sign, colour, pattern in (
        ("for", 0, 1, BLUE, ""),
        ("mixed", 2, 1, GREY, "/"),
        ("against", 1, -1, VERMILLION, ""),
    ):
        counts = [n[place] for n in of_each]
        figure.add_trace(
            go.Bar(
                x=[year.year for year in years],
                y=[sign * n for n in counts],
                name=name,
                marker={"color": colour, "pattern": {"shape": pattern}, "line": {"width": 0}},
                hovertext=[f"{year.year}: {n} {name}" for year, n in zip(years, counts, strict=True)],
                hoverinfo="text",
            ),
            row=2,
            col=1,
        )


def _of_each_year(years: Sequence[ConsensusYear]) -> list[tuple[int, int, int]]:
    """For, against and mixed of each year alone: what it adds to the years before."""
    found, before = [], (0, 0, 0)
    for year in years:
        until = (year.n_supports, year.n_refutes, year.n_mixed)
        found.append((until[0] - before[0], until[1] - before[1], until[2] - before[2]))
        before = until
    return found


def _layout() -> dict[str, Any]:
    return {
        "barmode": "relative",
        "bargap": 0.1,
        "height": HEIGHT,
        "margin": {"l": 0, "r": 4, "t": 24, "b": 0},
        "legend": {"orientation": "h", "y": -0.1, "yanchor": "top", "x": 0},
        "hoverlabel": {"align": "left"},
    }
