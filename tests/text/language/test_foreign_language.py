"""Keywords of questions in other languages."""

import pytest

from pathfinder.text.languages import (
    foreign_keywords,
    foreign_language_of,
    known_language,
    language_of_script,
    languages_of,
)
from pathfinder.text.stop_words import STOP_WORDS_BY_LANGUAGE, TELLING_STOP_WORDS


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


@pytest.mark.parametrize("language", TELLING_STOP_WORDS)
def test_a_language_that_a_question_can_be_in_has_negations_and_all_its_stop_words(language):
    assert known_language(language) is not None
    assert language in STOP_WORDS_BY_LANGUAGE


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("¿Cuál es el valor de la constante de Hubble?", "Spanish"),
        ("Warum ist die Nacht dunkel und nicht hell?", "German"),
        ("Pourquoi est-ce que les galaxies ne sont pas seules dans un amas ?", "French"),
        ("Waarom is de nacht niet licht?", "Dutch"),
    ],
)
def test_a_question_and_a_text_are_in_the_same_language(text, language):
    assert foreign_language_of(text.lower().rstrip("?").split()) == language
    assert languages_of([text]) == (language,)


@pytest.mark.parametrize("text", ["Smith et al. on the Hubble constant", "C. J. Evans et al."])
def test_authors_make_a_question_no_french(text):
    assert foreign_language_of(text.lower().split()) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("什么是黑洞", "Chinese"),
        ("宇宙の年齢はいくつですか", "Japanese"),
        ("블랙홀이란 무엇인가", "Korean"),
        ("ब्रह्मांड की आयु", "Hindi"),
        ("", None),
        ("what is 黑洞", None),
        ("α Orionis", None),
        ("что такое черная дыра", None),
    ],
)
def test_a_script_that_few_languages_share_tells_the_language(text, language):
    assert language_of_script(text) == language


def test_a_rate_is_not_taken_for_italian() -> None:
    assert "English" in languages_of(["star formation efficiency per free-fall time in molecular clouds"])
