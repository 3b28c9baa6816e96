"""Reads a profile from TOML, strictly: an error names the faulty key and the rule it breaks, and says what to do. Reads
what ships with Pathfinder for every field, too.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from pydantic_core import ErrorDetails

from pathfinder.errors import CorpusError
from pathfinder.profile.names import Phrase
from pathfinder.profile.profile import Profile, Translations
from pathfinder.profile.quantity import NamePattern

MAX_BYTES = 1_000_000
"""Maximum size of a profile in bytes; the astronomy profile has about 24,000."""

ASTRONOMY = ("astronomy_names.toml", "astronomy_everyday.toml", "astronomy.toml", "astronomy_terms.toml")
"""Files that together are the profile of astronomy: its long tables stand apart."""

_WAY_OUT = "correct it as docs/profiles.md describes, or leave out --profile to use the astronomy profile"


def read_profile(path: Path) -> tuple[Profile, bytes]:
    """Read a profile and return it with the contents of its file. Raises `CorpusError` if the file cannot be read or
    the profile is invalid.
    """
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise CorpusError(f"the profile {path} cannot be read ({error.strerror}): name a TOML file") from error
    return parse_profile(content, str(path)), content


def parse_profile(content: bytes, source: str) -> Profile:
    """Parse a profile; `source` names it in error messages. Raises `CorpusError` if it is invalid."""
    if len(content) > MAX_BYTES:
        raise CorpusError(f"{source} is longer than the {MAX_BYTES:,} bytes allowed for a profile: {_WAY_OUT}")
    try:
        fields = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise CorpusError(f"{source} is not TOML in UTF-8 ({error}): {_WAY_OUT}") from error
    try:
        return TypeAdapter(Profile).validate_python(fields)
    except ValidationError as error:
        first = error.errors()[0]
        raise CorpusError(f"{source}: {_key(first)}: {_rule(first)}: {_WAY_OUT}") from error


@cache
def astronomy() -> Profile:
    """Read the profile that ships with Pathfinder, which is used for every corpus built without one."""
    folder = resources.files(__package__)
    content = b"\n".join(folder.joinpath(name).read_bytes() for name in ASTRONOMY)
    return parse_profile(content, ASTRONOMY[0])


def _key(error: ErrorDetails) -> str:
    """Return the key that an error is about, as written in TOML; list indices start at 0."""
    return ".".join(str(part) for part in error["loc"]) or "the whole"


def _rule(error: ErrorDetails) -> str:
    if error["type"] in {"missing", "missing_argument"}:
        return "this key is missing and has no default"
    if error["type"] in {"extra_forbidden", "unexpected_keyword_argument"}:
        return "profiles have no such key"
    return error["msg"][:1].lower() + error["msg"][1:] + f", not {str(error['input'])[:60]!r}"


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
