import pytest

from pathfinder.assessment.consensus.consensus import level_named
from pathfinder.types import ConsensusLevel


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
