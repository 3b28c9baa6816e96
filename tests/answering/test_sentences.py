import pytest

from pathfinder.answering.digest.excerpts import stands_alone


@pytest.mark.parametrize(
    "sentence",
    [
        "This suggests a wind.",
        "However, they differ.",
        "It is bright.",
        "Furthermore, we see dust.",
        "These results hold.",
        "Adding this to the zero point gives 75.",
    ],
)
def test_a_sentence_that_leans_on_another_is_known(sentence):
    assert not stands_alone(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "We find a wind.",
        "This paper presents a survey.",
        "Stars form in clouds.",
        "Thisbe is an asteroid.",
        "Italian telescopes see it.",
        "Ring nebulae are old, and she-oaks are trees.",
    ],
)
def test_a_sentence_that_stands_alone_is_known(sentence):
    assert stands_alone(sentence)
