from dataclasses import replace

import pytest

from pathfinder.answering.mode_advice import advise_mode
from pathfinder.answering.modes.registry import mode_of
from pathfinder.retrieval.routing.route import route
from pathfinder.retrieval.routing.suggestions import Category
from pathfinder.types import AnswerRequest, ModeName, Specialisation


@pytest.mark.parametrize(
    ("question", "generation", "specialisation"),
    [
        ("What is the value of the Hubble constant?", ModeName.RAG, Specialisation.SINGLE_PAPER),
        ("How many papers on Cepheids were published in 2020?", ModeName.RAG, Specialisation.BIBLIOMETRIC),
        ("Is there evidence that dark energy evolves?", ModeName.RAG, Specialisation.BROAD),
        ("What would happen if dark matter did not exist?", ModeName.AGENT, Specialisation.MULTI_PAPER),
    ],
)
def test_the_kind_of_a_question_advises_how_it_is_answered(question, generation, specialisation):
    advice = advise_mode(route(question, (), None))
    assert (advice.generation, advice.specialisation) == (generation, specialisation)


@pytest.mark.parametrize("style", Specialisation)
def test_a_style_that_the_reader_has_chosen_stays_and_the_mode_supports_it(style):
    advice = advise_mode(route("What would happen if dark matter did not exist?", (), None), style=style)
    assert advice.specialisation is style
    assert mode_of(AnswerRequest(advice.generation, advice.specialisation))


@pytest.mark.parametrize("category", Category)
def test_every_kind_has_an_advice_that_its_mode_honours_and_its_reason(category):
    kind = route("?", (), None)
    advice = advise_mode(replace(kind, category=category, flags=()))
    assert advice.because == category.value
    assert mode_of(AnswerRequest(advice.generation, advice.specialisation))
