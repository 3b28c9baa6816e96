"""Scores of rankings as computed by trec_eval, using `ir-measures`."""

from collections.abc import Mapping, Sequence
from statistics import fmean

import ir_measures

Judgements = Mapping[str, Mapping[str, int]]
"""Grade of each judged document, by question: a grade of 1 or more means relevant."""

Rankings = Mapping[str, Sequence[str]]
"""Document ids, best first, by question."""

MEASURES = {
    "ndcg@10": ir_measures.nDCG @ 10,
    "mrr@10": ir_measures.RR @ 10,
    "success@10": ir_measures.Success @ 10,
    "recall@100": ir_measures.R @ 100,
    "recall@1000": ir_measures.R @ 1000,
    "ndcg@50": ir_measures.nDCG @ 50,
    "recall@50": ir_measures.R @ 50,
    "ndcg@100": ir_measures.nDCG @ 100,
}
"""Measures by name. nDCG has linear gains, so a document with grade 2 counts twice as much as one with grade 1; the
ideal ranking contains all judged documents.

All are in [0, 1]. arXiv:2408.01556 uses those at 50 and 100 for questions answered by many papers.
"""

SHOWN_MEASURES = ("ndcg@10", "mrr@10", "success@10", "recall@100", "recall@1000")
"""Measures shown in a table by default."""


def score_each(judgements: Judgements, rankings: Rankings) -> dict[str, dict[str, float]]:
    """Compute every measure for every judged question: `scores["ndcg@10"]["q1"]`.

    A judged question without a ranking scores 0; a ranking for a question without judgements is ignored.
    """
    names = {measure: name for name, measure in MEASURES.items()}
    scores: dict[str, dict[str, float]] = {name: {} for name in MEASURES}
    for value in ir_measures.iter_calc(list(MEASURES.values()), judgements, _run(judgements, rankings)):
        scores[names[value.measure]][value.query_id] = float(value.value)
    return scores


def mean_scores(scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Average each measure over all questions."""
    return {name: fmean(of_questions.values()) for name, of_questions in scores.items()}


def _run(judgements: Judgements, rankings: Rankings) -> dict[str, dict[str, float]]:
    """Convert rankings to scores that fall by 1 per rank: trec_eval orders by score and breaks ties in its own way."""
    return {
        question: {document: float(-place) for place, document in enumerate(ranking)}
        for question, ranking in rankings.items()
        if question in judgements
    }
