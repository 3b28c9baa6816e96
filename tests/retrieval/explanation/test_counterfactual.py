from math import inf, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pathfinder.errors import UsageError
from pathfinder.retrieval.explanation.counterfactual import (
    Lines,
    StrengthInterval,
    intervals_in_top,
    lines_of,
    rank_of,
    smallest_changes,
)
from pathfinder.retrieval.factors.own import OWN_FACTORS
from pathfinder.retrieval.weighting import final_scores, weigh
from pathfinder.types import Candidates, Preset, Weighting
from tests.retrieval.explanation.pools import make_pool, pools, weightings
from tests.retrieval.test_weighting import UNKNOWN, pool

STRENGTHS = tuple(factor.setting for factor in OWN_FACTORS)
GRID = np.linspace(0, 1, 201)
MARGIN = 1e-9


def is_surely_in(candidates, weighting, position, top_k):
    """Whether fewer than `top_k` others have as much, rounding errors allowed for."""
    final = final_scores(candidates, weighting)
    return (final >= final[position] - MARGIN * abs(final[position])).sum() <= top_k


# Sums in the open -----------------------------------------------------------------------------------


def test_the_crossing_of_two_papers_is_where_their_lines_meet():
    # b leads a from where 0.3 a = log(1.05 / 0.75): two papers, the crossing in closed form.
    candidates = pool(fused=[1.0, 0.7, 0.001], keyword=[0.2, 0.5, 0.2])
    report = smallest_changes(candidates, Weighting(), position=1, top_k=1)
    crossing = log(1.05 / 0.75) / log(0.55 / 0.25)
    (change,) = report.changes
    assert change.slider == "keywords"
    assert change.limit == pytest.approx(crossing, abs=1e-12)
    assert (change.before, change.after, change.rank) == (0.0, 0.43, 1)  # the crossing lies at 0.4268
    assert (
        report.description
        == "It ranks 2nd. The smallest change that puts it first: keywords from 0 to 0.43; it then ranks 1st."
    )
    assert weigh(candidates, Weighting().with_strength(change.slider, change.after), 1)[0].paper.paper_id == "b"


def test_a_slider_may_have_to_go_down():
    candidates = pool(fused=[1.0, 0.9, 0.1], age_years=[30.0, 0.0, 0.0])
    (change,) = smallest_changes(candidates, Weighting(recency=1), position=0, top_k=1).changes
    assert (change.slider, change.before) == ("recency", 1.0)
    assert 0 < change.after < 1


def test_ties_keep_the_fused_order_so_the_later_paper_must_pass_the_earlier():
    # Both lines meet at 0.5 exactly; there the first comes first, as the earlier of two equals.
    lines = Lines(np.array([1.0, 0.0]), np.array([0.0, 2.0]))
    assert intervals_in_top(lines, 0, 1) == (StrengthInterval(0.0, 0.5),)
    assert intervals_in_top(lines, 1, 1) == (StrengthInterval(0.5, 1.0, has_low=False),)


def test_a_gap_between_two_others_is_found():
    # The paper is first between 0.25 and 0.75: before it one line leads, beyond it another.
    lines = Lines(np.array([1.0, 0.75, 0.0]), np.array([-1.0, 0.0, 1.0]))
    assert intervals_in_top(lines, 1, 1) == (StrengthInterval(0.25, 0.75, has_low=False),)


def test_a_product_of_zero_is_last_except_at_strength_0():
    lines = Lines(np.array([0.0, -1.0, -inf]), np.array([-inf, -1.0, 0.0]))
    assert intervals_in_top(lines, 0, 1) == (StrengthInterval(0.0, 0.0),)
    assert intervals_in_top(lines, 1, 1) == (StrengthInterval(0.0, 1.0, has_low=False),)
    assert intervals_in_top(lines, 2, 2) == ()


def test_a_paper_in_the_top_k_needs_no_change():
    report = smallest_changes(pool(), Weighting(), position=0, top_k=2)
    assert (report.rank, report.changes) == (1, ())
    assert report.description == "It ranks 1st: it is in the top 2."


def test_a_paper_that_no_slider_can_raise_is_reported():
    report = smallest_changes(pool(), Weighting(), position=2, top_k=1)
    assert report.changes == ()
    assert report.description == "It ranks 3rd. No change to a single slider puts it first."


def test_factors_that_were_not_looked_up_are_reported_as_fixed():
    report = smallest_changes(pool(), Weighting(), position=2, top_k=1)
    assert dict(report.fixed_sliders)["title"] == "not measured in this search"
    measured = {"keywords", "recency", "citations", "rerank"}
    *others, last = [factor.label for factor in OWN_FACTORS if factor.setting not in measured]
    assert report.fixed_description == (
        f"Not moved: {', '.join(others)} and {last} (not measured in this search); reranker (no reranker ran)."
    )


def test_an_undated_paper_counts_as_the_median():
    candidates = pool(fused=[1.0, 0.9, 0.8], age_years=[30.0, UNKNOWN, 2.0])
    (change,) = smallest_changes(candidates, Weighting(), position=1, top_k=1).changes
    assert change.slider == "recency"
    assert rank_of(candidates, Weighting().with_strength(change.slider, change.after), 1) == 1


def test_in_paper_the_rerankers_order_is_named_and_can_be_switched_off():
    candidates = make_pool(10, 3, absent=("title_match", "position", "coverage", "diversity"), holes=0.0)
    weighting = Weighting(preset=Preset.PAPER)
    first_without = int(np.argmax(candidates.dense))
    report = smallest_changes(candidates, weighting, first_without, top_k=1)
    assert [(change.slider, change.after) for change in report.changes] == [("rerank", 0.0)]
    assert dict(report.fixed_sliders)["recency"].startswith("in the preset `paper`, the reranker decides the order")


@pytest.mark.parametrize(("position", "top_k"), [(-1, 1), (3, 1), (0, 0)])
def test_a_position_outside_the_candidates_is_refused(position, top_k):
    with pytest.raises(UsageError, match="must"):
        smallest_changes(pool(), Weighting(), position, top_k)


# Properties -----------------------------------------------------------------------------------------

cases = {"candidates": pools, "weighting": weightings, "top_k": st.integers(1, 10), "pick": st.integers(0, 59)}


@given(**cases)
def test_every_change_works_when_ranked_again_and_nothing_smaller_does(candidates, weighting, top_k, pick):
    position = pick % len(candidates)
    report = smallest_changes(candidates, weighting, position, top_k)
    assert report.rank == rank_of(candidates, weighting, position)
    sizes = [abs(change.after - change.before) for change in report.changes]
    assert sizes == sorted(sizes)
    for change in report.changes:
        hits = weigh(candidates, weighting.with_strength(change.slider, change.after), top_k)
        assert hits[change.rank - 1].row == candidates.rows[position]
        least = abs(change.limit - change.before)
        assert least <= abs(change.after - change.before) + 1e-12
        smaller = [a for a in GRID if abs(a - change.before) < least - 1e-9]
        nearest = [change.before + (change.limit - change.before) * share for share in (0.5, 0.9, 0.999)]
        for strength in (*smaller, *nearest):
            if abs(strength - change.before) < least - 1e-9:
                moved = weighting.with_strength(change.slider, float(strength))
                assert not is_surely_in(candidates, moved, position, top_k)


@settings(max_examples=12)  # each tries every slider at every point of the grid
@given(**cases)
def test_if_no_slider_suffices_no_point_of_a_grid_does(candidates, weighting, top_k, pick):
    position = pick % len(candidates)
    report = smallest_changes(candidates, weighting, position, top_k)
    moved_by = {change.slider for change in report.changes}
    if report.rank <= top_k:
        return
    for slider in STRENGTHS:
        if slider not in moved_by:
            for strength in GRID:
                assert not is_surely_in(candidates, weighting.with_strength(slider, float(strength)), position, top_k)


@given(**cases)
def test_a_change_is_shown_with_two_decimals_unless_the_gap_is_narrower(candidates, weighting, top_k, pick):
    report = smallest_changes(candidates, weighting, pick % len(candidates), top_k)
    for change in report.changes:
        if abs(change.after - round(change.after, 2)) > 1e-12:
            assert abs(change.after - change.limit) < 0.01


@given(candidates=pools, weighting=weightings, slider=st.sampled_from(STRENGTHS[:3]), strength=st.floats(0.001, 1))
def test_the_lines_are_the_scores(candidates: Candidates, weighting, slider, strength):
    weighting = weighting.with_strength("rerank", 0.0).with_strength(slider, strength)
    lines = lines_of(candidates, weighting, slider)
    final = final_scores(candidates, weighting)
    with np.errstate(divide="ignore"):
        expected = final if weighting.preset is Preset.BALANCED else np.log(final)
    assert lines.heights + strength * lines.slopes == pytest.approx(expected, abs=1e-9)
