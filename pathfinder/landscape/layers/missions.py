"""Where a mission's papers lie: how much denser than all papers, and where that is more than chance."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.landscape.layer import Absent, Cells, Column, Layer, Offer, Table
from pathfinder.landscape.layers.colours import colour_of
from pathfinder.landscape.layers.dates import YearSpan, in_words, in_years, n_undated
from pathfinder.landscape.layers.naming import about
from pathfinder.landscape.layers.patches import patches
from pathfinder.landscape.layers.significance import FDR, Excess, excess
from pathfinder.landscape.layers.windows import in_cells
from pathfinder.landscape.missions import Mission, mission_called, missions
from pathfinder.landscape.survey import Survey
from pathfinder.types import Rows

KIND = "mission"
FULL_AT = 8.0
"""Times as many as elsewhere that are drawn in full colour."""
FAINT = 0.3
"""Of the colour, where more than elsewhere may be chance."""
TOO_OLD = "this corpus is older than its layers: build again from its sources into its folder, which adds them"
_GROUPS = {"space": "Missions in space", "ground": "Observatories on the ground"}


def mission_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """Every mission of the catalogue, those with the most papers first; then those that no paper names."""
    if survey.missions is None:
        return (Absent(KIND, "Missions and facilities", TOO_OLD),)
    counted = [
        (mission, int(_comparable(survey, mission, None)[survey.missions.rows_of(mission.slug)].sum()))
        for mission in missions()
    ]
    found = sorted((one for one in counted if one[1]), key=lambda one: -one[1])
    none = [mission for mission, n in counted if not n]
    return (*(_offer(mission, n) for mission, n in found), *map(_unnamed, none))


def mission_layer(survey: Survey, name: str, years: YearSpan | None = None) -> Layer | Absent:
    """The footprint of one mission, by slug, name or alias, within `years`, both inclusive.

    Papers from before its first science data are not counted, neither as its own nor as the others that they are
    compared with. Raises `UsageError` for a mission that is not in the catalogue.
    """
    mission = mission_called(name)
    slug = f"{KIND}:{mission.slug}"
    if survey.missions is None:
        return Absent(slug, mission.name, TOO_OLD)
    comparable = _comparable(survey, mission, years)
    rows = survey.missions.rows_of(mission.slug)
    rows = rows[comparable[rows]]
    if not len(rows):
        return _unnamed(mission, years)
    others = np.flatnonzero(comparable)
    found = excess(survey.grid.count(survey.cells[rows]), survey.grid.count(survey.cells[others]))
    return Layer(
        slug,
        mission.name,
        _says(mission, len(rows), len(others), found),
        cells=_veils(survey, mission, found),
        table=_table(survey, rows, others, found),
        notes=_notes(survey, mission, found),
    )


def _comparable(survey: Survey, mission: Mission, years: YearSpan | None) -> NDArray[np.bool_]:
    """Papers of `years`, and none from before the first data."""
    first, last = years or (None, None)
    return in_years(survey, (max(first or mission.first_data, mission.first_data), last))


def _offer(mission: Mission, n_papers: int) -> Offer:
    says = f"Where the papers that name {mission.name} lie, compared with all since {mission.first_data}."
    return Offer(f"{KIND}:{mission.slug}", mission.name, says, _GROUPS[mission.kind], n_papers)


def _unnamed(mission: Mission, years: YearSpan | None = None) -> Absent:
    first, last = years or (None, None)
    span = in_words((max(first or mission.first_data, mission.first_data), last))
    names = ", ".join((*mission.names, *mission.words)[:4])
    why = f"no paper here ({span}) names it as {names}: widen the years, or add papers to the corpus"
    return Absent(f"{KIND}:{mission.slug}", mission.name, why)


def _says(mission: Mission, n: int, n_others: int, found: Excess) -> str:
    return (
        f"{n:,} of {n_others:,} papers since {mission.first_data} ({mission.event}) name {mission.name}. The colour is "
        f"how much more frequent they are in {in_cells(found.radius)} than on the whole map; the strong colour is "
        f"where that is more than chance (exact hypergeometric test, false discovery rate {FDR:.0%})."
    )


def _veils(survey: Survey, mission: Mission, found: Excess) -> tuple[Cells, ...]:
    """Where it is more than chance, and, fainter, where it may be chance."""
    strength = np.clip(np.log2(np.maximum(found.ratio, 1.0)) / np.log2(FULL_AT), 0.0, 1.0)
    is_more = found.ratio > 1
    sure = np.where(found.is_significant, strength, np.nan)
    unsure = np.where(is_more & ~found.is_significant, FAINT * strength, np.nan)
    colour, high = colour_of(missions().index(mission)), f"{FULL_AT:g} times as frequent as on the whole map, or more"
    low = "as frequent as on the whole map"
    return (
        Cells(survey.grid, sure, colour, mission.name, low, high),
        Cells(survey.grid, unsure, colour, f"{mission.name}: may be chance", low, f"{FAINT:g} of the full colour"),
    )


def _table(survey: Survey, rows: Rows, others: Rows, found: Excess) -> Table:
    """The places where it is more than chance, the surest first."""
    columns = (
        Column("about", "keywords that are frequent in these papers and rare elsewhere"),
        Column("papers", "of this mission in the place"),
        Column("of", "papers in the place, of the same years"),
        Column("times", "share of the mission in the place, over its share on the whole map"),
        Column("q", "lowest false discovery rate at which a cell of the place is found, [0, 1]"),
        Column("x", "on the map"),
        Column("y", "on the map"),
    )
    where, overall = found.is_significant, len(rows) / len(others)
    lines = []
    for patch in patches(survey, where, found.strength, found.radius):
        own, all_ = np.intersect1d(patch.rows, rows), np.intersect1d(patch.rows, others)
        times, q = len(own) / len(all_) / overall, found.least_q(patch.cells)
        lines.append((about(survey, own), len(own), len(all_), round(times, 2), q, patch.x, patch.y))
    return Table(columns, tuple(lines))


def _notes(survey: Survey, mission: Mission, found: Excess) -> tuple[str, ...]:
    notes = []
    if not found.is_significant.any():
        notes.append(f"nowhere are papers that name {mission.name} denser than chance would have it")
    if undated := n_undated(survey):
        all_of_them = undated == len(survey.papers)
        notes.append(
            "no paper is dated, so papers from before the first data are counted too"
            if all_of_them
            else f"{undated:,} undated papers are not counted"
        )
    return tuple(notes)
