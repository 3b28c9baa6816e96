"""The layer of features: where the papers with one feature of the corpus are over-represented."""

import numpy as np

from pathfinder.corpus.features import find_feature
from pathfinder.landscape.data.layer import Layer, LayerInfo, Mark, UnavailableLayer, colour_of
from pathfinder.landscape.data.map_data import MapData
from pathfinder.landscape.layers.base import LayerKind, Listing
from pathfinder.landscape.statistics.dates import YearSpan, describe_years, in_years
from pathfinder.landscape.statistics.significance import describe_test, footprint, heatmaps, places
from pathfinder.text.latex.display import readable
from pathfinder.types import Rows
from pathfinder.types.features import Feature

SLUG = "feature"
_GROUP = "Features"
N_MARKS = 10
"""Number of papers marked: those in which the feature is most active."""
MARK = "papers in which the feature is most active"


def _list(map_data: MapData) -> Listing:
    """List the named features, those with the most papers first."""
    if map_data.features is None:
        return (FEATURES.unavailable(map_data.features_absent),)
    if not map_data.features.named_features:
        return (FEATURES.unavailable("no feature of this corpus has a name that passed its test: add papers"),)
    return tuple(map(_info, map_data.features.named_features))


def feature_layer(map_data: MapData, name: str, years: YearSpan | None = None) -> Layer | UnavailableLayer:
    """Show where the papers with a feature, given by its name or by one of its phrases, are over-represented among the
    papers from `years` (first and last, inclusive).

    Raises `UsageError`, which lists similar names, for an unknown feature.
    """
    if map_data.features is None:
        return UnavailableLayer(f"{SLUG}:{name}", name, map_data.features_absent)
    feature = find_feature(name, map_data.features.features)
    title = str(feature.name)
    others = in_years(map_data, years or (None, None))
    strongest = map_data.features.rows_of(feature)
    strongest = strongest[others[strongest]]
    rows = np.sort(strongest)
    if not len(rows):
        reason = f"no paper here ({describe_years(years or (None, None))}) has the feature: widen the years"
        return UnavailableLayer(f"{SLUG}:{title}", title, reason)
    cells = footprint(map_data, rows, others)
    description = (
        f"{len(rows):,} of {int(others.sum()):,} papers have the feature {title}; its name predicts the feature with "
        f"an AUC of {feature.auc:.2f} in papers that were not used to choose it. {describe_test(cells)}"
    )
    return Layer(
        f"{SLUG}:{title}",
        title,
        description,
        heatmaps=heatmaps(map_data, cells, title, colour_of(feature.number)),
        marks=_marks(map_data, strongest[:N_MARKS], colour_of(feature.number)),
        table=places(map_data, rows, others, cells),
    )


def _marks(map_data: MapData, rows: Rows, colour: str) -> tuple[Mark, ...]:
    """Mark the papers at `rows`, in which the feature is most active, with their ranks."""
    places = map_data.coordinates[rows].tolist()
    titles = (readable(paper.title) for paper in map_data.papers.take(rows))
    return tuple(
        Mark(x, y, text, colour, MARK, str(rank), row)
        for rank, (row, (x, y), text) in enumerate(zip(rows.tolist(), places, titles, strict=True), start=1)
    )


def _info(feature: Feature) -> LayerInfo:
    name = str(feature.name)
    return LayerInfo(f"{SLUG}:{name}", name, f"Where papers have the feature {name}.", _GROUP, feature.n_papers)


FEATURES = LayerKind(
    slug=SLUG,
    title="Features",
    help="Places where papers have a feature of the corpus more often than on the whole map.",
    group=_GROUP,
    order=95,
    inputs=("papers", "landscape", "terms", "features"),
    list_layers=_list,
    compute_choice=feature_layer,
)
