"""Excerpts: the sentence that answers, and those around it that are quoted with it."""

import numpy as np

from pathfinder.answering.digest.excerpts import Lengths, excerpt, with_context
from pathfinder.types import Paper

CLAIM = "A ripple of the track of the star betrays a planet."
METHOD = "Two observers measured plates of the star from all over the world."
RESULT = "The track came out smooth."


def of(*sentences, number=0, fill_limit=0):
    paper = Paper("p", "On a star", " ".join(sentences))
    start, end = excerpt(paper, number, np.linspace(0.1, 0.2, len(sentences)), Lengths(fill_limit))
    return paper.abstract[start:end]


def test_a_method_is_quoted_with_its_result():
    assert of(METHOD, RESULT, "It is late in the day.") == f"{METHOD} {RESULT}"


def test_a_sentence_that_refers_back_is_quoted_with_the_one_before_it():
    assert of(CLAIM, "By this the mass of the planet is found.", number=1).startswith(CLAIM)
    assert of(CLAIM, "Its mass is that of Jupiter, or a little more.", number=1).startswith(CLAIM)
    alone = "It is likely that many stars have planets."
    assert of(CLAIM, alone, number=1) == alone


def test_neighbours_fill_an_excerpt_up_to_its_length_and_no_further():
    dust = "Dust is cold in all of our maps."
    assert of(CLAIM, dust, dust, dust, fill_limit=15) == f"{CLAIM} {dust}"
    assert of(CLAIM, dust) == CLAIM


def test_a_question_and_half_a_formula_are_never_added():
    assert of(CLAIM, "But is it a planet at all?", "The mass is $a. b in the end of it.", fill_limit=60) == CLAIM


def test_the_context_of_a_value_leaves_out_sentences_of_other_lines():
    text = f"{CLAIM} Its mass is that of Jupiter, or a little more."
    paper, start = Paper("p", "On a star", text), len(CLAIM) + 1
    assert with_context(paper, start, len(text)) == (0, len(text))
    assert with_context(paper, start, len(text), [(0, len(CLAIM))]) == (start, len(text))
