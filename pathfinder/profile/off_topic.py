"""Questions that teach a corpus to say "I don't know", excluding those from its own fields."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from pydantic import TypeAdapter

from pathfinder.profile.profile import Profile


@dataclass(frozen=True, slots=True)
class OffTopicQuestion:
    """A question, and the field whose papers may answer it."""

    field: str
    text: str


def off_topic_questions(profile: Profile) -> list[str]:
    """Return the shipped questions from fields other than the profile's own, in order, followed by the profile's own
    questions.
    """
    own_fields = set(profile.abstention.own_fields)
    shipped = [question.text for question in shipped_questions() if question.field not in own_fields]
    return [*shipped, *profile.abstention.questions]


@cache
def shipped_questions() -> tuple[OffTopicQuestion, ...]:
    """Return every off-topic question that ships with Pathfinder, in the order of the file."""
    text = resources.files(__package__).joinpath("off_topic_questions.toml").read_text(encoding="utf-8")
    return TypeAdapter(tuple[OffTopicQuestion, ...]).validate_python(tomllib.loads(text)["questions"])
