"""The layer of missions: where papers on a mission are over-represented by more than chance would explain."""

import numpy as np

from pathfinder.corpus.missions.catalogue import Mission, mission_called, missions
from pathfinder.errors import UsageError
from pathfinder.landscape.data.layer import Layer, LayerInfo, UnavailableLayer, colour_of
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import LayerKind, Listing
from pathfinder.landscape.statistics.dates import YearSpan, describe_years, in_years, n_undated, undated_papers
from pathfinder.landscape.statistics.significance import describe_test, footprint, heatmaps, places

SLUG = "mission"
_GROUPS = {"space": "Missions in space", "ground": "Observatories on the ground"}


def _list(map_data: MapData) -> Listing:
    """List every mission in the catalogue, ordered by number of papers, with those that no paper mentions last."""
    if map_data.missions is None:
        return (MISSIONS.unavailable(map_data.missions_absent),)
    years = map_data.papers.years()
    if np.isnan(years).all():
        years = np.full(len(years), np.inf)
    n_papers = {
        mission: int((years[map_data.missions.rows_of(mission.slug)] >= mission.era.first).sum())
        for mission in missions()
    }
    by_papers = sorted((mission for mission in n_papers if n_papers[mission]), key=lambda mission: -n_papers[mission])
    not_mentioned = [mission for mission in n_papers if not n_papers[mission]]
    return (*(_info(mission, n_papers[mission]) for mission in by_papers), *map(_not_mentioned, not_mentioned))


def mission_layer(map_data: MapData, name: str, years: YearSpan | None = None) -> Layer | UnavailableLayer:
    """Show the footprint of one mission, given by slug, name or alias, within `years` (first and last, inclusive).

    Papers from before the mission's era are left out, both those that mention the mission and those with which these
    are compared. Raises `UsageError` for a mission that is not in the catalogue.
    """
    mission = mission_called(name)
    slug = f"{SLUG}:{mission.slug}"
    if map_data.missions is None:
        return UnavailableLayer(slug, mission.name, map_data.missions_absent)
    comparable = in_years(map_data, _span(mission, years))
    rows = map_data.missions.rows_of(mission.slug)
    rows = rows[comparable[rows]]
    if not len(rows):
        return _not_mentioned(mission, years)
    cells = footprint(map_data, rows, comparable)
    notes = []
    if not cells.is_significant.any():
        notes.append(f"papers that mention {mission.name} are nowhere more frequent than chance would explain")
    if n_without_date := n_undated(map_data):
        notes.append(
            "no papers are dated, so papers from before its era are also counted"
            if n_without_date == len(map_data.papers)
            else f"{undated_papers(n_without_date)} not counted"
        )
    return Layer(
        slug,
        mission.name,
        f"{len(rows):,} of {int(comparable.sum()):,} papers {_describe_span(mission, years)} mention "
        f"{mission.name}. {describe_test(cells)}",
        heatmaps=heatmaps(map_data, cells, mission.name, colour_of(missions().index(mission))),
        table=places(map_data, rows, comparable, cells),
        notes=tuple(notes),
    )


def main_slug(slug: str) -> str:
    """Replace a mission's alias in a slug ("mission:HST") by its own slug; leave any other slug unchanged."""
    kind, _, name = slug.partition(":")
    if kind != SLUG:
        return slug
    try:
        return f"{SLUG}:{mission_called(name).slug}"
    except UsageError:  # There is no such mission, or there are several: drawing the layer reports which is the case.
        return slug


def _span(mission: Mission, years: YearSpan | None) -> tuple[int, int | None]:
    first, last = years or (None, None)
    return max(first or mission.era.first, mission.era.first), last


def _describe_span(mission: Mission, years: YearSpan | None) -> str:
    """Describe the years of the papers counted: "since 1990 (launched ...)", or "from 2010 to 2012" if years are
    chosen.
    """
    first, last = _span(mission, years)
    if last is not None:
        return f"from {describe_years((first, last))}"
    return f"since {first}" + (f" ({mission.era.event})" if first == mission.era.first else "")


def _info(mission: Mission, n_papers: int) -> LayerInfo:
    description = f"Where papers mention {mission.name}, compared with all papers since {mission.era.first}."
    return LayerInfo(f"{SLUG}:{mission.slug}", mission.name, description, _GROUPS[mission.kind], n_papers)


def _not_mentioned(mission: Mission, years: YearSpan | None = None) -> UnavailableLayer:
    first, last = _span(mission, years)
    if last is not None and last < first:
        reason = f"its papers date from {first} on, but the chosen years end in {last}: widen the years"
        return UnavailableLayer(f"{SLUG}:{mission.slug}", mission.name, reason)
    names = ", ".join((*mission.names, *mission.words)[:4])
    span = describe_years((first, last))
    reason = f"no paper here ({span}) mentions {names}: widen the years, or add papers to the corpus"
    return UnavailableLayer(f"{SLUG}:{mission.slug}", mission.name, reason)


MISSIONS = LayerKind(
    slug=SLUG,
    title="Facilities",
    help="Places where papers mention a mission more often than papers of its era do across the whole map.",
    group="Missions and facilities",
    order=90,
    inputs=("papers", "landscape", "terms", "groups"),
    list_layers=_list,
    compute_choice=mission_layer,
)
