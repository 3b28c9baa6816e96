"""Assessment of a search result: its outliers, its shape, and whether the corpus covers the question."""

from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from pathfinder.assessment.outliers import OutlierCalibration, find_outliers, outlier_flags
from pathfinder.assessment.predictors import N_BEST
from pathfinder.assessment.relevance import RelevanceModel
from pathfinder.assessment.spread import spread
from pathfinder.grounding.readings import Readings
from pathfinder.index.ports import WordStatistics
from pathfinder.retrieval.known_items.titles import is_keyword
from pathfinder.retrieval.stages import StageLog, with_stages
from pathfinder.types import Assessment, SearchResult

STAGE = "assessment"


def assess(
    result: SearchResult, counts: WordStatistics, calibration: OutlierCalibration, relevance: RelevanceModel
) -> SearchResult:
    """Add the assessment to `result` and mark the outliers among its hits; `counts` are the word statistics of the
    corpus.
    """
    log = StageLog()
    with log.stage(STAGE) as stage:
        vectors = _hit_vectors(result)
        outliers = find_outliers(vectors, calibration)
        probability, shape = relevance.assess(_as_read(result), counts), spread(vectors, calibration)
        parts = (("outliers", outliers), ("spread", shape))
        is_read = result.unread_language is None
        is_relevant = is_read and (probability >= relevance.threshold or _is_named(result))
        stage.ran = ", ".join(["relevance", *(name for name, value in parts if value is not None)])
    flags = outlier_flags(outliers) or (None,) * len(result.hits)
    assessed_result = replace(
        result,
        hits=tuple(replace(hit, outlier=flag) for hit, flag in zip(result.hits, flags, strict=True)),
        assessment=Assessment(probability, is_relevant, shape, outliers),
    )
    return with_stages(assessed_result, log)


def _is_named(result: SearchResult) -> bool:
    """Return whether the question is the identifier, the title or a keyword of a paper found: what was asked for is
    there, however little else is like it.
    """
    best = (paper.subjects for paper in islice(result.candidates.papers, N_BEST))
    return bool(result.candidates.named_rows) or any(is_keyword(result.question, subjects) for subjects in best)


def _as_read(result: SearchResult) -> SearchResult:
    """Return the result with full-text passages added to the abstracts of the best candidates, the only papers whose
    words are compared with the question.
    """
    pool = result.candidates
    if not pool.full_texts:
        return result
    best = zip(pool.rows[:N_BEST].tolist(), islice(pool.papers, N_BEST), strict=True)
    texts = [
        Readings({paper.paper_id: pool.full_texts[row]}).read(paper) if row in pool.full_texts else paper
        for row, paper in best
    ]
    return replace(result, candidates=replace(pool, papers=texts))


def _hit_vectors(result: SearchResult) -> NDArray[np.float32]:
    places = {int(row): place for place, row in enumerate(result.candidates.rows)}
    return result.candidates.vectors[[places[hit.row] for hit in result.hits]]
