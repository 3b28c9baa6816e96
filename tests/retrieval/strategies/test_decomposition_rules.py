import pytest

from pathfinder.retrieval.strategies.decomposition import sub_questions_by_rules


@pytest.mark.parametrize(
    "question",
    [
        "?",
        "🌌🔭",
        "and",
        "and and and",
        "What is the value of the Hubble constant?",
        "Que es un exoplaneta?",
        "dwarf galaxies versus giant galaxies in clusters",
        "What is the role of gas and dust in galaxy evolution?",
        "What is a kilonova and why does it glow?",
        "How are halo masses measured, and what are the limits?",
        "word " * 20 + "and what are the masses of the most distant dwarf galaxies?",
    ],
)
def test_a_question_without_independent_parts_stays_whole(question):
    assert sub_questions_by_rules(question) == ()


def test_joined_questions_are_split():
    assert sub_questions_by_rules("What are magnetars, and how do fast radio bursts form?") == (
        "What are magnetars?",
        "how do fast radio bursts form?",
    )
