"""The numbers of the search that a sweep tries, and what they are in use."""

from enum import StrEnum

from pathfinder.retrieval.fusion import DENSE_SHARE
from pathfinder.types import Weighting

VALUES = tuple(step / 10 for step in range(11))


class Over(StrEnum):
    """What is tried."""

    FUSION = "fusion"
    """The share of meaning in the fused score; words have the rest."""
    RERANK = "rerank"
    """The reranker's say in the final score."""


PARAMETERS = {Over.FUSION: "share of meaning in the fusion", Over.RERANK: "strength of the reranker"}
IN_USE = {Over.FUSION: DENSE_SHARE, Over.RERANK: Weighting().rerank}
