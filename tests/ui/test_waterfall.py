import math
import re

import pytest

from pathfinder.retrieval.explanation.waterfall import Waterfall, WaterfallStep
from pathfinder.ui.papers.waterfall import waterfall_html

MINUS_INFINITY = -math.inf


def bars(html: str) -> list[tuple[float, float]]:
    """From where, and how wide, in percent."""
    return [(float(left), float(width)) for left, width in re.findall(r"left:([0-9.]+)%;width:max\(([0-9.]+)%", html)]


def amounts(html: str) -> list[str]:
    return re.findall(r"nowrap\">(?:<b>)?([^<]+)<", html)


def fall(*amounts: float, is_logarithm: bool = False) -> Waterfall:
    steps, total = [], 0.0
    for factor, amount in zip(("match", "recency", "rerank"), amounts, strict=False):
        total += amount
        steps.append(WaterfallStep(factor, amount, total, f"{factor} in words"))
    return Waterfall(tuple(steps), is_logarithm)


def test_each_bar_begins_where_the_one_before_it_ended() -> None:
    html = waterfall_html(fall(-1.0, -2.0, 1.0))
    # From -3 to 0: the match from 0 to -1, time from -1 to -3, the rerank back to -2, and the score from 0 to -2.
    assert bars(html) == [(66.67, 33.33), (0.0, 66.67), (0.0, 33.33), (33.33, 66.67)]
    assert amounts(html) == ["-1.000", "-2.000", "+1.000", "-2.000"]
    assert "rerank in words" in html


def test_a_product_of_nothing_reaches_to_the_edge() -> None:
    html = waterfall_html(fall(-0.5, MINUS_INFINITY, is_logarithm=True))
    assert amounts(html) == ["-0.500", "−∞", "−∞"]
    assert bars(html)[1] == (0.0, 0.0)
    assert "logarithm of the score" in html


@pytest.mark.parametrize("amount", [0.0, 0.05, -2.0])
def test_one_step_is_drawn_whole(amount: float) -> None:
    html = waterfall_html(fall(amount))
    assert len(bars(html)) == 2
    assert all(0 <= left <= 100 and left + width <= 100.01 for left, width in bars(html))
