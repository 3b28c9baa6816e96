"""The sentences of an abstract or a summary that play a role."""

import pytest

from pathfinder.answering.roles import SentenceRole, in_role
from pathfinder.types import Paper

OWN = "The survey of 24 galaxies was observed with the 2.5 m telescope."


@pytest.mark.parametrize(
    "later",
    [
        "Images from the COBE satellite of 300 galaxies later confirmed it.",
        "Images of 300 galaxies in the survey of Sandage were published in 1956.",
    ],
)
def test_what_came_after_a_paper_is_no_sample_of_its_own(later: str) -> None:
    told = f"{later} {OWN}"
    assert in_role(Paper("a", "T", told, year=1929, is_summary=True), SentenceRole.SAMPLE) == OWN
    assert in_role(Paper("a", "T", later, year=1929, is_summary=True), SentenceRole.SAMPLE) is None
    assert in_role(Paper("a", "T", later, year=1929), SentenceRole.SAMPLE) == later  # the paper's own words


def test_a_paper_without_a_text_has_no_sentence() -> None:
    assert in_role(Paper("a", "T", ""), SentenceRole.RESULT) is None
