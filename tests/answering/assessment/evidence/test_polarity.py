"""Denials and directions in two sentences."""

import pytest

from pathfinder.answering.assessment.evidence.polarity import denial_conflict, direction_conflict, polarity


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("the gas is not bound", "the gas is bound"),
        ("winds cannot heat the gas", "winds can heat the gas"),
        ("clouds are ruled out as the cause", "clouds are the cause"),
        ("it isn't detected", "it is detected"),
        ("without magnetic fields the disk fragments", "with magnetic fields the disk fragments"),
        ("the ages are inconsistent with the model", "the ages are consistent with the model"),
        ("supernovae are inconsistent with dark energy", "supernovae are explained by dark energy"),
        ("the beam is insufficient to resolve the disks", "the beam resolves the disks"),
    ],
)
def test_what_one_denies_and_the_other_says_is_told_either_way_round(claim: str, other: str):
    assert denial_conflict(polarity(claim), polarity(other))
    assert denial_conflict(polarity(other), polarity(claim))


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("the gas is not bound", "the gas fails to be bound"),
        ("no correlation was found", "a correlation was not found"),
        ("the disk is unstable", "the disk is not stable"),
        ("not only gas but dust is heated", "gas and dust are heated"),
        ("strong irradiation inflates the planets", "strong radiation inflates the planets"),
        ("the gas is bound", "the stars are not old"),
        ("", ""),
    ],
)
def test_what_agrees_or_is_about_something_else_is_no_conflict(claim: str, other: str):
    assert denial_conflict(polarity(claim), polarity(other)) is None


def test_a_limit_has_no_direction():
    assert polarity("for more than a decade, the period is decreasing").directions[0].text == "decreasing"


def test_a_sentence_beside_that_agrees_more_settles_a_direction():
    claim, other = polarity("radii of planets decrease with age"), polarity("the share of planets increases with age")
    assert direction_conflict(claim, other)
    assert direction_conflict(claim, other, [polarity("the radii of planets decrease with age")]) is None


def test_opposite_directions_about_the_same_thing_are_told_with_both_words():
    conflict = direction_conflict(polarity("the bar fraction increases"), polarity("the bar fraction decreases"))
    assert conflict == '"increases" in the text, "decreases" in the source'


SEVERAL = "the amplitude decreases with age and massive stars have lower amplitudes than light stars"


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("the amplitude increases with age", SEVERAL),
        ("stars with disks rotate faster", "stars with disks rotate slower, and few rotate faster than 2 d"),
        ("larger planets are more common than smaller ones", "larger planets are less common than smaller ones"),
        (
            "planets without disks are larger than planets with disks",
            "planets with disks are larger than those without",
        ),
        ("the gas is metal-poor", "the gas is metal-rich"),
        ("dust absorbs more than gas", "gas absorbs more than dust"),
        ("blue stars die more quickly than red stars", "red stars die faster than blue stars"),
    ],
)
def test_a_direction_is_told_among_others_and_by_the_order_of_a_comparison(claim: str, other: str):
    assert direction_conflict(polarity(claim), polarity(other))


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ("the amplitude decreases with age", SEVERAL),
        ("light stars have higher amplitudes than heavy ones", "heavy stars have lower amplitudes than light ones"),
        ("the flux rises", "the flux increases"),
        ("the flux rises", "it falls elsewhere"),
        ("the flux rises, then falls", "the flux falls"),
        ("the flux is seen before the burst", "the flux rises"),
        ("spiral galaxies rotate faster than elliptical ones", "elliptical galaxies rotate less than spiral ones"),
        ("winds explain the lines better than shocks", "shocks explain the lines less well than winds"),
        ("blue stars die more quickly than red stars", "red stars live longer than blue stars"),
        ("dust is more opaque than gas", "gas is more mobile than dust"),
        ("the data favour a low mass", "the data point to a lower mass"),
        ("mass quenching is promoted by hot gas", "hot gas quenches galaxies"),
    ],
)
def test_the_same_direction_or_one_about_something_else_is_no_conflict(claim: str, other: str):
    assert direction_conflict(polarity(claim), polarity(other)) is None
