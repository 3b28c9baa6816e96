"""The search parameters that a sweep can vary, and their default values."""

from enum import StrEnum

from pathfinder.retrieval.fusion import DENSE_SHARE
from pathfinder.types import Weighting

VALUES = tuple(step / 10 for step in range(11))


class SweptParameter(StrEnum):
    """A parameter that a sweep can vary."""

    FUSION = "fusion"
    """Weight of the dense score in the fused score; the sparse score gets the rest."""
    RERANK = "rerank"
    """Weight of the reranker in the final score."""


PARAMETERS = {
    SweptParameter.FUSION: "share of meaning in the fusion",
    SweptParameter.RERANK: "strength of the reranker",
}
DEFAULTS = {SweptParameter.FUSION: DENSE_SHARE, SweptParameter.RERANK: Weighting().rerank}
