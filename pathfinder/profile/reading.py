"""Reads a profile from TOML, strictly: an error names the faulty key and the rule it breaks, and says what to do."""

import tomllib
from functools import cache
from importlib import resources
from pathlib import Path

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from pathfinder.errors import CorpusError
from pathfinder.profile.profile import Profile

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
