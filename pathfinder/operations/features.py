"""The features by which a search can be steered, each with a score of how well its name fits, and its papers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from pathfinder.export.plain_json import JsonObject, paper_record, same_names, select
from pathfinder.operations.operation import Shell, declare
from pathfinder.types.features import MIN_AUC, FeatureCard

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

N_LISTED, N_SHOWN = 3, 10
"""Number of papers shown for each feature in a list of all features, and for a single feature."""
AnyFeatures = FeatureCard | tuple[FeatureCard, ...]


def _record(found: AnyFeatures) -> JsonObject:
    """Write a feature: number, name (null without one), phrases, auc, n_papers, papers (each with its activation, the
    highest first) and place (x and y on the map, or null); or all as a list under "features".
    """
    if isinstance(found, tuple):
        return {"features": list(map(_record, found))}
    return {
        **select(found.feature, same_names("number name phrases auc n_papers")),
        "papers": [{**paper_record(paper), "activation": round(strength, 4)} for paper, strength in found.papers],
        "place": None if found.place is None else list(found.place),
    }


def _lines(found: AnyFeatures) -> Iterator[str]:
    cards = found if isinstance(found, tuple) else (found,)
    features = [card.feature for card in cards]
    named = [feature for feature in features if feature.is_named or not isinstance(found, tuple)]
    yield from (f"{feature.name}: {feature.n_papers:,} papers, AUC {feature.auc:.2f}" for feature in named)
    if n := len(features) - len(named):
        reason = f"no phrases predict them with an AUC of {MIN_AUC:g} or more"
        yield f"{n} of {len(features)} features have no name: {reason}"
    if isinstance(found, FeatureCard):
        if found.place is not None:
            yield f"on the map: {found.place[0]:.3f}, {found.place[1]:.3f}"
        for paper, strength in found.papers:
            yield f"  {strength:.2f}  {paper.title} ({paper.year or 'year unknown'}) {paper.paper_id}"


@declare("features", address="features", settings=(), folder_first=True, record=_record, lines=_lines, is_get=True)
def features(
    pf: "Pathfinder",
    name: Annotated[
        str | None, Shell("NAME", "A feature, by its name or one of its phrases; by default, all are listed.")
    ] = None,
) -> AnyFeatures:
    """List the features by which a search can be steered, each with a score of how well its name fits, or show one with
    its papers. Use features in a search with --steer "NAME=0.5", and on a map with --layer "feature:NAME".
    """
    if name is not None:
        return pf.feature_card(name, N_SHOWN)
    return tuple(pf.feature_card(each, N_LISTED) for each in pf.features())
