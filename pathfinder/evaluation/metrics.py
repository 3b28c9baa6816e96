"""How good rankings are, as trec_eval counts it; `ir-measures` does the counting."""

from collections.abc import Mapping, Sequence
from statistics import fmean

import ir_measures

Judgements = Mapping[str, Mapping[str, int]]
"""Grade of each judged document, by question: 1 and more is relevant."""

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
"""nDCG has linear gains: a document of grade 2 counts twice; its ideal is that of all judged documents.

All lie in [0, 1]. Those at 50 and 100 are what arXiv:2408.01556 counts where a question has many papers.
"""

SHOWN_MEASURES = ("ndcg@10", "mrr@10", "success@10", "recall@100", "recall@1000")
"""Those in a table where nobody chose."""


def score_each(judgements: Judgements, rankings: Rankings) -> dict[str, dict[str, float]]:
    """Every measure of every judged question: `scores["ndcg@10"]["q1"]`.

    A judged question without a ranking has 0; a ranking of a question that nobody judged is not looked at.
    """
    names = {measure: name for name, measure in MEASURES.items()}
    scores: dict[str, dict[str, float]] = {name: {} for name in MEASURES}
    for value in ir_measures.iter_calc(list(MEASURES.values()), judgements, _run(judgements, rankings)):
        scores[names[value.measure]][value.query_id] = float(value.value)
    return scores


def mean_scores(scores: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """Each measure, averaged over its questions."""
    return {name: fmean(of_questions.values()) for name, of_questions in scores.items()}


def _run(judgements: Judgements, rankings: Rankings) -> dict[str, dict[str, float]]:
    """Rankings as scores that fall by 1 from place to place: trec_eval orders by score and takes ties as it likes."""
    return {
        question: {document: float(-place) for place, document in enumerate(ranking)}
        for question, ranking in rankings.items()
        if question in judgements
    }
