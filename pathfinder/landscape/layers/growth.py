"""What grows and what shrinks: the newer half of recent papers against the older half, cell by cell."""

import datetime
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.layer import Absent, Cells, Column, Layer, Offer, Table
from pathfinder.landscape.layers.colours import FALLING, RISING
from pathfinder.landscape.layers.dates import SPAN_YEARS, are_recent, date_of
from pathfinder.landscape.layers.naming import about
from pathfinder.landscape.layers.patches import MOST_LISTED, patches
from pathfinder.landscape.layers.significance import FDR, Excess, benjamini_hochberg, excess
from pathfinder.landscape.layers.spread import spread
from pathfinder.landscape.layers.windows import in_cells, window_sums
from pathfinder.landscape.survey import Survey
from pathfinder.types import Floats, Rows

SLUG, TITLE = "growth", "Growth"
FEWEST = 20
"""Dated papers in the span, below which nothing is said of growth."""
FULL_AT = 4.0
"""Times as fast as the whole that are drawn in full colour."""
GROUP = "The field over time"
WHAT_IT_TAKES = f"at least {FEWEST} dated papers of the last {SPAN_YEARS} years, not all of one day"
"""Without which there are no halves to compare."""
_NOT_DATED = Absent(SLUG, TITLE, f"growth takes {WHAT_IT_TAKES}: add dated papers")


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """The papers of the last ten years, parted by a day into an older and a newer half, as nearly as days allow."""

    older: Rows
    newer: Rows
    since: datetime.date
    """The first day of the span."""
    parted: datetime.date
    """The first day of the newer half."""

    def times(self, newer: Floats | Rows | int, older: Floats | Rows | int) -> Floats:
        """How many times as fast as the whole map something grows that has so many papers in each half.

        `((newer + 1/2) / (older + 1/2)) / (all newer / all older)`: the halves keep what is in one half alone from
        being infinite.
        """
        return np.asarray((newer + 0.5) / (older + 0.5) / (len(self.newer) / len(self.older)))


def halves(survey: Survey) -> Halves | None:
    """`None` where fewer than 20 papers of the span are dated, or all are of one day."""
    days = survey.papers.published_days()
    recent = np.flatnonzero(are_recent(survey, days))
    parted = _parting_day(days[recent]) if len(recent) >= FEWEST else None
    if parted is None:
        return None
    is_newer = days[recent] >= parted
    return Halves(recent[~is_newer], recent[is_newer], date_of(days[recent].min()), date_of(parted))


def _parting_day(days: Floats) -> float | None:
    """The day from which on nearest to half of the papers are; `None` where all are of one day."""
    distinct, counts = np.unique(days, return_counts=True)
    if len(distinct) < 2:
        return None
    before = np.cumsum(counts)[:-1]
    return float(distinct[1 + int(np.abs(before - len(days) / 2).argmin())])


@dataclass(frozen=True, slots=True, eq=False)
class Growth:
    """Arrays are of the grid's shape."""

    times: Floats
    """Newer over older papers around a cell, over the same on the whole map; NaN where no recent paper is."""
    grows: Excess
    shrinks: Excess
    q: Floats
    """Of growing or of shrinking, whichever is less by chance, corrected for both tests of every cell."""

    @property
    def is_growing(self) -> NDArray[np.bool_]:
        """Where it grows faster than the whole, beyond chance."""
        return (np.nan_to_num(self.q, nan=1.0) <= FDR) & (self.grows.p <= self.shrinks.p)

    @property
    def is_shrinking(self) -> NDArray[np.bool_]:
        """Where it grows slower than the whole, or shrinks, beyond chance."""
        return (np.nan_to_num(self.q, nan=1.0) <= FDR) & (self.grows.p > self.shrinks.p)


def growth(survey: Survey, parts: Halves) -> Growth:
    """How fast each cell grows beside the whole map, counted in squares of cells."""
    older, newer = (survey.grid.count(survey.cells[rows]) for rows in (parts.older, parts.newer))
    grows = excess(newer, older + newer)
    shrinks = excess(older, older + newer, grows.radius)
    times = parts.times(window_sums(newer, grows.radius), window_sums(older, grows.radius))
    q = benjamini_hochberg(np.stack([grows.p, shrinks.p])).min(axis=0)
    return Growth(np.where(np.isnan(grows.p), np.nan, times), grows, shrinks, q)


def growth_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """The one layer, where the papers are dated."""
    parts = halves(survey)
    if parts is None:
        return (_NOT_DATED,)
    says = f"Where papers since {parts.parted.isoformat()} are more, or fewer, than their share of recent papers."
    return (Offer(SLUG, TITLE, says, GROUP, len(parts.older) + len(parts.newer)),)


def growth_layer(survey: Survey) -> Layer | Absent:
    """Where the newer half of the last ten years' papers is more, or fewer, than its share."""
    parts = halves(survey)
    if parts is None:
        return _NOT_DATED
    found = growth(survey, parts)
    return Layer(
        SLUG, TITLE, _says(parts, found), _veils(survey, found), table=_table(survey, parts, found), notes=_notes(found)
    )


def _says(parts: Halves, found: Growth) -> str:
    return (
        f"{len(parts.newer):,} papers since {parts.parted.isoformat()} against {len(parts.older):,} from "
        f"{parts.since.isoformat()} until then, in {in_cells(found.grows.radius)}, beside the same on the whole map. "
        f"Drawn where it is more than chance (exact hypergeometric tests, false discovery rate {FDR:.0%}). "
        f"The table has the surest places, at most {MOST_LISTED // 2} of each kind."
    )


def _veils(survey: Survey, found: Growth) -> tuple[Cells, ...]:
    strength = np.clip(np.abs(np.log2(found.times)) / np.log2(FULL_AT), 0.0, 1.0)
    radius = found.grows.radius
    grows = spread(np.where(found.is_growing, strength, np.nan), radius)
    shrinks = spread(np.where(found.is_shrinking, strength, np.nan), radius)
    return (
        Cells(survey.grid, grows, RISING, "grows", "1", f"{FULL_AT:g} times as fast as the whole map"),
        Cells(survey.grid, shrinks, FALLING, "falls behind", "1", f"{FULL_AT:g} times as slow as the whole map"),
    )


def _table(survey: Survey, parts: Halves, found: Growth) -> Table:
    """The places that grow and those that shrink, the surest 20 of each, by how fast they grow."""
    columns = (
        Column("about", "keywords that are frequent in these papers and rare elsewhere"),
        Column("times", "newer over older papers, over the same on the whole map"),
        Column("newer", f"papers since {parts.parted.isoformat()}"),
        Column("older", f"papers from {parts.since.isoformat()} until then"),
        Column("q", "lowest false discovery rate at which a cell of the place is found, [0, 1]"),
        Column("x", "on the map"),
        Column("y", "on the map"),
    )
    is_newer = np.zeros(len(survey.papers), dtype=np.bool_)
    is_older = is_newer.copy()
    is_newer[parts.newer], is_older[parts.older] = True, True
    lines: list[tuple[float, tuple[str | float | int | None, ...]]] = []
    for where in (found.is_growing, found.is_shrinking):
        strength = -np.log10(np.maximum(found.q, 1e-300))
        for patch in patches(survey, where, strength, found.grows.radius)[: MOST_LISTED // 2]:
            newer, older = int(is_newer[patch.rows].sum()), int(is_older[patch.rows].sum())
            times, q = float(parts.times(newer, older)), np.nanmin(found.q.ravel()[patch.cells])
            line = (about(survey, patch.rows), round(times, 2), newer, older, float(f"{q:.2g}"), patch.x, patch.y)
            lines.append((times, line))
    return Table(columns, tuple(line for _, line in sorted(lines, key=lambda one: -one[0])))


def _notes(found: Growth) -> tuple[str, ...]:
    if found.is_growing.any() or found.is_shrinking.any():
        return ()
    return ("nowhere is the difference more than chance",)
