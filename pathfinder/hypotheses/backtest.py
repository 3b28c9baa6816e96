"""The backtest of hypotheses on titles: the results of `benchmarks/hypotheses.py`."""

from functools import cache
from importlib import resources

from pydantic import TypeAdapter

from pathfinder.hypotheses.find import join_with_and
from pathfinder.text.strict_json import parse_as
from pathfinder.types import BacktestShare, BacktestYear, HypothesisBacktest

PRODUCT, POPULARITY, ATTACHMENT = "hypotheses", "most frequent pairs", "preferential attachment"
"""Names of the rankings."""
N_TOLD = 100
"""Number of highest-ranked pairs for which the description says how many came true."""


@cache
def backtest() -> HypothesisBacktest:
    """Read the result that is shipped with Pathfinder."""
    text = resources.files(__package__).joinpath("backtest.json").read_text(encoding="utf-8")
    return parse_as(TypeAdapter(HypothesisBacktest), text)


def describe_backtest(backtest: HypothesisBacktest) -> str:
    """Say how many of the highest-ranked pairs came true, and how many of the most frequent pairs and of random pairs
    did.
    """
    years = join_with_and([str(year.year) for year in backtest.years])
    own, popular = (
        join_with_and([str(share_of(year, ranking, N_TOLD).n_true) for year in backtest.years])
        for ranking in (PRODUCT, POPULARITY)
    )
    random = join_with_and([f"{year.random * N_TOLD:.1f}" for year in backtest.years])
    return (
        f"In a backtest on {backtest.titles}, {own} of the {N_TOLD} pairs ranked highest on the basis of titles up to "
        f"{years} occurred together in a title in the following {backtest.years_ahead} years; of the {N_TOLD} most "
        f"frequent pairs, {popular} did; of {N_TOLD} random pairs, {random}."
    )


def share_of(year: BacktestYear, ranking: str, n: int) -> BacktestShare:
    """Return the share of a ranking's first `n` pairs that came true."""
    return next(share for share in year.shares if (share.ranking, share.n) == (ranking, n))


def backtest_rows(backtest: HypothesisBacktest) -> list[dict[str, str | int]]:
    """Return a row for each year and ranking, with the shares of pairs that came true."""
    rows: list[dict[str, str | int]] = []
    for year in backtest.years:
        for ranking in dict.fromkeys((PRODUCT, *(share.ranking for share in year.shares))):
            shares = [share for share in year.shares if share.ranking == ranking]
            cells = {f"first {each.n}": _with_interval(each) for each in shares}
            rows.append({"titles until": year.year, "ranking": ranking, **cells})
        random = {f"first {each.n}": f"{year.random:.1%}" for each in year.shares if each.ranking == PRODUCT}
        rows.append({"titles until": year.year, "ranking": "random pairs", **random})
    return rows


def _with_interval(share: BacktestShare) -> str:
    return f"{share.n_true / share.n:.0%} ({share.low:.0%}–{share.high:.0%})"
