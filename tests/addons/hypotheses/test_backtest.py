"""The backtest that ships with Pathfinder, as it is shown."""

from pathfinder.addons.hypotheses.hypothesis import BacktestShare, BacktestYear, HypothesisBacktest
from pathfinder.addons.hypotheses.writing import PRODUCT, backtest, backtest_rows, share_of

SHARES = (BacktestShare(PRODUCT, 100, 21, 0.1, 0.3), BacktestShare("most frequent pairs", 100, 9, 0.02, 0.2))
BACKTEST = HypothesisBacktest("1,000 titles", 10, (BacktestYear(1990, 500, 4000, 0.0123, SHARES),))


def test_every_ranking_has_a_row_and_random_pairs_have_theirs() -> None:
    assert backtest_rows(BACKTEST) == [
        {"titles until": 1990, "ranking": PRODUCT, "first 100": "21% (10%–30%)"},
        {"titles until": 1990, "ranking": "most frequent pairs", "first 100": "9% (2%–20%)"},
        {"titles until": 1990, "ranking": "random pairs", "first 100": "1.2%"},
    ]


def test_what_ships_has_intervals_around_its_shares() -> None:
    own_backtest = backtest()
    assert [year.year for year in own_backtest.years] == [1995, 2000, 2005]
    for year in own_backtest.years:
        own = share_of(year, PRODUCT, 100)
        assert own.low <= own.n_true / own.n <= own.high
