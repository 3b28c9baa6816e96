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
from pathfinder.errors import UsageError
from tests.addons.screening.pools import DUST, N, dust_pool

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
