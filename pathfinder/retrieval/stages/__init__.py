"""Stages of a search: their log, and the models that they use."""

from pathfinder.retrieval.stages.log import (
    RunningStage,
    StageLog,
    StageReport,
    failed_stage,
    skipped_stage,
    substituted_stage,
    unusable_stage,
    with_stages,
)

__all__ = [
    "RunningStage",
    "StageLog",
    "StageReport",
    "failed_stage",
    "skipped_stage",
    "substituted_stage",
    "unusable_stage",
    "with_stages",
]
