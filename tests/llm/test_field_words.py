"""Prompts in the words of another field than astronomy."""

from dataclasses import replace
from importlib import resources

import pytest

from pathfinder.answering.audience import READERS
from pathfinder.llm import prompts
from pathfinder.llm.chat import Chat, in_words_of
from pathfinder.models.fake import ScriptedChat
from pathfinder.profile import Field, astronomy
from pathfinder.types import Audience

BOTANY = Field(("botany",), "botanical", ("botanist",))
PROMPTS = [file.name for file in resources.files(prompts).iterdir() if file.name.endswith(".md")]


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_names_no_field_but_leaves_its_words_open(name):
    text = resources.files(prompts).joinpath(name).read_text(encoding="utf-8")
    assert "astronom" not in text.replace("database:astronomy", "").lower()  # a search term of ADS
    for field in (BOTANY, astronomy().field):
        assert not set("«»") & set(in_words_of(field, text))


def test_quotation_marks_around_other_words_are_left_alone():
    assert in_words_of(BOTANY, "«bonjour» said «an expert»") == "«bonjour» said a botanist"


@pytest.mark.parametrize(
    ("expert", "address"),
    [
        ("biomedical scientist", "a biomedical scientist"),
        ("ecologist", "an ecologist"),
        ("urologist", "a urologist"),
        ("union historian", "a union historian"),
        ("honorary chemist", "an honorary chemist"),
    ],
)
def test_the_article_fits_the_expert_of_any_field(expert, address):
    field = Field(("a field",), "such", (expert,))
    assert in_words_of(field, READERS[Audience.EXPERT]).startswith(f"{address} who works")


def test_a_student_and_the_names_to_keep_are_those_of_the_profile():
    field = Field(("botany",), "botanical", ("botanist",), "biology student", "plants, gardens")
    assert "second-year biology student:" in in_words_of(field, READERS[Audience.STUDENT])
    assert "second-year botany student:" in in_words_of(BOTANY, READERS[Audience.STUDENT])
    assert in_words_of(field, "people, «named things», methods") == "people, plants, gardens, methods"


def test_the_system_prompt_is_in_the_words_of_the_field_and_the_question_is_left_alone():
    chat = ScriptedChat(["fine"])
    in_terms = replace(Chat.of(chat), terms=BOTANY)
    list(in_terms.stream("You are an expert «expert».", "What do «experts» eat?"))
    assert chat.received == [("You are an expert botanist.", "What do «experts» eat?")]
