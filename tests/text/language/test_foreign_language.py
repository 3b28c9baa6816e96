"""Keywords of questions in other languages."""

import pytest

from pathfinder.text.language.foreign_language import foreign_keywords


@pytest.mark.parametrize(
    "question",
    ["", "dark matter", "What is the Hubble constant?", "la Niña", "die Hard", "is it a de Sitter universe", "暗物质"],
)
def test_english_and_undecidable_questions_are_not_foreign(question):
    assert foreign_keywords(question) is None


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
def test_content_words_of_a_foreign_question_are_its_keywords(question, content):
    assert foreign_keywords(question) == content


def test_a_long_run_of_content_words_is_split_after_three():
    assert foreign_keywords("que es un agujero negro supermasivo binario") == ["agujero negro supermasivo"]
