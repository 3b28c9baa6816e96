import datetime
from math import exp, inf, log

import pytest
from hypothesis import given

from pathfinder.retrieval.explanation.waterfall import waterfall
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import Hit, Paper, Preset, Score, Weighting
from tests.retrieval.explanation.pools import pools, weightings


def hit(score, **paper):
    return Hit(Paper("p", "Title", "Abstract.", **paper), 0, score)


def test_the_steps_lead_from_zero_to_the_score_with_running_totals():
    score = Score(log(0.85) + 0.5 * log(0.65), dense=0.5, sparse=3.21, fused=0.8, recency=0.6)
    steps = waterfall(hit(score, year=2020), Weighting(recency=0.5)).steps
    assert [step.factor for step in steps] == ["match", "recency"]
    assert [step.amount for step in steps] == pytest.approx([log(0.85), 0.5 * log(0.65)])
    assert [step.total for step in steps] == pytest.approx([log(0.85), log(0.85) + 0.5 * log(0.65)])
    assert steps[0].description == "match 0.80: meaning 0.50 and words 3.2, fused"
    assert steps[1].description == "recency 0.60 at strength 0.5"


@given(candidates=pools, weighting=weightings)
def test_the_steps_add_up_to_the_score_or_to_its_logarithm(candidates, weighting):
    for hit in weigh(candidates, weighting, len(candidates)):
        fall = waterfall(hit, weighting)
        assert fall.is_logarithm is (weighting.preset is Preset.PAPER)
        assert fall.total == fall.steps[-1].total
        if fall.is_logarithm and hit.score.final > 0:
            assert fall.total == pytest.approx(log(hit.score.final), abs=1e-9)
            assert exp(fall.total) == pytest.approx(hit.score.final, abs=1e-9)
        else:
            assert fall.total == pytest.approx(-inf if fall.is_logarithm else hit.score.final, abs=1e-9)


def test_a_product_of_zero_falls_to_minus_infinity():
    fall = waterfall(hit(Score(0.0, dense=0.0, fused=0.3, recency=0.5)), Weighting(recency=1, preset=Preset.PAPER))
    assert fall.total == -inf
    assert fall.steps[0].description == "match 0.00: cosine between question and paper"


def test_a_paper_ranked_by_the_reranker_has_one_step():
    (step,) = waterfall(hit(Score(1.7, dense=0.5, fused=0.9, rerank=0.7)), Weighting(preset=Preset.PAPER)).steps
    assert (step.factor, step.amount) == ("rerank", pytest.approx(log(1.7)))
    assert step.description == "rerank 0.70: ordered by the reranker"


def test_unknown_facts_about_a_paper_are_named_as_neutral():
    score = Score(0.0, fused=0.8, recency=0.6, citation=0.3)
    unknown = waterfall(hit(score), Weighting(recency=1, citations=1)).steps
    bars = waterfall(
        hit(score, date=datetime.date(2020, 1, 1), citation_count=9), Weighting(recency=1, citations=1)
    ).steps
    assert unknown[1].description == "recency 0.60 (unknown: median of the candidates) at strength 1"
    assert unknown[2].description == "citations 0.30 (unknown: median of the candidates) at strength 1"
    assert [step.description for step in bars[1:]] == ["recency 0.60 at strength 1", "citations 0.30 at strength 1"]


def test_a_score_that_was_not_looked_up_is_not_mentioned():
    (step,) = waterfall(hit(Score(0.0, sparse=3.0, fused=1.0)), Weighting()).steps
    assert step.description == "match 1.00: words 3.0, fused"
