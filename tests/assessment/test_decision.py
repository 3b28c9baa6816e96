from math import exp

import numpy as np
import pytest

from pathfinder.assessment.relevance import LogisticRule

TWO = LogisticRule(("near", "known"), (0.2, 0.5), (0.1, 0.25), (1.0, 2.0), -3.0)


def test_the_probability_is_the_logistic_of_the_weighed_predictors():
    # (0.4 - 0.2) / 0.1 = 2 and (1.0 - 0.5) / 0.25 = 2, so -3 + 1 * 2 + 2 * 2 = 3
    assert TWO.probability(np.array([0.4, 1.0])) == pytest.approx(1 / (1 + exp(-3)))


def test_no_single_predictor_decides_by_being_absurd():
    # (100 - 0.2) / 0.1 is clipped to 15, (-100 - 0.5) / 0.25 to -5: -3 + 15 - 10 = 2
    assert TWO.probability(np.array([100.0, -100.0])) == pytest.approx(1 / (1 + exp(-2)))


def test_centres_and_scales_are_medians_of_off_topic_questions():
    column = np.concatenate([np.full(7, 0.1), np.full(7, 0.2), np.full(7, 0.4)])
    rule = TWO.at(np.column_stack([column, np.full(21, 0.6)]), np.array([0.01, 0.04]))
    # The median is 0.2; the absolute deviations are 0.1, 0 and 0.2, and their median is 0.1.
    assert rule.centres == (0.2, 0.6)
    assert rule.scales == pytest.approx((1.4826 * 0.1, 0.04), abs=1e-4)
    assert (rule.weights, rule.intercept) == (TWO.weights, TWO.intercept)


def test_too_few_examples_move_nothing():
    few = np.zeros((19, 2))
    assert TWO.at(few, np.array([0.1, 0.1])) is TWO
    assert TWO.fit_to(few, np.zeros((60, 2))) is TWO
    assert TWO.fit_to(np.zeros((60, 2)), few) is TWO


def test_a_fit_tells_apart_what_can_be_told_apart():
    rng = np.random.default_rng(0)
    on, off = rng.normal((0.6, 0.5), 0.1, (100, 2)), rng.normal((0.2, 0.5), 0.1, (60, 2))
    rule = LogisticRule(("near", "known"), (0.2, 0.5), (0.1, 0.1), (0.0, 0.0), 0.0).fit_to(on, off)
    assert rule.weights[0] > 5 * abs(rule.weights[1])
    assert np.mean([rule.probability(row) > 0.5 for row in on]) > 0.95
    assert np.mean([rule.probability(row) < 0.5 for row in off]) > 0.95


def test_a_strong_pull_keeps_the_prior():
    rng = np.random.default_rng(0)
    on, off = rng.normal(0.6, 0.1, (100, 2)), rng.normal(0.2, 0.1, (60, 2))
    near, far = TWO.fit_to(on, off, pull=1e6), TWO.fit_to(on, off, pull=0.01)
    assert near.weights == pytest.approx(TWO.weights, abs=1e-3)
    assert far.weights != pytest.approx(TWO.weights, abs=1e-1)


def test_how_many_titles_there_are_does_not_tilt_the_fit():
    rng = np.random.default_rng(0)
    on, off = rng.normal(0.6, 0.1, (30, 2)), rng.normal(0.2, 0.1, (60, 2))
    once, thrice = TWO.fit_to(on, off), TWO.fit_to(np.tile(on, (3, 1)), off)
    assert (*once.weights, once.intercept) == pytest.approx((*thrice.weights, thrice.intercept), abs=1e-3)


@pytest.mark.parametrize("field", ["centres", "scales", "weights"])
def test_a_number_too_few_is_refused(field):
    values = {"centres": (0.0,), "scales": (1.0,), "weights": (1.0,)} | {field: ()}
    with pytest.raises(ValueError, match=f"{field} must have one number"):
        LogisticRule(("near",), values["centres"], values["scales"], values["weights"], 0.0)


def test_a_scale_of_zero_is_refused():
    with pytest.raises(ValueError, match="scales must be above 0"):
        LogisticRule(("near",), (0.0,), (0.0,), (1.0,), 0.0)
