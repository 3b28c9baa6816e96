"""Questions in other languages."""

import pytest

from pathfinder.corpus.language.foreign import foreign_content


@pytest.mark.parametrize(
    "question",
    ["", "dark matter", "What is the Hubble constant?", "la Niña", "die Hard", "is it a de Sitter universe", "暗物质"],
)
def test_english_and_what_cannot_be_told_is_not_foreign(question):
    assert foreign_content(question) is None


@pytest.mark.parametrize(
    ("question", "content"),
    [
        ("Que es un exoplaneta?", ["exoplaneta"]),
        ("¿Qué es la energía oscura?", ["energía oscura"]),
        ("Qu'est-ce que la matière noire ?", ["matière noire"]),
        ("Wie groß ist die Hubble-Konstante?", ["Hubble-Konstante"]),
        ("Che cosa è una stella di neutroni?", ["stella", "neutroni"]),
        ("O que é um buraco negro?", ["buraco negro"]),
        ("Wat is een zwart gat?", ["zwart gat"]),
    ],
)
def test_the_words_that_say_something_are_kept(question, content):
    assert foreign_content(question) == content


def test_a_long_run_is_cut_after_three_words():
    assert foreign_content("que es un agujero negro supermasivo binario") == ["agujero negro supermasivo"]
