"""The stopping rule, with its sums in the open."""

import pytest

from pathfinder.addons.screening.stopping import Promise, control_sample, estimate_recall, may_stop, papers_to_go
from pathfinder.errors import UsageError


def test_nothing_found_after_the_only_relevant_paper_is_a_hypergeometric_test():
    # Paper 1 of 21 is relevant. Were another unread, 18 of the other 20 would miss it with probability 2/20 = 0.1, and
    # 19 with 1/20 = 0.05; the whole tail, from the first paper on, is no less probable.
    promise = Promise(recall=0.95, confidence=0.93, odds=1)
    assert not may_stop([True] + [False] * 18, 21, promise)
    assert may_stop([True] + [False] * 19, 21, promise)


def test_a_lower_promise_needs_less_work():
    # With 3 of 30 found, a recall of 0.6 fails with 6 relevant papers, thus 3 unread among 27. Reading 15 of these 27
    # misses all with probability (12*11*10) / (27*26*25) = 0.075; 16: (11*10*9) / (27*26*25) = 0.056; 17: 0.041.
    promise = Promise(recall=0.6, confidence=0.95, odds=1)
    decisions = [True] * 3
    assert not may_stop([*decisions, *[False] * 16], 30, promise)
    assert may_stop([*decisions, *[False] * 17], 30, promise)


def test_the_interval_ends_at_the_last_number_that_is_not_ruled_out():
    # One of 21 found, 10 of the other 20 read: m unread papers are missed with C(20 - m, 10) / C(20, 10):
    # m = 1: 0.5, m = 2: 0.237, m = 3: 0.105, m = 4: 0.043.
    estimate = estimate_recall([True] + [False] * 10, 21, Promise(odds=1))
    assert (estimate.n_missed, estimate.n_missed_at_most, estimate.n_unread) == (1, 3, 10)
    assert (estimate.recall, estimate.recall_at_least) == (1 / 2, 1 / 4)


def test_without_a_relevant_paper_there_is_no_recall():
    estimate = estimate_recall([False] * 5, 10)
    assert (estimate.recall, estimate.recall_at_least) == (None, None)
    assert not may_stop([False] * 5, 10)


def test_a_screening_that_has_read_everything_stops_at_full_recall():
    estimate = estimate_recall([False, True, False], 3)
    assert (estimate.recall, estimate.recall_at_least) == (1, 1)
    assert may_stop([False] * 3, 3)


@pytest.mark.parametrize("promise", [{"recall": 1.0}, {"recall": 0}, {"confidence": 1.5}])
def test_a_promise_that_nobody_can_keep_is_refused(promise):
    with pytest.raises(UsageError, match="above 0 and below 1"):
        Promise(**promise)


def test_the_control_sample_bounds_the_share_of_relevant_papers():
    # None of 10: a share p goes unseen with (1 - p)^10, which is 0.025 at p = 1 - 0.025^0.1 = 0.3085.
    control = control_sample([False] * 10)
    assert (control.n, control.n_in, control.share_low) == (10, 0, 0)
    assert control.share_high == pytest.approx(1 - 0.025**0.1)
    assert control_sample([]).share_high == 1


def test_odds_above_one_say_that_a_relevant_paper_would_have_been_read_sooner():
    # One of 21 found, then n of the 19 irrelevant papers among the other 20, one relevant paper unread. It would have
    # escaped with (1 - n/19)^2. 14: (5/19)^2 = 0.069, 15: (4/19)^2 = 0.044.
    promise = Promise(odds=2)
    assert not may_stop([True] + [False] * 14, 21, promise)
    assert may_stop([True] + [False] * 15, 21, promise)
    assert papers_to_go([True] + [False] * 10, 21, promise) == 5
    assert papers_to_go([True] + [False] * 15, 21, promise) == 0


def test_odds_below_chance_are_refused():
    with pytest.raises(UsageError, match="odds that a relevant paper is read next must be at least 1"):
        Promise(odds=0.5)
