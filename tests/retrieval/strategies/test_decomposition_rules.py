import pytest

from pathfinder.retrieval.strategies.decomposition import sub_questions_by_rules


@pytest.mark.parametrize(
    "question",
    [
        "?",
        "🌌🔭",
        "and",
        "and and and",
        "versus",
        "X versus",
        "What is the value of the Hubble constant?",
        "Que es un exoplaneta?",
        "papers from 2010 and 2015",
        "What is the relation between mass and metallicity?",
        "What is the ratio of carbon and oxygen in stars?",
        "properties of early and late type galaxies",
        "masses of high and low redshift quasars",
        "What is a kilonova and why does it glow?",
        "How are halo masses measured, and what are the limits?",
        "Effects of winds, jets, dust and radiation on star formation",
        "Repressing IL-18 in mice has effects on atherosclerotic lesion composition and on progression of the disease.",
        "dwarf galaxies versus these",
        "word " * 31 + "versus galaxies",
    ],
)
def test_a_question_without_independent_parts_stays_whole(question):
    assert sub_questions_by_rules(question) == ()


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "dwarf galaxies versus giant galaxies in clusters",
            ("dwarf galaxies in clusters", "giant galaxies in clusters"),
        ),
        (
            "star formation rate of dwarf galaxies vs. giant galaxies",
            ("star formation rate of dwarf galaxies", "star formation rate of giant galaxies"),
        ),
        (
            "What are the differences between hot Jupiters and warm Jupiters in binaries?",
            ("hot Jupiters in binaries?", "warm Jupiters in binaries?"),
        ),
        (
            "How does the metallicity of the bulge compare with the metallicity of the halo?",
            ("the metallicity of the bulge?", "the metallicity of the halo?"),
        ),
    ],
)
def test_a_comparison_is_split_into_two_sides_with_shared_words(question, parts):
    assert sub_questions_by_rules(question) == parts


def test_joined_questions_are_split():
    assert sub_questions_by_rules("What are magnetars, and how do fast radio bursts form?") == (
        "What are magnetars?",
        "how do fast radio bursts form?",
    )


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What is the role of gas and dust in galaxy evolution?",
            ("What is the role of gas in galaxy evolution?", "What is the role of dust in galaxy evolution?"),
        ),
        (
            "Effects of winds, jets and radiation on star formation",
            (
                "Effects of winds on star formation",
                "Effects of jets on star formation",
                "Effects of radiation on star formation",
            ),
        ),
        (
            "What supports outflows in both cataclysmic variables and quasars?",
            ("What supports outflows in cataclysmic variables?", "What supports outflows in quasars?"),
        ),
    ],
)
def test_a_list_is_split_and_keeps_its_head_and_tail(question, parts):
    assert sub_questions_by_rules(question) == parts
