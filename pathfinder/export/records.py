"""Writes papers and features as JSON for programs; null stands for a value that was not computed or is not known."""

from collections.abc import Iterable

from pathfinder.export.plain_json import JsonObject
from pathfinder.types import Paper
from pathfinder.types.features import FeatureCard

N_LISTED = 3
"""Number of papers shown for each feature in a list of all features."""


def paper_record(paper: Paper) -> JsonObject:
    """Write a paper: paper_id, title, year, status ("withdrawn", "retracted" or null)."""
    return {"paper_id": paper.paper_id, "title": paper.title, "year": paper.known_year, "status": paper.status}


def features_record(cards: Iterable[FeatureCard]) -> JsonObject:
    """Write all features as a list under "features"."""
    return {"features": list(map(feature_record, cards))}


def feature_record(card: FeatureCard) -> JsonObject:
    """Write a feature: number, name (null without one), phrases, auc, n_papers, papers (each with its
    activation, the highest first) and place (x and y on the map, or null).
    """
    feature = card.feature
    return {
        "number": feature.number,
        "name": feature.name,
        "phrases": list(feature.phrases),
        "auc": feature.auc,
        "n_papers": feature.n_papers,
        "papers": [{**paper_record(paper), "activation": round(strength, 4)} for paper, strength in card.papers],
        "place": None if card.place is None else list(card.place),
    }
