"""Writes features as JSON for programs."""

from pathfinder.export.plain_json import JsonObject
from pathfinder.export.records import paper_record
from pathfinder.types.features import FeatureCard


def feature_record(card: FeatureCard) -> JsonObject:
    """Write a feature: number, name (null without one), phrases, auc, n_papers, papers (the most active first, each
    with its activation) and place (x and y on the map, or null).
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
