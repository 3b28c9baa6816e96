"""A draft's file: JSON that holds the whole draft, for a backup, for another reader or for editing by hand."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.drafts.draft import ReviewDraft
from pathfinder.errors import UsageError
from pathfinder.text.strict_json import has_half_characters, parse_as, parse_json, to_json

_FORMAT = "pathfinder draft 1"
_REMEDY = "name a file written by `pathfinder draft export --format json`"
MAX_CHARACTERS = 4_000_000
"""Maximum length of the file."""


@dataclass(frozen=True, slots=True)
class DraftFile:
    """Contents of the file."""

    format: str
    draft: ReviewDraft
    is_first: bool = False
    """True for the first version, before which there was no draft."""


_ADAPTER = TypeAdapter(DraftFile)


def draft_text(draft: ReviewDraft, *, is_first: bool = False) -> str:
    """Return the contents of a draft's file; `is_first` marks the version before which there was no draft."""
    return to_json(_ADAPTER, DraftFile(_FORMAT, draft, is_first))


def read_draft(path: Path) -> ReviewDraft:
    """Read a draft's file. Raises `UsageError` for any other file."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): {_REMEDY}") from error
    return parse_draft(text, str(path))


def parse_draft(text: bytes | str, name: str) -> ReviewDraft:
    """Parse the contents of the file called `name`, as `read_draft` does."""
    return parse_file(text, name).draft


def parse_file(text: bytes | str, name: str) -> DraftFile:
    """Parse the contents of the file called `name`, including whether it is a first version. Raises `UsageError` if it
    is not a draft's file.
    """
    if len(text) > MAX_CHARACTERS:
        raise UsageError(f"{name} has {len(text):,} characters, and a draft has at most {MAX_CHARACTERS:,}: {_REMEDY}")
    try:
        file = parse_as(_ADAPTER, text)
        is_broken = has_half_characters(parse_json(text if isinstance(text, str) else text.decode()))
    except (ValueError, UsageError, RecursionError) as error:
        raise UsageError(f"{name} is not the file of a draft ({error}): {_REMEDY}") from error
    if is_broken or file.format != _FORMAT:
        fault = "half a surrogate pair in it" if is_broken else f"the format {file.format[:40]!r}, not {_FORMAT!r}"
        raise UsageError(f"{name} has {fault}: {_REMEDY}")
    return file
