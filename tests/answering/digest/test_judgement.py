"""Whether a line answers a question, and which words of the question the lines lack."""

from dataclasses import replace

import pytest

from pathfinder.answering.digest.judgement import (
    PREDICTORS,
    answers,
    fitted,
    predictors_of,
    sides_lacking,
    words_lacking,
)
from pathfinder.answering.digest.lines import Excerpt
from pathfinder.facade import Pathfinder
from pathfinder.types import AnswerRequest, Paper

SAID = "Mites weaken bees. Honey is sweet."
LINE = Excerpt(Paper("p", "Mites of bees", SAID), 0, 18, 0.5, 0.6, meaning=0.6, subject_weight=3.0)


def test_the_model_that_ships_weighs_the_predictors_that_are_computed():
    assert fitted().predictors == PREDICTORS
    assert predictors_of("Do mites harm bees?", LINE).shape == (len(PREDICTORS),)
    assert min(fitted().weights) > 0


@pytest.mark.parametrize("farther", [{"token_match": 0.0}, {"meaning": -0.1}, {"subject_weight": 0.0}])
def test_a_line_that_is_farther_in_any_way_answers_less_probably(farther):
    question = "Do mites harm bees?"
    near, far = (fitted().probability(predictors_of(question, line)) for line in (LINE, replace(LINE, **farther)))
    assert answers(question, LINE)
    assert far < near


def test_what_a_paper_only_mentions_counts_less_than_what_it_is_about():
    about, mentioned = (fitted().probability(predictors_of(thing, LINE)) for thing in ("mites", "honey"))
    assert mentioned < about


@pytest.mark.parametrize(
    ("question", "token_match", "is_answer"),
    [("mites", 0.5, True), ("mites", 0.49, False), ("mites of Mars", 0.5, False), ("What is it?", 0.5, False)],
)
def test_a_near_line_of_a_paper_about_the_single_subject_answers(question: str, token_match: float, is_answer: bool):
    line = replace(LINE, token_match=token_match, subject_weight=0.0, meaning=-0.1)
    assert answers(question, line) == is_answer


@pytest.mark.parametrize(
    ("question", "lacking"),
    [
        ("Do mites harm bees?", ("harm",)),
        ("Why do mites like Caroline Herschel's comets and the Moon?", ("Caroline", "Herschel's", "comets")),
        ("why are there bees", ()),
        ("Which recent papers discuss 40 llamas?", ("llamas",)),
    ],
)
def test_the_words_that_no_line_has_are_named_as_they_were_typed(question: str, lacking: tuple[str, ...]):
    assert words_lacking(question, [SAID]) == lacking


@pytest.mark.parametrize(
    ("question", "said", "lacking"),
    [
        (
            "What is the difference between type Ia and type II novae?",
            "Type Ia novae of population II",
            "type II novae",
        ),
        ("type I versus type II novae", "novae of type 2", None),
        ("round belt vs. flat belt", "the flat belt is round", "round belt"),
        ("How do bees differ from wasps in winter?", "bees", "wasps"),
        ("bees or wasps", "wasps", "bees"),
        ("Is a hive round or flat?", "round", None),
        ("red dwarfs and blue dwarfs, what is the difference", "red dwarfs are no blue dwarfs", None),
        ("bees", "", None),
    ],
)
def test_the_side_of_a_comparison_that_no_line_has_is_named(question: str, said: str, lacking: str | None):
    assert sides_lacking(question, [said]) == tuple(filter(None, [lacking]))


def test_a_name_that_the_lines_have_in_another_form_is_not_called_lacking(pf: Pathfinder):
    notes = pf.answer(pf.search("Virgo A and its llamas"), AnswerRequest(generation="extractive")).notes
    (note,) = [note for note in notes if "llamas" in note]
    assert "Virgo" not in note
