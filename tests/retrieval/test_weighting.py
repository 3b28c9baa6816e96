from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.retrieval.factors.own import citation_weights, recency_weights
from pathfinder.retrieval.weighting import (
    describe_weights,
    neutral_where_unknown,
    weigh,
)
from pathfinder.types import Candidates, CitationProfile, Paper, Preset, Weighting

UNKNOWN = np.nan


def pool(**factors):
    """Three candidates, `a` to `c`, best match first; `factors` replace the neutral ones."""
    columns = {
        "dense": [0.8, 0.6, 0.4],
        "sparse": [3.0, 2.0, 0.0],
        "fused": [1.0, 0.7, 0.2],
        "keyword": [0.0, 0.0, 0.0],
        "age_years": [1.0, 1.0, 1.0],
        "citation_count": [0.0, 0.0, 0.0],
        "citation_percentile": [0.5, 0.5, 0.5],
    } | factors
    return Candidates(
        papers=[Paper(name, f"Title {name}", "Abstract.") for name in "abc"],
        rows=np.arange(3),
        vectors=np.eye(3, dtype=np.float32),
        **{name: np.array(values) for name, values in columns.items()},
    )


def order(candidates, weighting, top_k=3):
    return "".join(hit.paper.paper_id for hit in weigh(candidates, weighting, top_k))


# The published sigmoids, against the values printed in the reference table ---------------------------


def test_recency_as_printed_halves_at_nine_months_and_dies_at_three_years():
    ages = np.array([0, 0.5, 1, 2, 3, 5, 10])
    assert recency_weights(ages, midpoint_years=0) == pytest.approx(
        [0.5, 0.329, 0.193, 0.0543, 0.0136, 7.9e-4, 6.2e-7], rel=0.01
    )
    assert recency_weights(np.array([1.0]), 0)[0] == pytest.approx(1 / (1 + exp(1 / 0.7)))


def test_recency_as_intended_fades_beyond_five_years():
    ages = np.array([0, 1, 2, 3, 4, 5, 6, 7, 10])
    expected = [0.9992, 0.997, 0.986, 0.946, 0.807, 0.5, 0.193, 0.054, 8e-4]
    assert recency_weights(ages, midpoint_years=5) == pytest.approx(expected, abs=5e-4)


def test_citations_count_half_at_three_hundred():
    counts = np.array([0, 50, 100, 200, 250, 300, 350, 400, 500])
    expected = [7.9e-4, 0.0026, 0.0085, 0.085, 0.233, 0.5, 0.767, 0.915, 0.992]
    assert citation_weights(counts) == pytest.approx(expected, rel=0.02)


def test_both_sigmoids_have_the_same_edge():
    assert citation_weights(np.array([0.0]))[0] == pytest.approx(recency_weights(np.array([10.0]), 5)[0])


# What is not known is neutral ------------------------------------------------------------------------


def test_an_unknown_weight_becomes_the_median_of_the_known_ones():
    assert neutral_where_unknown(np.array([0.1, UNKNOWN, 0.9, 0.2])).tolist() == [0.1, 0.2, 0.9, 0.2]


def test_with_nothing_known_every_weight_is_one():
    assert neutral_where_unknown(np.array([UNKNOWN, UNKNOWN])).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("preset", Preset)
def test_papers_without_dates_counts_or_keywords_get_finite_scores(preset):
    nothing = [UNKNOWN] * 3
    candidates = pool(keyword=nothing, age_years=nothing, citation_count=nothing, citation_percentile=nothing)
    hits = weigh(candidates, Weighting(1, 1, 1, preset), top_k=3)
    assert [hit.paper.paper_id for hit in hits] == ["a", "b", "c"]
    assert all(np.isfinite(hit.score.final) for hit in hits)


def test_an_undated_paper_is_neither_the_newest_nor_the_oldest():
    candidates = pool(fused=[1.0, 1.0, 1.0], age_years=[UNKNOWN, 1.0, 20.0])
    assert order(candidates, Weighting(recency=1)) == "bac"


# Preset balanced -------------------------------------------------------------------------------------


def test_no_weight_leaves_the_fused_order_alone():
    hits = weigh(pool(), Weighting(), top_k=2)
    assert [hit.paper.paper_id for hit in hits] == ["a", "b"]
    assert [hit.score.final for hit in hits] == pytest.approx([log(0.05 + 1.0), log(0.05 + 0.7)])
    assert (hits[0].score.keyword, hits[0].score.recency, hits[0].score.citation) == (None, None, None)


def test_balanced_adds_logarithms():
    candidates = pool(keyword=[0.0, 0.5, 1.0], age_years=[9.0, 5.0, 1.0], citation_count=[300.0, 300.0, 0.0])
    (hit,) = weigh(candidates, Weighting(keywords=1, recency=0.5, citations=0.2), top_k=1)
    recency = 1 / (1 + exp((5 - 5) / 0.7))
    expected = log(0.05 + 0.7) + log(0.05 + 0.5) + 0.5 * log(0.05 + recency) + 0.2 * log(0.05 + 0.5)
    assert hit.paper.paper_id == "b"
    assert hit.score.final == pytest.approx(expected, abs=1e-12)


def test_equal_scores_stay_in_the_order_of_the_match():
    assert order(pool(fused=[0.5, 0.5, 0.5]), Weighting(recency=1)) == "abc"


@given(count=st.floats(0, 900), more=st.floats(1, 500), strength=st.floats(0.01, 1))
def test_more_citations_never_rank_a_paper_lower(count, more, strength):
    weighting = Weighting(citations=strength)
    before = order(pool(citation_count=[100.0, count, 250.0]), weighting).index("b")
    assert order(pool(citation_count=[100.0, count + more, 250.0]), weighting).index("b") <= before


# Preset paper ----------------------------------------------------------------------------------------


def test_paper_multiplies_the_cosine_by_each_weight_over_the_best_of_the_pool():
    candidates = pool(age_years=[2.0, 0.0, 1.0], citation_count=[100.0, 200.0, 300.0])
    best, *_ = weigh(candidates, Weighting(recency=1, citations=1, preset=Preset.PAPER), top_k=3)
    newest = 1 / (1 + exp(0))
    recency = {"a": 1 / (1 + exp(2 / 0.7)) / newest, "b": 1.0, "c": 1 / (1 + exp(1 / 0.7)) / newest}
    most_cited = 1 / (1 + exp(0))
    citation = {"a": 1 / (1 + exp(200 / 42)), "b": 1 / (1 + exp(100 / 42)), "c": most_cited}
    products = {
        name: cosine * recency[name] * citation[name] / most_cited
        for name, cosine in {"a": 0.8, "b": 0.6, "c": 0.4}.items()
    }
    assert best.paper.paper_id == max(products, key=products.get) == "c"
    assert best.score.final == pytest.approx(products["c"], abs=1e-12)
    assert best.score.recency == pytest.approx(recency["c"])


def test_paper_leaves_a_tenth_to_a_paper_without_any_keyword():
    hits = weigh(pool(keyword=[0.0, 0.4, 0.9]), Weighting(keywords=1, preset=Preset.PAPER), top_k=3)
    finals = {hit.paper.paper_id: hit.score.final for hit in hits}
    assert finals == pytest.approx({"a": 0.8 * 0.1 / 1.0, "b": 0.6 * 0.5 / 1.0, "c": 0.4 * 1.0 / 1.0})


def test_paper_uses_a_half_strength_as_an_exponent():
    (best,) = weigh(pool(age_years=[1.0, 0.0, 0.0]), Weighting(recency=0.5, preset=Preset.PAPER), top_k=1)
    share = (1 / (1 + exp(1 / 0.7))) / 0.5
    assert best.score.final == pytest.approx(max(0.8 * share**0.5, 0.6))


def test_keywords_that_no_candidate_has_change_nothing():
    assert order(pool(keyword=[0.0, 0.0, 0.0]), Weighting(keywords=1, preset=Preset.PAPER)) == "abc"


# Options and words -----------------------------------------------------------------------------------


def test_age_fair_citations_use_the_percentile_within_the_year():
    candidates = pool(fused=[1.0, 1.0, 1.0], citation_count=[400.0, 3.0, 1.0], citation_percentile=[0.2, 0.9, 0.5])
    assert order(candidates, Weighting(citations=1)) == "abc"
    assert order(candidates, Weighting(citations=1, citation_profile=CitationProfile.AGE_FAIR)) == "bca"


def test_a_midpoint_of_ones_own_takes_the_place_of_the_preset():
    (hit,) = weigh(pool(age_years=[10.0, 10.0, 10.0]), Weighting(recency=1, recency_midpoint_years=10), top_k=1)
    assert hit.score.recency == pytest.approx(0.5)


def test_a_badge_says_what_moved_the_papers():
    assert describe_weights(Weighting(keywords=1, recency=0.5)) == "balanced: keywords 1, recency 0.5"
    assert describe_weights(Weighting(preset=Preset.PAPER)) == "paper: no weights"
