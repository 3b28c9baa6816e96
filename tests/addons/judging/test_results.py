"""Win rates and agreement."""

import pytest

from pathfinder.addons.judging.results import krippendorff_alpha, study_result
from pathfinder.addons.judging.study import Criterion, Pick, Vote
from tests.addons.judging.test_blind import DAY, STUDY

PUBLISHED = (
    (1, 1, None, 1), (2, 2, 3, 2), (3, 3, 3, 3), (3, 3, 3, 3), (2, 2, 2, 2), (1, 2, 3, 4),
    (4, 4, 4, 4), (1, 1, 2, 1), (2, 2, 2, 2), (None, 5, 5, 5), (None, None, 1, 1), (None, 3, None, None),
)  # fmt: skip
"""Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", section C: twelve units, four readers."""
BINARY = zip((0, 1, 0, 0, 0, 0, 0, 0, 1, 0), (1, 1, 1, 0, 0, 1, 0, 0, 0, 0), strict=True)
"""Section A of it: ten units, two readers."""


def test_alpha_is_that_of_the_published_examples():
    units = [[value - 1 for value in unit if value is not None] for unit in PUBLISHED]
    assert krippendorff_alpha(units) == pytest.approx(0.815, abs=5e-4)
    assert krippendorff_alpha(list(BINARY)) == pytest.approx(0.095, abs=5e-4)


def test_alpha_is_1_where_all_agree_and_unknown_where_nobody_could_differ():
    assert krippendorff_alpha([[0, 0], [2, 2]]) == 1.0
    assert krippendorff_alpha([[0], [2]]) is None
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None
    assert krippendorff_alpha([]) is None


def votes(**picks):
    """Votes by reader: a letter for each pair, f for first, s for second, = for the same."""
    of = {"f": Pick.FIRST, "s": Pick.SECOND, "=": Pick.SAME}
    return [
        Vote(reader, pair, DAY, False, tuple((each, of[letter]) for each in Criterion))
        for reader, letters in picks.items()
        for pair, letter in enumerate(letters)
    ]


def test_pairs_are_won_by_the_side_that_more_readers_pick():
    result = study_result(STUDY, votes(ann="sssf=", bob="ss=s=", cyd="s"))
    overall = result.criteria[-1]
    assert (result.n_votes, result.n_readers, result.n_judged, result.n_pairs) == (11, 3, 5, 40)
    assert (overall.won_by_first, overall.won_by_second, overall.ties) == (0, 3, 2)
    assert overall.votes == {"first": 1, "same": 3, "second": 7}
    assert overall.win_rate == 1.0


def test_the_interval_of_a_win_rate_is_wilsons():
    overall = study_result(STUDY, votes(ann="s" * 8 + "f" * 2)).criteria[-1]
    assert overall.win_rate == 0.8
    assert (overall.interval.low, overall.interval.high) == pytest.approx((0.490, 0.943), abs=1e-3)
    assert overall.p == pytest.approx(112 / 1024)  # 2 x (1 + 10 + 45) / 2^10
    assert overall.alpha is None


def test_without_votes_nothing_is_claimed():
    overall = study_result(STUDY, []).criteria[-1]
    assert (overall.win_rate, overall.interval, overall.p, overall.alpha) == (None, None, None, None)
