"""How far a result can be trusted: its outliers, its shape, and whether the corpus bears on the question."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.features import WordCounts
from pathfinder.assessment.outliers import OutlierCalibration, find_outliers, outlier_flags
from pathfinder.assessment.relevance import RelevanceModel
from pathfinder.assessment.spread import spread
from pathfinder.types import Assessment, SearchResult


def assess(
    result: SearchResult, counts: WordCounts, calibration: OutlierCalibration, relevance: RelevanceModel
) -> SearchResult:
    """`result` with its assessment, and each hit marked as an outlier or not; `counts` are the corpus's words."""
    vectors = _hit_vectors(result)
    outliers = find_outliers(vectors, calibration)
    flags = outlier_flags(outliers) or (None,) * len(result.hits)
    probability = relevance.assess(result, counts)
    return replace(
        result,
        hits=tuple(replace(hit, outlier=flag) for hit, flag in zip(result.hits, flags, strict=True)),
        assessment=Assessment(probability, probability >= relevance.threshold, spread(vectors, calibration), outliers),
    )


def _hit_vectors(result: SearchResult) -> NDArray[np.float32]:
    places = {int(row): place for place, row in enumerate(result.candidates.rows)}
    return result.candidates.vectors[[places[hit.row] for hit in result.hits]]
