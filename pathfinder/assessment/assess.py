"""How far a result can be trusted: its outliers, its shape, and whether the corpus bears on the question."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.features import WordCounts
from pathfinder.assessment.outliers import OutlierCalibration, find_outliers, outlier_flags
from pathfinder.assessment.relevance import RelevanceModel
from pathfinder.assessment.spread import spread
from pathfinder.retrieval.stages import StageLog
from pathfinder.types import Assessment, SearchResult

STAGE = "assessment"


def assess(
    result: SearchResult, counts: WordCounts, calibration: OutlierCalibration, relevance: RelevanceModel
) -> SearchResult:
    """`result` with its assessment, and each hit marked as an outlier or not; `counts` are the corpus's words."""
    log = StageLog()
    with log.stage(STAGE) as stage:
        vectors = _hit_vectors(result)
        outliers = find_outliers(vectors, calibration)
        probability, shape = relevance.assess(result, counts), spread(vectors, calibration)
        told = (("outliers", outliers), ("spread", shape))
        stage.ran = ", ".join(["relevance", *(name for name, value in told if value is not None)])
    flags = outlier_flags(outliers) or (None,) * len(result.hits)
    return replace(
        result,
        hits=tuple(replace(hit, outlier=flag) for hit, flag in zip(result.hits, flags, strict=True)),
        stages=(*(ran for ran in result.stages if ran.name != STAGE), *log.stages),
        assessment=Assessment(probability, probability >= relevance.threshold, shape, outliers),
    )


def _hit_vectors(result: SearchResult) -> NDArray[np.float32]:
    places = {int(row): place for place, row in enumerate(result.candidates.rows)}
    return result.candidates.vectors[[places[hit.row] for hit in result.hits]]
