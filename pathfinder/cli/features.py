"""The command `pathfinder features`: lists the features of a corpus, or shows one."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from pathfinder.cli.options import Folder, JsonFlag
from pathfinder.cli.output import write_json, write_lines

if TYPE_CHECKING:
    from pathfinder.session import Pathfinder
    from pathfinder.types.features import Feature, FeatureCard

_NAME = "A feature, by its name or one of its phrases; by default, all are listed."
N_SHOWN = 10
"""Number of papers shown for a single feature."""


def features(
    folder: Folder,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help=_NAME)] = None,
    as_json: JsonFlag = False,
) -> None:
    """List the features by which a search can be steered, each with a score of how well its name fits, or show one with
    its papers.

    Use features in a search with --steer "NAME=0.5", and on a map with --layer "feature:NAME".
    """
    from pathfinder.cli.settings import open_pathfinder
    from pathfinder.export.records import N_LISTED, feature_record, features_record

    pf = open_pathfinder(folder)
    if name is not None:
        card = pf.feature_card(name, N_SHOWN)
        write_json(feature_record(card)) if as_json else write_lines(_card(card))
    elif as_json:
        write_json(features_record(pf.feature_card(each, N_LISTED) for each in pf.features()))
    else:
        write_lines(_lines(pf))


def _lines(pf: "Pathfinder") -> Iterator[str]:
    from pathfinder.types.features import MIN_AUC

    features = pf.features()
    named_features = [feature for feature in features if feature.is_named]
    yield from map(_line, named_features)
    if n := len(features) - len(named_features):
        reason = f"no phrases predict them with an AUC of {MIN_AUC:g} or more"
        yield f"{n} of {len(features)} features have no name: {reason}"


def _line(feature: "Feature") -> str:
    return f"{feature.name}: {feature.n_papers:,} papers, AUC {feature.auc:.2f}"


def _card(card: "FeatureCard") -> Iterator[str]:
    yield _line(card.feature)
    if card.place is not None:
        yield f"on the map: {card.place[0]:.3f}, {card.place[1]:.3f}"
    for paper, strength in card.papers:
        yield f"  {strength:.2f}  {paper.title} ({paper.year or 'year unknown'}) {paper.paper_id}"
