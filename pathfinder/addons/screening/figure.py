"""The flow diagram of a screening, in the manner of PRISMA 2020 (Page et al. 2021, doi:10.1136/bmj.n71), as SVG."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import plotly.graph_objects as go

from pathfinder.addons.screening.decisions import PrismaCounts, Screening, ScreeningVerdict
from pathfinder.landscape.data.landscape import Landscape
from pathfinder.landscape.figures.map import map_figure
from pathfinder.types import Rows, without_control_characters

_WIDTH, _LINE, _PAD, _GAP, _EDGE = 250, 21, 12, 30, 8
"""Width of a box, height of a line, space around the text, between boxes and around all, in pixels."""
_MAX_REASONS, _MAX_CHARACTERS = 8, 28
_HEAD = (
    "<rect width='100%' height='100%' fill='white'/>"
    "<defs><marker id='head' markerWidth='8' markerHeight='8' refX='7' refY='4' orient='auto'>"
    "<path d='M0,0 L8,4 L0,8 z'/></marker></defs>"
)
"""White background, and the head of an arrow."""
_FONT = "font-family='sans-serif' font-size='15'"


@dataclass(frozen=True, slots=True)
class _Step:
    """One row of the diagram: the papers that continue, and those that are removed at this step."""

    stays: Sequence[str]
    leaves: Sequence[str] = ()


def prisma_svg(counts: PrismaCounts) -> str:
    """Draw the counts of a screening: papers identified, screened and included on the left, papers left out on the
    right.
    """
    parts: list[str] = []
    y = _EDGE
    in_pool = counts.identified - (counts.duplicates or 0)
    reasons = [
        f"  {_shorten(reason) or 'no reason stated'}: {n:,}"
        for reason, n in list(counts.excluded_by_reason.items())[:_MAX_REASONS]
    ]
    if len(counts.excluded_by_reason) > _MAX_REASONS:
        reasons.append(f"  and {len(counts.excluded_by_reason) - _MAX_REASONS} more reasons")
    steps = (
        _Step(
            [f"Records identified: {counts.identified:,}"],
            ["Removed before screening", f"  duplicates: {written_count(counts.duplicates)}"],
        ),
        _Step(
            [f"Papers to be screened: {in_pool:,}"],
            [f"Not screened: {counts.not_screened:,}", f"Put off: {counts.undecided:,}"],
        ),
        _Step([f"Papers screened: {counts.screened:,}"], [f"Papers excluded: {counts.excluded:,}", *reasons]),
        _Step([f"Papers included: {counts.included:,}"]),
    )
    for place, step in enumerate(steps):
        height = max(len(step.stays), len(step.leaves)) * _LINE + 2 * _PAD
        parts += _box(_EDGE, y, height, step.stays)
        if step.leaves:
            parts += _box(_EDGE + _WIDTH + _GAP, y, height, step.leaves)
            parts.append(_arrow(_EDGE + _WIDTH, y + height // 2, _EDGE + _WIDTH + _GAP, y + height // 2))
        if place < len(steps) - 1:
            parts.append(_arrow(_EDGE + _WIDTH // 2, y + height, _EDGE + _WIDTH // 2, y + height + _GAP))
        y += height + _GAP
    width, total = 2 * (_WIDTH + _EDGE) + _GAP, y - _GAP + _EDGE
    summary = (
        f"{counts.identified:,} records identified, {counts.screened:,} screened, {counts.excluded:,} excluded, "
        f"{counts.included:,} included"
    )
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {total}' width='{width}' height='{total}' "
        f"role='img' aria-label='{summary}'>{_HEAD}{''.join(parts)}</svg>\n"
    )


def written_count(n: int | None) -> str:
    """Write a number that may be unknown."""
    return "unknown" if n is None else f"{n:,}"


def _shorten(reason: str) -> str:
    text = without_control_characters(reason)
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 1]}…"


def _box(x: int, y: int, height: int, lines: Sequence[str]) -> Iterator[str]:
    yield f"<rect x='{x}' y='{y}' width='{_WIDTH}' height='{height}' fill='none' stroke='black'/>"
    for n, line in enumerate(lines):
        indent = _PAD + (_PAD if line.startswith("  ") else 0)
        yield f"<text x='{x + indent}' y='{y + _PAD + 13 + n * _LINE}' {_FONT}>{escape(line.strip())}</text>"


def _arrow(x1: int, y1: int, x2: int, y2: int) -> str:
    return f"<line x1='{x1}' y1='{y1}' x2='{x2}' y2='{y2}' stroke='black' marker-end='url(#head)'/>"


# The map of a screening, with its papers marked by decision.

UNDECIDED, NEXT = "undecided", "next"
_MARKERS = {
    UNDECIDED: {"color": "#c3c9d6", "size": 4, "symbol": "circle", "opacity": 0.6},
    ScreeningVerdict.LATER.value: {"color": "#e69f00", "size": 9, "symbol": "triangle-up"},
    ScreeningVerdict.OUT.value: {"color": "#d55e00", "size": 9, "symbol": "x"},
    ScreeningVerdict.IN.value: {"color": "#009e73", "size": 11, "symbol": "circle"},
    NEXT: {"color": "#ffffff", "size": 14, "symbol": "star"},
}
"""A colour and a shape for each group; most colours are from Okabe and Ito (2008)."""


def screening_groups(screening: Screening, upcoming: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Return the ids of the papers in a screening, grouped by decision. Papers without a decision are in the group
    "next" if they are in `upcoming`, and in "undecided" otherwise.
    """
    latest = screening.latest()
    groups = {verdict.value: screening.with_verdict(verdict) for verdict in ScreeningVerdict}
    undecided_ids = tuple(name for name in screening.paper_ids if name not in latest and name not in upcoming)
    return {**groups, UNDECIDED: undecided_ids, NEXT: upcoming}


def screening_map(landscape: Landscape, rows: Mapping[str, Rows]) -> go.Figure:
    """Draw the map with the papers of each group; `rows` gives their rows, and papers that the corpus lacks
    (row -1) are left out.
    """
    figure = map_figure(landscape, ())
    for name, marker in _MARKERS.items():
        places = landscape.coordinates[rows[name][rows[name] >= 0]]
        figure.add_scatter(
            x=places[:, 0], y=places[:, 1], mode="markers", marker=marker, name=name, hoverinfo="skip", showlegend=True
        )
    return figure
