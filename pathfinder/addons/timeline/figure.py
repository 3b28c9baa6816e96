"""The timeline of a topic as one figure, with its parts one below the other over the same years."""

import html
import textwrap
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pathfinder.addons.timeline.outcome import Timeline
from pathfinder.landscape.figures.map import HOVER_COLUMNS
from pathfinder.landscape.figures.plotting import BLUE, GREY, VERMILLION, axis_of_years, load_pandas
from pathfinder.landscape.figures.values import LIMITS, dated_values, value_points
from pathfinder.text.english import counted
from pathfinder.text.latex.display import readable

ROW_PIXELS = {"papers": 130, "terms": 250, "values": 170, "consensus": 150}
"""Height in pixels of each part."""


def timeline_figure(timeline: Timeline) -> go.Figure:
    """Draw the papers from each year and, if there are any, the first mentions of terms, the values and the consensus.

    Display the figure with `PLOT_CONFIG`.
    """
    load_pandas()
    held = {"terms": timeline.first_mentions, "values": timeline.values, "consensus": timeline.consensus}
    parts = ["papers", *(part for part, content in held.items() if content)]
    heights = [ROW_PIXELS[part] for part in parts]
    figure = make_subplots(rows=len(parts), shared_xaxes=True, row_heights=heights, vertical_spacing=0.03)
    draw = {"papers": _papers, "terms": _terms, "values": _values, "consensus": _consensus}
    for row, part in enumerate(parts, start=1):
        draw[part](figure, timeline, row)
    figure.update_xaxes(axis_of_years([year for year, *_ in timeline.years]))
    figure.update_yaxes(fixedrange=True)
    figure.update_layout(height=sum(heights), margin={"l": 0, "r": 8, "t": 8, "b": 0}, showlegend=False, bargap=0.1)
    figure.update_layout(dragmode=False)  # on a phone, a swipe scrolls the page
    return figure


def _papers(figure: go.Figure, timeline: Timeline, row: int) -> None:
    years, counts = zip(*timeline.years, strict=True) if timeline.years else ((), ())
    hover = [f"{year}: {counted(n, 'paper')}" for year, n in timeline.years]
    figure.add_bar(x=years, y=counts, marker={"color": BLUE}, hovertext=hover, hoverinfo="text", row=row, col=1)
    figure.update_yaxes(title="papers", rangemode="tozero", row=row)


def _terms(figure: go.Figure, timeline: Timeline, row: int) -> None:
    mentions = timeline.first_mentions
    last = max((year for year, _ in timeline.years), default=0)
    for place, mention in enumerate(mentions):
        line: dict[str, Any] = {"color": GREY, "width": 1}
        years = [mention.paper.year, last]
        figure.add_scatter(x=years, y=[place] * 2, mode="lines", line=line, hoverinfo="skip", row=row, col=1)
    figure.add_scatter(
        x=[mention.paper.year for mention in mentions],
        y=list(range(len(mentions))),
        mode="markers",
        marker={"color": VERMILLION, "size": 9},
        hovertext=[_hover_text(readable(mention.paper.title), mention.n_papers) for mention in mentions],
        hoverinfo="text",
        row=row,
        col=1,
    )
    names = [html.escape(readable(mention.term), quote=False) for mention in mentions]
    ticks = {"tickvals": list(range(len(mentions))), "ticktext": names, "autorange": "reversed"}
    figure.update_yaxes(title="first mention", row=row, **ticks)


def _hover_text(title: str, n_papers: int) -> str:
    papers = "1 paper mentions it" if n_papers == 1 else f"{n_papers} papers mention it"
    return "<br>".join(html.escape(line, quote=False) for line in (*textwrap.wrap(title, HOVER_COLUMNS), papers))


def _values(figure: go.Figure, timeline: Timeline, row: int) -> None:
    values = dated_values(timeline.values, {paper.paper_id: paper for paper in timeline.papers})
    for limit in LIMITS:
        figure.add_trace(value_points(values.with_limit(limit), limit), row=row, col=1)
    figure.update_yaxes(title=html.escape(values.axis_title, quote=False), row=row)


def _consensus(figure: go.Figure, timeline: Timeline, row: int) -> None:
    years = timeline.consensus.years if timeline.consensus else ()
    figure.add_scatter(
        x=[year.year for year in years],
        y=[year.score for year in years],
        mode="lines",
        line={"color": BLUE, "width": 3, "shape": "hv"},
        hovertext=[f"until {year.year}: {year.level.value if year.level else 'not enough evidence'}" for year in years],
        hoverinfo="text",
        row=row,
        col=1,
    )
    figure.update_yaxes(title="consensus", range=(-1.05, 1.05), row=row)


def describe_timeline(timeline: Timeline) -> str:
    """Describe the figure in words, for readers who cannot see it."""
    if not timeline.years:
        return "No paper has a year."
    (first, _), (last, _) = timeline.years[0], timeline.years[-1]
    peak, most = max(timeline.years, key=lambda year: year[1])
    parts = [f"{len(timeline.papers)} papers from {first} to {last}, most in {peak} ({most})."]
    if timeline.first_mentions:
        terms = ", ".join(f"{readable(mention.term)} {mention.paper.year}" for mention in timeline.first_mentions)
        parts.append(f"First mentions among them: {terms}.")
    if timeline.values:
        parts.append(f"{counted(len(timeline.values), 'value')}.")
    if timeline.consensus is not None:
        parts.append(timeline.consensus.reason)
    return " ".join(parts)
