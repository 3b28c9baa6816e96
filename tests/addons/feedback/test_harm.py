"""Weights from random feedback do no harm to searches that nobody judged, and those from honest feedback help."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from pathfinder.addons.feedback.judgements import ListedPaper, Thumb
from pathfinder.addons.feedback.learning import suggest
from pathfinder.types import Weighting
from tests.feedback_made import JUDGED

N_SEARCHES, N_PAPERS, N_RUNS = 100, 8, 10

Likes = Callable[[np.random.Generator, bool], bool]


def lists(luck: np.random.Generator) -> np.ndarray:
    """Match and recency of the papers of every list; a paper is relevant if their sum is above 1."""
    return luck.random((N_SEARCHES, N_PAPERS, 2)).round(3)


def relevant(papers: np.ndarray) -> np.ndarray:
    return papers.sum(axis=-1) > 1


def mean_ndcg(papers: np.ndarray, weighting: Weighting) -> float:
    scores = np.log(0.05 + papers) @ np.array([1.0, weighting.recency])
    return float(ndcg_score(relevant(papers), scores))


def gain(seed: int, likes: Likes) -> float:
    """The gain in nDCG on lists that no reader saw, of the weights that are suggested; 0 if none are."""
    luck = np.random.default_rng(seed)
    judgements = []
    for search, papers in enumerate(lists(luck)):
        ranking = tuple(
            ListedPaper(f"{search}-{i}", (("match", m), ("recency", r))) for i, (m, r) in enumerate(papers.tolist())
        )
        for i in luck.choice(N_PAPERS, 2, replace=False).tolist():
            thumb = Thumb.UP if likes(luck, bool(relevant(papers)[i])) else Thumb.DOWN
            paper_id = ranking[i].paper_id
            judgements.append(
                replace(JUDGED, search_id=str(search), listed=ranking, paper_id=paper_id, thumb=thumb, remark=None)
            )
    suggestion = suggest(judgements, Weighting())
    new_lists = lists(luck)
    if not suggestion.is_supported:
        return 0.0
    return mean_ndcg(new_lists, suggestion.weighting) - mean_ndcg(new_lists, Weighting())


@pytest.mark.parametrize("share_up", [0.5, 0.9, 0.1])
def test_random_feedback_does_no_harm(share_up: float) -> None:
    gains = [gain(seed, lambda luck, _: bool(luck.random() < share_up)) for seed in range(N_RUNS)]
    assert np.mean(gains) > -0.005
    assert min(gains) > -0.05


def test_feedback_that_is_right_helps_and_still_does_if_every_fourth_thumb_is_random() -> None:
    def noisy(luck: np.random.Generator, is_relevant: bool) -> bool:
        return bool(luck.random() < 0.5) if luck.random() < 0.25 else is_relevant

    right = [gain(seed, lambda _, is_relevant: is_relevant) for seed in range(5)]
    assert np.mean(right) > 0.03
    assert np.mean([gain(seed, noisy) for seed in range(5)]) > 0.01
