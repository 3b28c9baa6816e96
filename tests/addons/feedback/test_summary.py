"""Judgements counted, and thumbs compared with scores."""

from dataclasses import replace

import pytest

from pathfinder.addons.feedback.command import summarise
from pathfinder.addons.feedback.judgements import Judgement, ListedPaper, Remark, Target, Thumb
from tests.feedback_made import JUDGED


def judged_at(n: int, match: float, thumb: Thumb, recency: float = 0.25) -> Judgement:
    papers = (ListedPaper(f"p{n}", (("match", match), ("recency", recency))),)
    return replace(JUDGED, code=str(n), listed=papers, paper_id=f"p{n}", thumb=thumb)


def test_judgements_are_counted_by_kind_thumb_and_reason() -> None:
    answer = replace(JUDGED, target=Target.ANSWER, paper_id=None, thumb=Thumb.DOWN, remark=Remark.WRONG)
    summary = summarise((JUDGED, JUDGED, answer))
    assert summary.thumbs == {"answer down": 1, "paper up": 2}
    assert summary.remarks == {"should be higher": 2, "wrong": 1}
    assert summary.correlation is None


def test_liked_papers_with_higher_scores_give_a_positive_correlation() -> None:
    judgements = [judged_at(n, 0.1 * n, Thumb.UP if n > 5 else Thumb.DOWN) for n in range(1, 11)]
    correlation = summarise(judgements).correlation
    assert correlation is not None
    # Ranks 1 to 10 against 3 five times and 8 five times: covariance 6.25 over sqrt(8.25 * 6.25).
    assert correlation.rho == pytest.approx(6.25 / (8.25 * 6.25) ** 0.5)
    assert correlation.n == 10
    assert correlation.p < 0.01


def test_the_strengths_of_the_list_count() -> None:
    # ln 1.05 + 0.5 ln 0.05 = -1.45 for those disliked, ln 0.55 + 0.5 ln 1.05 = -0.57 for the others.
    judgements = [judged_at(n, 1.0, Thumb.DOWN, 0.0) if n < 5 else judged_at(n, 0.5, Thumb.UP, 1.0) for n in range(10)]
    correlation = summarise(judgements).correlation
    assert correlation is not None
    assert correlation.rho == pytest.approx(1.0)


def test_thumbs_that_are_all_alike_have_no_correlation() -> None:
    assert summarise([judged_at(n, 0.05 * n, Thumb.UP) for n in range(12)]).correlation is None
