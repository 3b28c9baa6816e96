import pytest
from hypothesis import given
from hypothesis import strategies as st

from pathfinder.answering.assessment.consensus.consensus import level_named
from pathfinder.answering.assessment.consensus.rule import StanceCounts, interval_of, level_of, sensitivity_of
from pathfinder.types import ConsensusLevel, Stance, StanceLabel

STRONG, MODERATE, WEAK, NONE, LESS_WEAK, LESS_MODERATE, LESS_STRONG = ConsensusLevel


def stances(supports=0, refutes=0, mixed=0, irrelevant=0, unfound=0):
    labels = (
        [StanceLabel.SUPPORTS] * supports
        + [StanceLabel.REFUTES] * refutes
        + [StanceLabel.MIXED] * mixed
        + [StanceLabel.IRRELEVANT] * irrelevant
    )
    stance_list = [Stance(f"p{i}", "A title", 2000, label, "quote") for i, label in enumerate(labels)]
    return [*stance_list, *(Stance(f"u{i}", "A title", 2000, StanceLabel.REFUTES, "x", False) for i in range(unfound))]


@pytest.mark.parametrize("n", range(5))
def test_under_five_papers_that_count_are_not_enough_evidence(n):
    counts = StanceCounts.of(stances(supports=n, irrelevant=20, unfound=20))
    assert counts.total == n
    assert counts.level is None
    assert interval_of(counts) is None
    assert sensitivity_of(stances(supports=n, irrelevant=20)) == ()


@pytest.mark.parametrize(
    ("supports", "refutes", "mixed", "level"),
    [
        # (9 - 1) / 10 = 0.8
        (9, 1, 0, STRONG),
        # 4 / 5 = 0.8
        (4, 0, 1, STRONG),
        # (89 - 10) / 100 = 0.79
        (89, 10, 1, MODERATE),
        # (6 - 2) / 8 = 0.5
        (6, 2, 0, MODERATE),
        # (74 - 25) / 100 = 0.49
        (74, 25, 1, WEAK),
        # (3 - 2) / 5 = 0.2
        (3, 2, 0, WEAK),
        # (59 - 40) / 100 = 0.19
        (59, 40, 1, NONE),
        # 0
        (3, 3, 0, NONE),
        (0, 0, 5, NONE),
    ],
)
def test_every_boundary_by_hand(supports, refutes, mixed, level):
    mirror_level = {STRONG: LESS_STRONG, MODERATE: LESS_MODERATE, WEAK: LESS_WEAK, NONE: NONE}[level]
    assert StanceCounts(supports, refutes, mixed).level is level
    assert StanceCounts(refutes, supports, mixed).level is mirror_level


def test_a_score_on_a_boundary_has_the_stronger_level_however_it_is_divided():
    for n in range(5, 200):
        for tenths, level, weaker in ((8, STRONG, MODERATE), (5, MODERATE, WEAK), (2, WEAK, NONE)):
            net = -(-tenths * n // 10)  # the smallest whole number that reaches it
            assert StanceCounts(net, 0, n - net).level is level
            assert StanceCounts(net - 1, 0, n - net + 1).level is weaker


def test_the_levels_fall_from_one_to_minus_one():
    order = list(ConsensusLevel)
    places = [order.index(level_of(score / 1000)) for score in range(1000, -1001, -1)]
    assert places == sorted(places)
    assert set(places) == set(range(7))


def test_irrelevant_papers_and_unfound_quotes_count_nowhere():
    few, many = stances(4, 1), stances(4, 1, irrelevant=30, unfound=30)
    assert StanceCounts.of(few) == StanceCounts.of(many) == StanceCounts(4, 1, 0)
    assert StanceCounts.of(few).score == 0.6


def test_mixed_papers_pull_towards_the_middle():
    assert StanceCounts(5, 0, 0).score == 1.0
    assert StanceCounts(5, 0, 5).score == 0.5


def test_the_interval_holds_the_level_and_has_the_stronger_agreement_first():
    order = list(ConsensusLevel)
    for counts in (StanceCounts(9, 1, 0), StanceCounts(5, 5, 3), StanceCounts(2, 11, 0), StanceCounts(3, 2, 0)):
        high, low = interval_of(counts)
        assert order.index(high) <= order.index(counts.level) <= order.index(low)


def test_an_interval_by_hand():
    # Ten papers, 5 for and 5 against: of 10 draws, k are for, and k is binomial with p = 1/2. P(k <= 1) = 11/1024 =
    # 0.011 and P(k <= 2) = 56/1024 = 0.055, so the 2.5th percentile is k = 2: a score of (2 - 8) / 10 = -0.6; the
    # 97.5th is 0.6.
    assert interval_of(StanceCounts(5, 5, 0)) == (MODERATE, LESS_MODERATE)
    # All papers are alike, so every draw is the same.
    assert interval_of(StanceCounts(7, 0, 0)) == (STRONG, STRONG)
    assert StanceCounts(7, 0, 0).is_unanimous


def test_more_papers_of_the_same_mix_narrow_the_interval():
    order = list(ConsensusLevel)
    widths = []
    for n in (1, 4, 16, 64):
        high, low = interval_of(StanceCounts(6 * n, 4 * n, 0))
        widths.append(order.index(low) - order.index(high))
    assert widths == sorted(widths, reverse=True)
    assert widths[0] > widths[-1]


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_turning_the_statement_round_turns_the_level_round(supports, refutes, mixed):
    order = list(ConsensusLevel)
    level, opposite_level = StanceCounts(supports, refutes, mixed).level, StanceCounts(refutes, supports, mixed).level
    assert (level is None) == (opposite_level is None)
    if level is not None:
        assert order.index(level) + order.index(opposite_level) == 6


def test_the_papers_whose_absence_changes_the_level_by_hand():
    # 9 for, 1 against: 0.8. Without one of the nine: 7/9 = 0.78, Moderate. Without the one against: 9/9, Strong.
    needed_papers = sensitivity_of(stances(9, 1))
    assert [paper_.paper_id for paper_ in needed_papers] == [f"p{i}" for i in range(9)]
    assert {paper_.level for paper_ in needed_papers} == {MODERATE}
    # 8 for: without any one of them, 7/7.
    assert sensitivity_of(stances(8)) == ()


def test_of_five_papers_every_one_is_needed():
    needed_papers = sensitivity_of(stances(5, irrelevant=3))
    assert [(paper_.paper_id, paper_.level) for paper_ in needed_papers] == [(f"p{i}", None) for i in range(5)]


@pytest.mark.parametrize(
    "name", ["", "strong", "Very Strong Agreement", "0.9", "Agreement", "Between Abstracts and Query"]
)
def test_what_names_no_level_is_none(name):
    assert level_named(name) is None


@pytest.mark.parametrize("level", ConsensusLevel)
def test_each_level_is_known_by_its_name_in_any_case(level):
    assert level_named(level.value) is level
    assert level_named(f"  {level.value.upper()}. ") is level


@pytest.mark.parametrize("level", [level for level in ConsensusLevel if level is not ConsensusLevel.NO_CLEAR_CONSENSUS])
def test_each_level_is_known_by_its_published_name(level):
    assert level_named(f"{level.value} Between Abstracts and Query") is level


@pytest.mark.parametrize(
    "name",
    [
        "No Clear Agreement/Disagreement Between Abstracts and Query",
        "No Clear Agreement / Disagreement",
        "No Clear Consensus Between Abstracts and Query",
    ],
)
def test_no_clear_consensus_has_other_published_names(name):
    assert level_named(name) is ConsensusLevel.NO_CLEAR_CONSENSUS
