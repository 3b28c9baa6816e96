"""A draft's file: JSON that holds the whole draft, for a backup, for another reader or for editing by hand."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.drafts.draft import ReviewDraft
from pathfinder.text.own_files import OwnFile

_FORMAT = "pathfinder draft 1"
MAX_CHARACTERS = 4_000_000
"""Maximum length of the file, in characters."""


@dataclass(frozen=True, slots=True)
class DraftFile:
    """Contents of a draft's file."""

    format: str
    draft: ReviewDraft
    is_first: bool = False
    """True for the first version, before which there was no draft."""


_FILE = OwnFile(
    TypeAdapter(DraftFile),
    _FORMAT,
    "draft",
    "name a file written by `pathfinder draft export --format json`",
    MAX_CHARACTERS,
)


def draft_text(draft: ReviewDraft, *, is_first: bool = False) -> str:
    """Return the contents of a draft's file; `is_first` marks the version before which there was no draft."""
    return _FILE.text(DraftFile(_FORMAT, draft, is_first))


def read_draft(path: Path) -> ReviewDraft:
    """Read a draft's file. Raises `UsageError` for any other file."""
    return _FILE.read(path).draft


def parse_draft(text: bytes | str, name: str) -> ReviewDraft:
    """Parse the contents of the file called `name`, as `read_draft` does."""
    return _FILE.parse(text, name).draft


def parse_file(text: bytes | str, name: str) -> DraftFile:
    """Parse the contents of the file called `name`, including whether it is a first version. Raises `UsageError` if it
    is not a draft's file.
    """
    return _FILE.parse(text, name)
