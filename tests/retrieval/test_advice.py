from dataclasses import replace

import numpy as np
import pytest

from pathfinder.retrieval.advice import RERANKER_STANDS, TIME_AGAINST_CITATIONS, weighting_advice
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import Preset, Weighting
from tests.retrieval.test_weighting import UNKNOWN, order, pool


@pytest.mark.parametrize(
    ("weighting", "pulls"),
    [
        (Weighting(recency=1, citations=0.05), True),
        (Weighting(recency=1, keywords=1), False),
        (Weighting(citations=1), False),
    ],
)
def test_time_and_citations_together_warn_with_the_reason(weighting, pulls):
    assert (TIME_AGAINST_CITATIONS in weighting_advice(pool(), weighting)) is pulls


def test_the_warning_is_true_neither_the_new_nor_the_classic_leads():
    # Equal matches: published today and uncited, 4 years old with 300 citations, 30 years old with 5,000.
    candidates = pool(
        fused=[1.0, 1.0, 1.0], age_years=[0.0, 4.0, 30.0], citation_count=[0.0, 300.0, 5000.0], keyword=[0.0, 0.0, 0.0]
    )
    assert weigh(candidates, Weighting(recency=1, citations=1), 3)[0].paper.paper_id == "b"


def test_few_counts_and_few_dates_are_told():
    candidates = pool(citation_count=[UNKNOWN, UNKNOWN, 3.0], age_years=[UNKNOWN, UNKNOWN, 1.0])
    advice = weighting_advice(candidates, Weighting(recency=1, citations=1))
    assert advice[0].startswith("Only 1 of the 3 candidates have a citation count")
    assert advice[2].startswith("Only 1 of the 3 candidates have a date")


def test_keywords_that_no_candidate_has_are_told():
    assert "None of the candidates has any of the keywords" in weighting_advice(pool(), Weighting(keywords=1))[0]
    assert weighting_advice(pool(keyword=[0.0, np.nan, 0.5]), Weighting(keywords=1)) == ()


def test_weights_that_were_not_looked_up_are_named():
    advice = weighting_advice(pool(), Weighting(title=1, position=0.5))
    assert advice == ("No effect (not measured in this search): title match and early match.",)
    assert weighting_advice(replace(pool(), title_match=np.array([0.1, 0.2, 0.2])), Weighting(title=1)) == ()


@pytest.mark.parametrize("values", [[1.0, 1.0, 1.0], [UNKNOWN, UNKNOWN, UNKNOWN], [UNKNOWN, 0.3, UNKNOWN]])
def test_weights_that_are_the_same_for_every_candidate_are_named(values):
    candidates = replace(pool(), diversity=np.array(values))
    advice = weighting_advice(candidates, Weighting(diversity=1))
    assert advice == ("No effect (the same for every candidate): single-passage match.",)
    assert order(candidates, Weighting(diversity=1)) == order(candidates, Weighting())


@pytest.mark.parametrize(
    ("weighting", "is_told"),
    [
        (Weighting(preset=Preset.PAPER, coverage=1), True),
        (Weighting(preset=Preset.PAPER), False),
        (Weighting(preset=Preset.PAPER, coverage=1, rerank=0), False),
        (Weighting(coverage=1), False),
    ],
)
def test_that_a_rerankers_order_stands_is_told_where_a_weight_is_on(weighting, is_told):
    candidates = replace(pool(), rerank=np.array([0.1, 0.5, 1.0]), coverage=np.array([1.0, 0.5, 0.1]))
    assert (RERANKER_STANDS in weighting_advice(candidates, weighting)) is is_told
    orders = {order(candidates, weighting), order(candidates, replace(weighting, coverage=0.0))}
    assert not is_told or orders == {"cba"}
