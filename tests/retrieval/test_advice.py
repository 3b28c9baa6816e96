import numpy as np
import pytest

from pathfinder.retrieval.advice import TIME_AGAINST_CITATIONS, weighting_advice
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import Weighting
from tests.retrieval.test_weighting import UNKNOWN, pool


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
    told = weighting_advice(candidates, Weighting(recency=1, citations=1))
    assert told[0].startswith("Only 1 of the 3 candidates have a citation count")
    assert told[2].startswith("Only 1 of the 3 candidates have a date")


def test_keywords_that_no_candidate_has_are_told():
    assert "No candidate has one of the keywords" in weighting_advice(pool(), Weighting(keywords=1))[0]
    assert weighting_advice(pool(keyword=[0.0, np.nan, 0.5]), Weighting(keywords=1)) == ()
