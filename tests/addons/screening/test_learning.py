"""The order of a screening is learned from what is in and out."""

import numpy as np
import pytest

from pathfinder.addons.screening.pool import (
    Strategy,
    control_order,
    fit,
    is_control_turn,
    make_pool,
    reading_order,
    weighing_words,
)
from pathfinder.addons.screening.simulation import (
    active_order,
    random_measures,
    simulate_stop,
    time_to_discovery,
    work_saved,
)
from pathfinder.addons.screening.stopping import Promise, control_sample, estimate_recall, may_stop, papers_to_go
from pathfinder.errors import UsageError
from tests.addons.screening.pools import DUST, N_DUST, N, dust_pool

EVERY_ROW = np.arange(N)


def test_before_a_paper_is_in_and_another_out_the_questions_ranking_leads():
    ranking = EVERY_ROW[::-1].copy()
    assert reading_order(dust_pool(ranking), None, EVERY_ROW[:5], n_in=0).tolist() == [4, 3, 2, 1, 0]


def test_a_model_of_two_decisions_tells_the_papers_like_the_first_from_those_like_the_second():
    fitted = fit(dust_pool(), np.array([4]), np.array([0]))
    assert fitted.scores[DUST].min() > fitted.scores[~DUST].max()


def test_the_questions_ranking_decides_between_papers_that_the_model_cannot_tell_apart():
    pool = dust_pool()
    nothing_learned = fit(pool, EVERY_ROW, np.array([], dtype=np.int64))  # all in, none out: every score is 0
    assert reading_order(pool, nothing_learned, np.array([7, 3, 5]), n_in=N).tolist() == [3, 5, 7]


def test_the_words_that_weigh_are_those_of_the_decisions():
    pool = dust_pool()
    words = weighing_words(pool, fit(pool, np.array([4, 9]), np.array([0, 1])), n=2)
    assert {word.word for word in words[:2]} == {"dust", "grains"}
    assert {word.word for word in words[2:]} == {"gas", "hot"}
    assert all(word.weight > 0 for word in words[:2])
    assert all(word.weight < 0 for word in words[2:])


def test_uncertainty_reads_the_paper_nearest_to_even_odds_first():
    pool = dust_pool()
    fitted = fit(pool, np.array([4]), np.array([0]))
    first = reading_order(pool, fitted, EVERY_ROW, 1, Strategy.UNCERTAINTY)[0]
    assert abs(fitted.scores[first]) == np.abs(fitted.scores).min()


def test_the_same_seed_gives_the_same_model_and_the_same_control_sample():
    pool = dust_pool()
    once, twice = (fit(pool, np.array([4]), np.array([0]), seed=3) for _ in range(2))
    assert once.scores.tolist() == twice.scores.tolist()
    assert control_order(N, 3).tolist() == control_order(N, 3).tolist() != control_order(N, 4).tolist()
    assert sorted(control_order(N, 3)) == EVERY_ROW.tolist()


def test_each_fifth_paper_is_a_control():
    assert [n for n in range(12) if is_control_turn(n, 5)] == [4, 9]
    assert not any(is_control_turn(n, 0) for n in range(12))


def test_a_pool_of_papers_without_words_is_ordered_by_vectors():
    vectors = np.eye(4, dtype=np.float32)
    pool = make_pool("abcd", ["", "", "", ""], vectors, "", vectors[3], np.arange(4))
    assert pool.vocabulary == ()
    assert fit(pool, np.array([0]), np.array([1])).scores.argmin() == 1


def test_a_ranking_that_leaves_a_paper_out_is_refused():
    with pytest.raises(UsageError, match="each of its 60 papers once"):
        dust_pool(np.zeros(N, dtype=np.int64))


def test_a_single_paper_is_no_screening():
    with pytest.raises(UsageError, match="at least 2 papers, got 1"):
        make_pool(["a"], ["x"], np.ones((1, 1), dtype=np.float32), "x", np.ones(1, dtype=np.float32), np.arange(1))


# Simulated screenings and the measures of their order.


def test_work_saved_is_what_remains_unread_less_a_twentieth():
    relevant = np.array([False, True, True, False, False, False, False, False, False, False])
    # 95% of two papers are both of them, the last at place 3 of 10: 0.95 - 3/10. Their mean place is (2 + 3) / 2.
    assert work_saved(np.arange(10), relevant) == pytest.approx(0.65)
    assert time_to_discovery(np.arange(10), relevant) == 2.5


def test_one_of_twenty_relevant_papers_may_be_missed():
    relevant = np.ones(20, dtype=bool)
    assert work_saved(np.arange(20), relevant) == pytest.approx(0.95 - 19 / 20)


def test_a_random_order_saves_no_work():
    # 20 of 100: the 19th is expected at 19 * 101 / 21 = 91.4.
    assert random_measures(100, 20) == (pytest.approx(0.95 - 0.9138, abs=1e-4), 50.5)


def test_active_learning_reads_every_paper_once_and_the_relevant_ones_early():
    pool = dust_pool()
    order = active_order(pool, DUST)
    assert sorted(order) == list(range(N))
    # The ranking finds the 12th, needed for 95% of 12, at place 60; learning needs a paper in (the fifth) first.
    assert work_saved(pool.ranking, DUST) == pytest.approx(0.95 - 1)
    assert work_saved(order, DUST) > 0.95 - (5 + N_DUST) / N


def test_the_stop_rule_ends_a_simulated_screening_before_the_last_paper():
    stop = simulate_stop(dust_pool(), DUST, Promise(0.8, 0.9), control_every=10, seed=1, check_every=1)
    assert stop.recall == 1
    assert 17 / N < stop.work < 1


# The stopping rule, with its sums in the open.


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
    control = control_sample([False] * 10, 100)
    assert (control.n, control.n_in, control.relevant_at_least) == (10, 0, 0)
    assert control.relevant_at_most == pytest.approx(100 * (1 - 0.025**0.1))
    assert control_sample([], 100).relevant_at_most == 100


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
