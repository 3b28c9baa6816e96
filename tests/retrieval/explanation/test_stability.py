import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.retrieval.explanation.stability import Stability, in_top, stability
from pathfinder.retrieval.fusion import fuse
from pathfinder.retrieval.weighting import weigh
from pathfinder.types import Preset, Weighting
from tests.retrieval.explanation.pools import make_pool, pools, weightings
from tests.retrieval.test_weighting import pool


def rows_in(candidates, weighting, top_k):
    return {hit.row for hit in weigh(candidates, weighting, top_k)}


@given(candidates=pools, weighting=weightings, top_k=st.integers(1, 10))
def test_unperturbed_weights_leave_the_top_k_unchanged(candidates, weighting, top_k):
    report = stability(candidates, weighting, top_k, n_draws=2, max_shift=0.0)
    if report is not None:
        assert set(candidates.rows[report.shares == 1].tolist()) == rows_in(candidates, weighting, top_k)
        assert set(report.shares.tolist()) <= {0.0, 1.0}


@given(candidates=pools, weighting=weightings, top_k=st.integers(1, 10), seed=st.integers(0, 99))
def test_every_draw_has_k_papers_and_the_same_seed_the_same_shares(candidates, weighting, top_k, seed):
    report = stability(candidates, weighting, top_k, n_draws=20, seed=seed)
    again = stability(candidates, weighting, top_k, n_draws=20, seed=seed)
    if report is not None and again is not None:
        assert report.shares.sum() == pytest.approx(min(top_k, len(candidates)))
        assert report.shares.tolist() == again.shares.tolist()
    assert (report is None) is (again is None)


def test_shares_follow_from_the_weights_and_a_safe_rank_has_share_1():
    # a and b have each other's match and keywords: b leads where keywords count for more than the match.
    candidates = pool(fused=[1.0, 0.55, 0.001], keyword=[0.55, 1.0, 0.0])
    shares = stability(candidates, Weighting(keywords=0.9), top_k=1, n_draws=2000).shares
    draws = np.random.default_rng(1).uniform(-0.2, 0.2, (100_000, 2))
    leads = (np.clip(0.9 + draws[:, 0], 0, 1) > np.clip(1 + draws[:, 1], 0, 1)).mean()
    assert shares[1] == pytest.approx(leads, abs=0.04)
    assert shares[2] == 0
    assert stability(candidates, Weighting(keywords=0.9), top_k=2).shares.tolist() == [1, 1, 0]


def test_with_the_match_alone_nothing_can_be_perturbed():
    assert stability(pool(), Weighting(), top_k=1) is None
    assert stability(pool(), Weighting(preset=Preset.PAPER), top_k=1) is None


def test_the_help_names_the_perturbed_weights():
    report = stability(make_pool(20, 1), Weighting(keywords=1, recency=0.5), top_k=3)
    assert report.perturbed_weights == ("match", "keywords", "recency", "reranker")
    assert report.help == (
        "In each draw, match, keywords, recency and reranker each shift by up to ±0.2, clipped to [0, 1]."
    )


@pytest.mark.parametrize(
    ("share", "message"), [(0.96, "96%"), (1.0, "100%"), (0.9975, "over 99%"), (0.0, "0%"), (0.001, "under 1%")]
)
def test_the_badge_never_rounds_to_always_or_never(share, message):
    words = Stability(np.array([share]), 10, 200, 0.2, ("match", "recency")).describe(0)
    assert words == f"stays in the top 10 in {message} of 200 draws (weights ±0.2)"


# The fused score taken apart again ------------------------------------------------------------------


def fused_pool(n=40, seed=0, lowest=-0.1):
    rng = np.random.default_rng(seed)
    cosines = np.sort(rng.uniform(0.05, 0.8, n))[::-1]
    bm25 = np.where(rng.random(n) < 0.5, np.nan, rng.uniform(1, 20, n))
    fused = fuse(cosines, bm25, lowest)
    best = np.argsort(-fused, kind="stable")
    random_pool = make_pool(n, seed, absent=("title_match", "position", "coverage", "diversity", "rerank"))
    columns = {name: getattr(random_pool, name) for name in ("papers", "rows", "vectors", "keyword", "age_years")}
    columns |= {name: getattr(random_pool, name) for name in ("citation_count", "citation_percentile")}
    return type(random_pool)(**columns, dense=cosines[best], sparse=np.nan_to_num(bm25)[best], fused=fused[best])


@pytest.mark.parametrize("seed", range(5))
def test_a_search_without_weights_perturbs_the_share_of_meaning(seed):
    candidates = fused_pool(seed=seed)
    report = stability(candidates, Weighting(), top_k=5)
    assert report.perturbed_weights == ("match", "the share of meaning in the match")
    still = stability(candidates, Weighting(), top_k=5, n_draws=1, max_shift=0.0)
    assert still.shares.tolist() == [1.0] * 5 + [0.0] * 35
    assert 0 < report.shares[4] <= 1


def test_each_draw_is_the_fusion_with_another_share():
    candidates = fused_pool()
    share = 0.6 + np.random.default_rng(7).uniform(-0.2, 0.2, (1, 2))[0, 1]
    cosines = (candidates.dense + 0.1) / (candidates.dense.max() + 0.1)
    words = np.where(candidates.sparse > 0, 0.01 + 0.99 * candidates.sparse / candidates.sparse.max(), 0)
    top = np.argsort(-(share * (0.01 + 0.99 * cosines) + (1 - share) * words), kind="stable")[:5]
    shares = stability(candidates, Weighting(), top_k=5, n_draws=1, seed=7).shares
    assert set(np.flatnonzero(shares)) == set(top)


def test_a_fused_score_of_another_origin_is_not_decomposed():
    candidates = make_pool(40, 5, absent=("title_match", "position", "coverage", "diversity", "rerank"))
    assert stability(candidates, Weighting(), top_k=5) is None


@given(seed=st.integers(0, 999), top_k=st.integers(1, 12), levels=st.integers(1, 9))
def test_the_best_k_of_each_row_are_those_of_a_stable_sort(seed, top_k, levels):
    final = np.random.default_rng(seed).integers(0, levels, (4, 9)).astype(float)
    expected = [set(np.argsort(-row, kind="stable")[:top_k].tolist()) for row in final]
    assert [set(np.flatnonzero(row).tolist()) for row in in_top(final, top_k)] == expected
