import math
import re

import pytest

from pathfinder.retrieval.explanation.waterfall import Waterfall, WaterfallStep, bar_parts, describe_parts
from pathfinder.types import Preset, Score, Weighting
from pathfinder.ui.papers.waterfall import gradient, waterfall_html

MINUS_INFINITY = -math.inf


def bars(html: str) -> list[tuple[float, float]]:
    """From where, and how wide, in percent."""
    found = re.findall(r"min\(([0-9.]+)%, 100% - 2px\) max\(([0-9.]+)%", html)
    return [(float(left), round(float(right) - float(left), 2)) for left, right in found]


def amounts(html: str) -> list[str]:
    return re.findall(r"</span><span>(?:<b>)?([^<]+)<", html)


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


LEAST, MOST = math.log(0.05), math.log(1.05)


def widths(bar: str) -> list[float]:
    """Of each part, in percent of the whole bar; the last stop is what is left of it."""
    stops = re.findall(r"([0-9.]+)% ([0-9.]+)%", bar)[:-1]
    return [round(float(end) - float(start), 2) for start, end in stops]


def test_the_best_match_fills_the_bar_and_a_miss_leaves_it_empty():
    assert widths(gradient(bar_parts(Score(final=MOST, fused=1.0), Weighting()))) == [100.0]
    assert widths(gradient(bar_parts(Score(final=LEAST, fused=0.0), Weighting()))) == [0.0]


def test_a_part_reaches_as_far_as_it_lifts_the_paper_above_the_worst():
    # log(0.05 + 0.45) lies (log 0.5 - log 0.05) / (log 1.05 - log 0.05) = 2.303 / 3.045 = 75.63% of the way up.
    (width,) = widths(gradient(bar_parts(Score(final=math.log(0.5), fused=0.45), Weighting())))
    assert width == pytest.approx(75.63, abs=0.01)


def test_parts_share_the_bar_by_their_strengths():
    # Strengths 1 (match), 1 (keywords) and 0.5 (time): 40%, 40% and 20% of the bar, each filled by its own share.
    score = Score(final=MOST + LEAST + 0.5 * math.log(0.5), fused=1.0, keyword=0.0, recency=0.45)
    assert widths(gradient(bar_parts(score, Weighting(keywords=1, recency=0.5)))) == pytest.approx(
        [40.0, 0.0, 0.7563 * 20], abs=0.01
    )


def test_the_words_name_each_part_with_its_weight():
    score = Score(math.log(0.85) + math.log(0.65), dense=0.5, sparse=3.21, fused=0.8, recency=0.6)
    assert describe_parts(score, Weighting(recency=1)) == "match 0.80 · recency 0.60"


def test_no_logarithm_and_no_sign_stands_on_a_card():
    score = Score(LEAST, fused=0.0, recency=0.01)
    assert not re.search(r"[+=×−-]", describe_parts(score, Weighting(recency=1)))


def test_as_published_the_match_is_the_cosine():
    weighting = Weighting(recency=1, citations=1, preset=Preset.PAPER)
    args = Score(0.5 * 0.8 * 0.9, dense=0.5, fused=1.0, recency=0.8, citation=0.9), weighting
    bar = gradient(bar_parts(*args))
    assert describe_parts(*args) == "match 0.50 · recency 0.80 · citations 0.90"
    assert len(widths(bar)) == 3


def test_a_product_of_nothing_is_an_empty_bar():
    args = Score(0.0, dense=0.0, fused=0.3), Weighting(preset=Preset.PAPER)
    bar = gradient(bar_parts(*args))
    assert widths(bar) == [0.0]
    assert describe_parts(*args) == "match 0.00"


def test_every_factor_has_a_colour_and_a_word_of_its_own():
    score = Score(0.0, None, None, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5)
    args = score, Weighting(1, 1, 1, title=1, position=1, coverage=1, diversity=1)
    bar = gradient(bar_parts(*args))
    colours = re.findall(r"(#\w+) ", bar)
    assert len(colours) == len(set(colours)) == 9
    assert [part.rpartition(" ")[0] for part in describe_parts(*args).split(" · ")] == [
        *("match", "keywords", "recency", "citations", "title match", "early match", "word coverage"),
        *("single-passage match", "reranker"),
    ]


def test_a_rerank_at_strength_0_is_not_spoken_of():
    args = Score(MOST, fused=1.0, rerank=0.4), Weighting(rerank=0)
    bar = gradient(bar_parts(*args))
    assert widths(bar) == [100.0]
    assert "rerank" not in describe_parts(*args)


def test_as_published_a_paper_that_the_reranker_put_there_shows_that_alone():
    args = Score(1.7, dense=0.5, fused=0.9, recency=0.2, rerank=0.7), Weighting(recency=1, preset=Preset.PAPER)
    bar = gradient(bar_parts(*args))
    assert describe_parts(*args) == "reranker 0.70: its order stands"
    assert widths(bar) == [70.0]


def test_in_the_sum_the_best_rerank_fills_its_part():
    args = Score(2 * MOST, fused=1.0, rerank=1.0), Weighting()
    bar = gradient(bar_parts(*args))
    assert widths(bar) == [50.0, 50.0]
    assert describe_parts(*args) == "match 1.00 · reranker 1.00"
