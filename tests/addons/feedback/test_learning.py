"""Weights learned from readers' judgements."""

import datetime
import math
import random

import pytest

from pathfinder.addons.feedback.judgements import Judgement, ListedPaper, Remark, Target, Thumb
from pathfinder.addons.feedback.learning import preferences, same_question, suggest
from pathfinder.types import CorpusName, Preset, Weighting

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


def test_all_others_are_preferred_to_a_disliked_paper():
    assert pairs(judgement_of(LIST, "b", Thumb.DOWN)) == [(1.0, 0.8), (0.6, 0.8), (0.4, 0.8)]


def test_a_liked_and_a_disliked_paper_make_one_pair():
    both = pairs(judgement_of(LIST, "a"), judgement_of(LIST, "d", Thumb.DOWN))
    assert both.count((1.0, 0.4)) == 1


def test_a_paper_that_should_be_higher_is_liked_though_the_thumb_is_down():
    assert pairs(judgement_of(LIST, "b", Thumb.DOWN, remark=Remark.SHOULD_BE_HIGHER)) == pairs(judgement_of(LIST, "b"))


def test_the_last_judgement_of_a_paper_counts():
    assert pairs(judgement_of(LIST, "b"), judgement_of(LIST, "b", Thumb.DOWN)) == pairs(
        judgement_of(LIST, "b", Thumb.DOWN)
    )


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


def test_nothing_is_suggested_from_a_few_searches():
    suggestion = suggest([*searches(9, newest)], Weighting())
    assert not suggestion.is_supported
    assert "weights are learned from 10 or more searches" in suggestion.reason


def test_without_judgements_the_weights_stay():
    suggestion = suggest([], Weighting(recency=0.5))
    assert (suggestion.weighting.recency, suggestion.n_pairs, suggestion.agreement_before) == (0.5, 0, None)


def test_the_agreement_is_the_share_of_pairs_in_the_readers_order():
    # Match alone puts "c" last; with recency 1, log(1.05 / 0.05) = 3.04 lifts it above both.
    papers = (paper("a", 1.0, recency=0.0), paper("b", 0.8, recency=0.0), paper("c", 0.6, recency=1.0))
    assert suggest([judgement_of(papers, "c")], Weighting()).agreement_before == 0.0
    assert suggest([judgement_of(papers, "c")], Weighting(recency=1.0)).agreement_before == 1.0
    assert math.log(1.05 / 0.05) == pytest.approx(3.04, abs=0.01)


def test_judgements_of_answers_say_nothing_about_the_order():
    assert pairs(Judgement("x", DAY, STARS, "s", Target.ANSWER, Thumb.UP, LIST, (), "balanced", ())) == []
