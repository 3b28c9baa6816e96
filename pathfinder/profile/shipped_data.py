"""Data that ship with Pathfinder for every field: names and terms that count as one word, however they are written,
everyday words in other languages, and questions that teach a corpus to say "I don't know".
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources

from pydantic import ConfigDict, TypeAdapter, with_config

from pathfinder.profile.names import Phrase
from pathfinder.profile.profile import Profile, Translations
from pathfinder.profile.quantity import NamePattern


@with_config(ConfigDict(extra="forbid"))
@dataclass(frozen=True, slots=True)
class Compounds:
    """Names and terms that count as one word, however they are written; all in lower case."""

    catalogues: frozenset[Phrase]
    """Catalogues whose name and number count as one word: "ngc" in "NGC 1068"."""
    unspaced: frozenset[NamePattern]
    """Patterns for names that are usually written without a space: "gw170817"."""
    pairs: frozenset[tuple[Phrase, Phrase]]
    """Pairs of lemmas that count as one word: ("light", "curve")."""
    spellings: frozenset[tuple[Phrase, Phrase]]
    """Spellings of terms, each with the spelling that replaces it: ("lcdm", "λcdm")."""
    series: frozenset[tuple[Phrase, Phrase]]
    """Names of series, each of which counts as one word with the Greek letter after it, and the short forms of these
    names: ("lyman", "ly").
    """


@cache
def shipped_compounds() -> Compounds:
    """Read the compounds that ship with Pathfinder, for all fields together."""
    content = resources.files(__package__).joinpath("compounds.toml").read_text(encoding="utf-8")
    fields = TypeAdapter(dict[str, Compounds]).validate_python(tomllib.loads(content)).values()
    return Compounds(
        frozenset().union(*(field.catalogues for field in fields)),
        frozenset().union(*(field.unspaced for field in fields)),
        frozenset().union(*(field.pairs for field in fields)),
        frozenset().union(*(field.spellings for field in fields)),
        frozenset().union(*(field.series for field in fields)),
    )


@cache
def everyday_words() -> Translations:
    """Read the everyday and academic words of questions in other languages, which every field shares."""
    content = resources.files(__package__).joinpath("everyday_words.toml").read_text(encoding="utf-8")
    return TypeAdapter(Translations).validate_python(tomllib.loads(content))


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
    questions = [question.text for question in shipped_questions() if question.field not in own_fields]
    return [*questions, *profile.abstention.questions]


@cache
def shipped_questions() -> tuple[OffTopicQuestion, ...]:
    """Return every off-topic question that ships with Pathfinder, in the order of the file."""
    text = resources.files(__package__).joinpath("off_topic_questions.toml").read_text(encoding="utf-8")
    return TypeAdapter(tuple[OffTopicQuestion, ...]).validate_python(tomllib.loads(text)["questions"])
