"""Counts of judgements, and the correlation of thumbs with the scores of the judged papers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pathfinder.addons.feedback.judgements import Judgement, Target, Thumb
from pathfinder.retrieval.factors import MATCH
from pathfinder.types.weighting import EPSILON

# The paper on Pathfinder reports a Spearman's rho of +0.33 between thumbs up and the retrieval score
# (arXiv:2408.01556).

FEWEST = 10
"""Minimum number of judged papers; with fewer, no correlation is given."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of thumbs (up 1, down 0) with scores."""

    rho: float
    """In [-1, 1]; positive if liked papers have higher scores."""
    p: float
    """Probability of a correlation at least as strong if thumbs and scores were unrelated."""
    n: int
    """Number of judged papers."""


@dataclass(frozen=True, slots=True)
class Summary:
    """Statistics of all judgements."""

    thumbs: dict[str, int]
    """Number of judgements of each kind and thumb, such as "paper up"."""
    remarks: dict[str, int]
    """Number of judgements with each reason."""
    correlation: Correlation | None
    """`None` if fewer than ten papers were judged, or if they all have the same thumb or the same score."""


def summarise(judgements: Sequence[Judgement]) -> Summary:
    """Count the judgements, and correlate the thumbs for papers with their scores."""
    thumbs = Counter(f"{judgement.target} {judgement.thumb}" for judgement in judgements)
    remarks = Counter(judgement.remark.value for judgement in judgements if judgement.remark is not None)
    return Summary(dict(sorted(thumbs.items())), dict(sorted(remarks.items())), _correlation(judgements))


def _correlation(judgements: Sequence[Judgement]) -> Correlation | None:
    paper_judgements = [judgement for judgement in judgements if judgement.target is Target.PAPER]
    scores = [_score(judgement) for judgement in paper_judgements]
    thumbs = [judgement.thumb is Thumb.UP for judgement in paper_judgements]
    if len(paper_judgements) < FEWEST or len(set(thumbs)) == 1 or len(set(scores)) == 1:
        return None
    from scipy.stats import spearmanr

    rho, p = spearmanr(scores, thumbs)
    return Correlation(float(rho), float(p), len(paper_judgements))


def _score(judgement: Judgement) -> float:
    """Return the logarithm of the judged paper's score under the preset `balanced`, with the strengths used for its
    list.
    """
    (factors,) = (dict(paper.factors) for paper in judgement.listed if paper.paper_id == judgement.paper_id)
    score = np.log(EPSILON + factors[MATCH])
    for name, strength in judgement.strengths:
        if name in factors:
            score += strength * np.log(EPSILON + factors[name])
    return float(score)
