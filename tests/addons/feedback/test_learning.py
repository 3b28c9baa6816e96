"""Weights learned from readers' judgements."""

import datetime
import math
import random
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import ndcg_score

from pathfinder.addons.feedback.judgements import Judgement, ListedPaper, Remark, Target, Thumb
from pathfinder.addons.feedback.learning import preferences, same_question, suggest, summarise
from pathfinder.types import CorpusName, Preset, Weighting
from tests.feedback_made import JUDGED

DAY = datetime.date(2026, 11, 23)
STARS = CorpusName("stars", "0123456789ab", 3)


def paper(name: str, match: float, **factors: float) -> ListedPaper:
    return ListedPaper(name, (("match", match), *factors.items()))


def judgement_of(papers, paper_id, thumb=Thumb.UP, search_id="s", remark=None) -> Judgement:
    return Judgement(
        f"{search_id}-{paper_id}", DAY, STARS, search_id, Target.PAPER, thumb, papers, (), "balanced", (),
        paper_id=paper_id, remark=remark,
    )  # fmt: skip


LIST = (paper("a", 1.0), paper("b", 0.8), paper("c", 0.6), paper("d", 0.4))


def pairs(*judgements: Judgement) -> list[tuple[float, float]]:
    """The pairs, each paper named by its match."""
    return [(pair.preferred_factors["match"], pair.other_factors["match"]) for pair in preferences(judgements)]


def test_a_liked_paper_is_preferred_to_all_that_are_not():
    assert pairs(judgement_of(LIST, "c")) == [(0.6, 1.0), (0.6, 0.8), (0.6, 0.4)]
    assert pairs(judgement_of(LIST, "c"), judgement_of(LIST, "a")) == [(1.0, 0.8), (1.0, 0.4), (0.6, 0.8), (0.6, 0.4)]


def test_all_others_are_preferred_to_a_disliked_paper_unless_it_should_be_higher():
    disliked = judgement_of(LIST, "b", Thumb.DOWN)
    assert pairs(disliked) == [(1.0, 0.8), (0.6, 0.8), (0.4, 0.8)]
    assert pairs(judgement_of(LIST, "a"), judgement_of(LIST, "d", Thumb.DOWN)).count((1.0, 0.4)) == 1
    assert pairs(replace(disliked, remark=Remark.SHOULD_BE_HIGHER)) == pairs(judgement_of(LIST, "b"))


def test_the_last_judgement_of_a_paper_counts_and_those_of_answers_say_nothing_about_the_order():
    disliked = judgement_of(LIST, "b", Thumb.DOWN)
    assert pairs(judgement_of(LIST, "b"), disliked) == pairs(disliked)
    assert pairs(Judgement("x", DAY, STARS, "s", Target.ANSWER, Thumb.UP, LIST, (), "balanced", ())) == []


def searches(n, likes, seed=5):
    """Make `n` lists of six papers, best match first, of which a reader likes one: `likes(papers, luck)`."""
    luck = random.Random(seed)
    for i in range(n):
        papers = tuple(
            paper(f"{i}-p{k}", 1 - 0.05 * k, recency=round(luck.random(), 3), citations=round(luck.random(), 3))
            for k in range(6)
        )
        yield judgement_of(papers, likes(papers, luck).paper_id, search_id=f"s{i}")


def newest(papers, _):
    return max(papers, key=lambda each: dict(each.factors)["recency"])


def anyone(papers, luck):
    return luck.choice(papers)


def test_searches_with_the_same_papers_count_as_one_question():
    asked_again = [judgement_of(LIST[:3], "b", search_id=f"again-{i}") for i in range(20)]  # 3 of 3 papers are shared
    another = judgement_of((*LIST[2:], paper("e", 0.3), paper("f", 0.2)), "e", search_id="another")  # 2 of 4 are
    assert same_question([judgement_of(LIST, "a", search_id="first"), *asked_again, another]) == {
        "first": "first",
        **{f"again-{i}": "first" for i in range(20)},
        "another": "another",
    }
    suggestion = suggest([judgement_of(LIST, "a", search_id="first"), *asked_again, another], Weighting())
    assert suggestion.n_searches == 2
    assert suggestion.gain is None  # 22 searches, but only two questions to learn from


def test_a_search_that_is_like_two_others_makes_one_question_of_them():
    first, second = judgement_of(LIST[:2], "a", search_id="1"), judgement_of(LIST[2:], "c", search_id="2")
    both = judgement_of(LIST, "a", search_id="3")
    assert same_question([first, second, both]) == {"1": "1", "2": "1", "3": "1"}


def test_readers_who_prefer_recent_papers_get_a_weight_for_recency_and_none_for_citations():
    suggestion = suggest([*searches(40, newest)], Weighting())
    assert suggestion.weighting.recency > 0.2
    assert suggestion.weighting.citations < 0.1
    assert suggestion.weighting.preset is Preset.BALANCED
    assert suggestion.is_supported
    assert suggestion.agreement_after > suggestion.agreement_before


def test_random_judgements_suggest_nothing():
    are_supported = [suggest([*searches(30, anyone, seed)], Weighting()).is_supported for seed in range(20)]
    assert sum(are_supported) <= 1


def test_from_a_few_searches_nothing_is_suggested_and_without_any_the_weights_stay():
    few = suggest([*searches(9, newest)], Weighting())
    assert not few.is_supported
    assert "weights are learned from 10 or more searches" in few.reason
    none = suggest([], Weighting(recency=0.5))
    assert (none.weighting.recency, none.n_pairs, none.agreement_before) == (0.5, 0, None)


def test_the_agreement_is_the_share_of_pairs_in_the_readers_order():
    # Match alone puts "c" last; with recency 1, log(1.05 / 0.05) = 3.04 lifts it above both.
    papers = (paper("a", 1.0, recency=0.0), paper("b", 0.8, recency=0.0), paper("c", 0.6, recency=1.0))
    assert suggest([judgement_of(papers, "c")], Weighting()).agreement_before == 0.0
    assert suggest([judgement_of(papers, "c")], Weighting(recency=1.0)).agreement_before == 1.0
    assert math.log(1.05 / 0.05) == pytest.approx(3.04, abs=0.01)


# Judgements counted, and thumbs compared with scores.


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


# Weights from random feedback do no harm to searches that nobody judged, and those from honest feedback help.


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
