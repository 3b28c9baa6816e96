"""Judgements counted, and thumbs compared with scores."""

from dataclasses import replace

import pytest

from pathfinder.addons.feedback.judgements import Judgement, ListedPaper, Remark, Target, Thumb
from pathfinder.addons.feedback.learning import summarise
from tests.feedback_made import JUDGED


def judgement_of(n: int, match: float, thumb: Thumb) -> Judgement:
    paper_id = f"p{n}"
    papers = (ListedPaper(paper_id, (("match", match), ("recency", 0.25))),)
    return replace(JUDGED, code=str(n), listed=papers, paper_id=paper_id, thumb=thumb)


def test_judgements_are_counted_by_kind_thumb_and_reason() -> None:
    answer = replace(JUDGED, target=Target.ANSWER, paper_id=None, thumb=Thumb.DOWN, remark=Remark.WRONG)
    summary = summarise((JUDGED, JUDGED, answer))
    assert summary.thumbs == {"answer down": 1, "paper up": 2}
    assert summary.remarks == {"should be higher": 2, "wrong": 1}
    assert summary.correlation is None


def test_liked_papers_with_higher_scores_give_a_positive_correlation() -> None:
    judgements = [judgement_of(n, 0.1 * n, Thumb.UP if n > 5 else Thumb.DOWN) for n in range(1, 11)]
    correlation = summarise(judgements).correlation
    assert correlation is not None
    # Ranks 1 to 10 against 3 five times and 8 five times: covariance 6.25 over sqrt(8.25 * 6.25).
    assert correlation.rho == pytest.approx(6.25 / (8.25 * 6.25) ** 0.5)
    assert correlation.n == 10
    assert correlation.p < 0.01


def test_the_strengths_of_the_list_count() -> None:
    low = (ListedPaper("a", (("match", 1.0), ("recency", 0.0))),)
    high = (ListedPaper("a", (("match", 0.5), ("recency", 1.0))),)
    judgements = [
        replace(JUDGED, code=str(n), listed=low if n < 5 else high, thumb=Thumb.DOWN if n < 5 else Thumb.UP)
        for n in range(10)
    ]
    # ln 1.05 + 0.5 ln 0.05 = -1.45 for those disliked, ln 0.55 + 0.5 ln 1.05 = -0.57 for the others.
    correlation = summarise(judgements).correlation
    assert correlation is not None
    assert correlation.rho == pytest.approx(1.0)


def test_thumbs_that_are_all_alike_have_no_correlation() -> None:
    assert summarise([judgement_of(n, 0.05 * n, Thumb.UP) for n in range(12)]).correlation is None
