"""The layers of topics: the top concepts of the thesaurus as contours, and the footprint of any one concept."""

from collections.abc import Mapping

import numpy as np
from contourpy import LineType, contour_generator
from numpy.typing import NDArray
from scipy.ndimage import gaussian_filter

from pathfinder.corpus.thesaurus import Concept, Thesaurus
from pathfinder.errors import UsageError
from pathfinder.landscape.data.groups import Groups, all_concepts, papers_under, top_concepts, with_narrower
from pathfinder.landscape.data.layer import (
    Column,
    Layer,
    LayerInfo,
    MapLine,
    Table,
    UnavailableLayer,
    colour_of,
    dash_of,
)
from pathfinder.landscape.data.map_data import NO_GROUPS, NO_THESAURUS, MapData
from pathfinder.landscape.density import Grid
from pathfinder.landscape.layers.base import LayerKind, Listing
from pathfinder.landscape.statistics.dates import YearSpan, describe_years, in_years
from pathfinder.landscape.statistics.keywords import describe_papers
from pathfinder.landscape.statistics.significance import describe_test, footprint, heatmaps, middle, places
from pathfinder.types import Floats

GROUP = "Topics"
HALF = 0.5
"""Share of a topic's papers that its contour encloses."""


def _list_topics(map_data: MapData) -> Listing:
    sources = _sources(map_data)
    if isinstance(sources, str):
        return (TOPICS.unavailable(sources),)
    thesaurus, _ = sources
    description = f"Area that contains half of the papers on each top concept of the {thesaurus.name}."
    return (LayerInfo(TOPICS.slug, TOPICS.title, description, GROUP),)


def _list_topic(map_data: MapData) -> Listing:
    """List each top concept, then an entry for choosing any concept by name."""
    sources = _sources(map_data)
    if isinstance(sources, str):
        return (TOPIC.unavailable(sources),)
    thesaurus, groups = sources
    concepts = all_concepts(thesaurus)
    layers = []
    for top in top_concepts(concepts):
        n_papers = len(papers_under(groups, with_narrower(concepts, top.concept_id)))
        description = f"Where {top.label} is more frequent than on the whole map."
        layers.append(LayerInfo(f"{TOPIC.slug}:{top.label.casefold()}", top.label, description, GROUP, n_papers))
    return (*layers, TOPIC.info(choice=f"a concept of the {thesaurus.name}, such as {concepts[0].label}"))


def topics_layer(map_data: MapData) -> Layer | UnavailableLayer:
    """Draw each top concept as the contour of the smallest area that contains half of its papers.

    A paper counts towards a top concept in proportion to the share of the paper's concepts that lie below that top
    concept, so that a paper with many concepts counts no more than one with few.
    """
    sources = _sources(map_data)
    if isinstance(sources, str):
        return TOPICS.unavailable(sources)
    thesaurus, groups = sources
    tops = top_concepts(all_concepts(thesaurus))
    shares = top_shares(map_data, groups, thesaurus)
    lines: list[MapLine] = []
    table: list[tuple[str | float | int | None, ...]] = []
    for place, top in enumerate(tops):
        share = shares[top.concept_id]
        if share.any():
            lines += _outline(map_data, share, top.label, place)
            rows = np.flatnonzero(share >= HALF)
            about, where = describe_papers(map_data, rows), middle(map_data, rows) if len(rows) else (None, None)
            table.append((top.label, round(float(share.sum()), 1), len(rows), about, *where))
    description = (
        f"Each line encloses the smallest area that contains half of the papers on one top concept of the "
        f"{thesaurus.name}. A paper counts in proportion to the share of its concepts that lie below that top concept."
    )
    has_concept = np.zeros(len(map_data.papers), dtype=np.bool_)
    has_concept[papers_under(groups, frozenset(groups.names))] = True
    is_under_none = has_concept & (np.sum([*shares.values()], axis=0) == 0)
    n = len(map_data.papers)
    notes = [f"{int((~has_concept).sum()):,} of {n:,} papers have no concept among their keywords"]
    if is_under_none.any():
        notes.append(f"{int(is_under_none.sum()):,} of {n:,} papers have concepts, but none in these topics")
    return Layer(
        TOPICS.slug,
        TOPICS.title,
        description,
        lines=tuple(lines),
        table=Table(_COLUMNS, tuple(table)),
        notes=tuple(notes),
    )


def top_shares(map_data: MapData, groups: Groups, thesaurus: Thesaurus) -> Mapping[str, Floats]:
    """Compute for each top concept, keyed by its id, the share of each paper's concepts that lie below it.

    The shares of a paper add up to 1. A concept below several top concepts counts equally towards each.
    """
    concepts = all_concepts(thesaurus)
    tops = [top.concept_id for top in top_concepts(concepts)]
    under: dict[str, list[int]] = {}
    for place, top in enumerate(tops):
        for concept_id in with_narrower(concepts, top):
            under.setdefault(concept_id, []).append(place)
    weights = np.zeros((len(tops), len(map_data.papers)))
    for group, name in enumerate(groups.names):
        for place in under.get(name, ()):
            weights[place, groups.rows_at(group)] += 1 / len(under[name])
    total = weights.sum(axis=0)
    weights /= np.where(total > 0, total, 1.0)
    return dict(zip(tops, weights, strict=True))


def topic_layer(map_data: MapData, name: str, years: YearSpan | None = None) -> Layer | UnavailableLayer:
    """Show the papers on a concept and on the concepts below it: contour, footprint and places.

    Raises `UsageError` if no concept has this name, or if several do.
    """
    sources = _sources(map_data)
    if isinstance(sources, str):
        return UnavailableLayer(f"{TOPIC.slug}:{name}", name, sources)
    thesaurus, groups = sources
    concept = _concept(thesaurus, name)
    slug = f"{TOPIC.slug}:{concept.label.casefold()}"
    comparable = in_years(map_data, years or (None, None))
    rows = papers_under(groups, with_narrower(all_concepts(thesaurus), concept.concept_id))
    rows = rows[comparable[rows]]
    if not len(rows):
        span = f" ({describe_years(years)})" if years else ""
        reason = f"no paper here{span} has {concept.label}, or a narrower concept, as a keyword: name a broader concept"
        return UnavailableLayer(slug, concept.label, reason)
    cells = footprint(map_data, rows, comparable)
    weight = np.zeros(len(map_data.papers))
    weight[rows] = 1.0
    return Layer(
        slug,
        concept.label,
        f"{len(rows):,} of {int(comparable.sum()):,} papers have {concept.label}, or a narrower concept in the "
        f"{thesaurus.name}, as a keyword or within one; the line encloses half of them. {describe_test(cells)}",
        heatmaps=heatmaps(map_data, cells, concept.label, colour_of(0)),
        lines=tuple(_outline(map_data, weight, concept.label, 0)),
        table=places(map_data, rows, comparable, cells),
    )


def _sources(map_data: MapData) -> tuple[Thesaurus, Groups] | str:
    """Return the thesaurus and the papers of each concept, or the reason why they are missing."""
    if map_data.thesaurus is None:
        return NO_THESAURUS
    return NO_GROUPS if map_data.concepts is None else (map_data.thesaurus, map_data.concepts)


def _concept(thesaurus: Thesaurus, name: str) -> Concept:
    matches = {concept.concept_id: concept for _, concept in thesaurus.concepts_called(name)}
    if not matches:
        tops = ", ".join(top.label for top in top_concepts(all_concepts(thesaurus)))
        raise UsageError(f"the {thesaurus.name} has no concept {name!r}: name one of its concepts, such as {tops}")
    if len(matches) > 1:
        raise UsageError(f"{name!r} means {', '.join(sorted(c.label for c in matches.values()))}: name one of them")
    return next(iter(matches.values()))


def _outline(map_data: MapData, weight: Floats, title: str, place: int) -> list[MapLine]:
    """Outline the area that contains half of `weight`, in the colour and dash pattern for `place` in a list."""
    density = smooth(map_data.grid.add_up(map_data.cell_of_paper, weight))
    outlines = contours(map_data.grid, density, level_that_holds(density, HALF))
    return [MapLine(outline, colour_of(place), title, dash=dash_of(place)) for outline in outlines]


_COLUMNS = (
    Column("topic"),
    Column("papers", "sum of the papers' shares"),
    Column("mostly", "papers with at least half of their concepts below it"),
    Column("about", "distinctive keywords of these papers"),
    Column("x", "position of the centre of these papers on the map"),
    Column("y", "position of the centre of these papers on the map"),
)

# Contours: outlines of the smallest part of the map that contains a given share of a set of papers.

SPREAD = 0.1
"""Standard deviation of the smoothing for one paper, as a fraction of the grid's long side. For n papers it shrinks as
n^(-1/6) (Scott's rule in two dimensions, 1979), but is kept between one and five cells.
"""


def smooth(weights: Floats) -> Floats:
    """Smooth the number of papers, or their weight, in each cell; no weight is lost at the edge."""
    n = max(float(weights.sum()), 1.0)
    sigma = float(np.clip(SPREAD * max(weights.shape) * n ** (-1 / 6), 1.0, 5.0))
    return np.asarray(gaussian_filter(weights, sigma, mode="reflect"))


def level_that_holds(density: Floats, share: float) -> float:
    """Find the density level above which the cells together contain `share` of the total."""
    falling_densities = np.sort(density.ravel())[::-1]
    cumulative = np.cumsum(falling_densities)
    return float(
        falling_densities[min(int(np.searchsorted(cumulative, share * cumulative[-1])), len(falling_densities) - 1)]
    )


def contours(grid: Grid, density: Floats, level: float) -> tuple[NDArray[np.float32], ...]:
    """Draw closed lines, in the map's coordinates, along which `density` (one value per cell) equals `level`."""
    extent = grid.extent
    # A border of zeros closes the lines that would otherwise run off the map.
    density_with_rim = np.pad(density, 1)
    x = extent.left + (np.arange(-1, grid.n_columns + 1) + 0.5) / grid.n_columns * (extent.right - extent.left)
    y = extent.top - (np.arange(-1, grid.n_rows + 1) + 0.5) / grid.n_rows * (extent.top - extent.bottom)
    x, y = np.clip(x, extent.left, extent.right), np.clip(y, extent.bottom, extent.top)
    lines = contour_generator(x, y, density_with_rim, line_type=LineType.Separate).lines(level)
    return tuple(np.asarray(line, dtype=np.float32) for line in lines)


TOPICS = LayerKind(
    slug="topics",
    title="Topics of the thesaurus",
    help="Area that contains half of the papers on each top concept of the thesaurus.",
    group=GROUP,
    order=80,
    inputs=("papers", "landscape", "terms", "thesaurus", "groups"),
    list_layers=_list_topics,
    compute=topics_layer,
)
TOPIC = LayerKind(
    slug="topic",
    title="A topic",
    help="Where the papers on a concept lie.",
    group=GROUP,
    order=81,
    inputs=("papers", "landscape", "terms", "thesaurus", "groups"),
    list_layers=_list_topic,
    compute_choice=topic_layer,
)
