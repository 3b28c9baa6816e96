"""Simulated screenings and the measures of their order."""

import numpy as np
import pytest

from pathfinder.addons.screening.simulation import (
    active_order,
    random_measures,
    simulate_stop,
    time_to_discovery,
    work_saved,
)
from pathfinder.addons.screening.stopping import Promise
from tests.addons.screening.pools import DUST, N_DUST, N, dust_pool


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
