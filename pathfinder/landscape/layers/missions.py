"""Where a mission's papers lie: how much denser than all papers, and where that is more than chance."""

import numpy as np
from numpy.typing import NDArray

from pathfinder.errors import UsageError
from pathfinder.landscape.layer import Absent, Layer, Offer
from pathfinder.landscape.layers.colours import colour_of
from pathfinder.landscape.layers.dates import YearSpan, in_words, in_years, n_undated, undated_papers
from pathfinder.landscape.layers.footprint import counted_in_words, footprint, places, veils
from pathfinder.landscape.layers.significance import Excess
from pathfinder.landscape.missions import Mission, mission_called, missions
from pathfinder.landscape.survey import Survey

KIND = "mission"
TOO_OLD = "this corpus is older than its layers: build again from its sources into its folder, which adds them"
_GROUPS = {"space": "Missions in space", "ground": "Observatories on the ground"}


def mission_offers(survey: Survey) -> tuple[Offer | Absent, ...]:
    """Every mission of the catalogue, those with the most papers first; then those that no paper names."""
    if survey.missions is None:
        return (Absent(KIND, "Missions and facilities", TOO_OLD),)
    years = survey.papers.years()
    if np.isnan(years).all():
        years = np.full(len(years), np.inf)
    counted = [(one, int((years[survey.missions.rows_of(one.slug)] >= one.first_data).sum())) for one in missions()]
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
    found = footprint(survey, rows, comparable)
    return Layer(
        slug,
        mission.name,
        f"{len(rows):,} of {int(comparable.sum()):,} papers {_counted(mission, years)} name "
        f"{mission.name}. {counted_in_words(found)}",
        cells=veils(survey, found, mission.name, colour_of(missions().index(mission))),
        table=places(survey, rows, comparable, found),
        notes=_notes(survey, mission, found),
    )


def main_slug(slug: str) -> str:
    """The slug by which a mission is offered, for one that names it otherwise ("mission:HST"); any other as it is."""
    kind, _, name = slug.partition(":")
    if kind != KIND:
        return slug
    try:
        return f"{KIND}:{mission_called(name).slug}"
    except UsageError:  # of no mission, or of several: whoever draws it says which
        return slug


def _comparable(survey: Survey, mission: Mission, years: YearSpan | None) -> NDArray[np.bool_]:
    """Papers of `years`, and none from before the first data."""
    return in_years(survey, _span(mission, years))


def _span(mission: Mission, years: YearSpan | None) -> tuple[int, int | None]:
    first, last = years or (None, None)
    return max(first or mission.first_data, mission.first_data), last


def _counted(mission: Mission, years: YearSpan | None) -> str:
    """Which papers were counted, such as "since 1990 (launch)", or "of 2010 to 2012" where years were chosen."""
    first, last = _span(mission, years)
    if last is not None:
        return f"of {in_words((first, last))}"
    return f"since {first}" + (f" ({mission.event})" if first == mission.first_data else "")


def _offer(mission: Mission, n_papers: int) -> Offer:
    says = f"Where the papers that name {mission.name} lie, compared with all since {mission.first_data}."
    return Offer(f"{KIND}:{mission.slug}", mission.name, says, _GROUPS[mission.kind], n_papers)


def _unnamed(mission: Mission, years: YearSpan | None = None) -> Absent:
    first, last = _span(mission, years)
    if last is not None and last < first:
        why = f"it has given data since {first}, and only papers until {last} are chosen: widen the years"
        return Absent(f"{KIND}:{mission.slug}", mission.name, why)
    names = ", ".join((*mission.names, *mission.words)[:4])
    why = f"no paper here ({in_words((first, last))}) names it as {names}: widen the years, or add papers to the corpus"
    return Absent(f"{KIND}:{mission.slug}", mission.name, why)


def _notes(survey: Survey, mission: Mission, found: Excess) -> tuple[str, ...]:
    notes = []
    if not found.is_significant.any():
        notes.append(f"nowhere are papers that name {mission.name} denser than chance would have it")
    if undated := n_undated(survey):
        all_of_them = undated == len(survey.papers)
        notes.append(
            "no paper is dated, so papers from before the first data are counted too"
            if all_of_them
            else f"{undated_papers(undated)} not counted"
        )
    return tuple(notes)
