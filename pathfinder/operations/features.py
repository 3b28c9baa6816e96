"""The features by which a search can be steered, each with a score of how well its name fits, and its papers."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import AfterValidator

from pathfinder.operations.operation import QuotedPaper, Shell, declare, result_of
from pathfinder.types.features import MIN_AUC, ActivePaper, FeatureCard

if TYPE_CHECKING:
    from pathfinder.facade import Pathfinder

N_LISTED, N_SHOWN = 3, 10
"""Number of papers shown for each feature in a list of all features, and for a single feature."""


class Features(NamedTuple):
    """All features of a corpus, each with a few papers."""

    features: tuple[FeatureCard, ...]


AnyFeatures = FeatureCard | Features


def _result() -> Any:
    activation = Annotated[float, AfterValidator(lambda strength: round(strength, 4))]
    paper = result_of(ActivePaper, paper=QuotedPaper, activation=activation)
    card = result_of(FeatureCard, "is_named", flat="feature", name="feature.name", papers=[paper])
    return card | result_of(Features, features=[card])


def _lines(found: AnyFeatures) -> Iterator[str]:
    cards = found.features if isinstance(found, Features) else (found,)
    features = [card.feature for card in cards]
    named = [feature for feature in features if feature.is_named or isinstance(found, FeatureCard)]
    yield from (f"{feature.name}: {feature.n_papers:,} papers, AUC {feature.auc:.2f}" for feature in named)
    if n := len(features) - len(named):
        reason = f"no phrases predict them with an AUC of {MIN_AUC:g} or more"
        yield f"{n} of {len(features)} features have no name: {reason}"
    if isinstance(found, FeatureCard):
        if found.place is not None:
            yield f"on the map: {found.place[0]:.3f}, {found.place[1]:.3f}"
        for paper, strength in found.papers:
            yield f"  {strength:.2f}  {paper.title} ({paper.year or 'year unknown'}) {paper.paper_id}"


@declare("features", address="features", settings=(), folder_first=True, result=_result, lines=_lines, is_get=True)
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
    return Features(tuple(pf.feature_card(each, N_LISTED) for each in pf.features()))
