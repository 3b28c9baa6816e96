"""Ranking factors: everything that can affect the rank of a paper, each declared in one place."""

from pathfinder.retrieval.factors.factor import RankingFactor
from pathfinder.retrieval.factors.own import OWN_FACTORS
from pathfinder.retrieval.factors.registry import (
    FACTORS,
    MATCH,
    factor_named,
    factor_of,
    factor_settings,
    factors_of,
    label_of,
    measure_factor,
    weights_of,
)

__all__ = [
    "FACTORS",
    "MATCH",
    "OWN_FACTORS",
    "RankingFactor",
    "factor_named",
    "factor_of",
    "factor_settings",
    "factors_of",
    "label_of",
    "measure_factor",
    "weights_of",
]
