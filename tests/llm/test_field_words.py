"""Prompts in the words of another field than astronomy."""

from importlib import resources

import pytest

from pathfinder.answering.audience import READERS
from pathfinder.errors import ProviderError
from pathfinder.llm import prompts
from pathfinder.llm.field_words import in_words_of, speaking_of
from pathfinder.models.fake import ScriptedChat
from pathfinder.models.ports import Turn
from pathfinder.profile import Field, astronomy
from pathfinder.types import Audience

BOTANY = Field(("botany",), "botanical", ("botanist",))
PROMPTS = [file.name for file in resources.files(prompts).iterdir() if file.name.endswith(".md")]
SYSTEM_PROMPTS = [name for name in PROMPTS if "ads_query" not in name]


@pytest.mark.parametrize("name", SYSTEM_PROMPTS)
def test_no_prompt_speaks_of_astronomy_in_another_field(name):
    text = resources.files(prompts).joinpath(name).read_text(encoding="utf-8")
    for word in ("astronom", "physics student", "telescopes, surveys"):
        assert word not in in_words_of(BOTANY, text)
    assert in_words_of(astronomy().field, text) == text


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
    assert in_words_of(field, "people, telescopes, surveys, methods") == "people, plants, gardens, methods"


def test_a_value_of_ads_is_no_word_of_the_prompt():
    assert in_words_of(BOTANY, "the astronomical `database:astronomy`") == "the botanical `database:astronomy`"


def test_the_system_prompt_is_in_the_words_of_the_field_and_the_question_is_left_alone():
    chat = ScriptedChat(["fine"])
    list(speaking_of(BOTANY, chat).stream("You are an expert astronomer.", "What do astronomers eat?"))
    assert chat.received == [("You are an expert botanist.", "What do astronomers eat?")]


def test_in_astronomy_the_chat_model_is_used_as_it_is():
    chat = ScriptedChat([])
    assert speaking_of(astronomy().field, chat) is chat


class NoTools:
    name = "fake:no-tools"

    def stream(self, system, prompt, *, temperature=None, max_tokens=None):
        yield ""


def test_a_model_without_tools_is_refused_by_its_name():
    with pytest.raises(ProviderError, match="fake:no-tools does not support tools"):
        speaking_of(BOTANY, NoTools()).converse([Turn("system", "x")], [])
