"""Stores drafts, one for each shelf, with their earlier versions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from pathfinder.addons.drafts.draft import ReviewDraft
from pathfinder.errors import StoreError, UsageError
from pathfinder.text.files import OwnFile
from pathfinder.text.strict_json import parse_as
from pathfinder.types import CorpusName
from pathfinder.user_data import VersionStore, Visit, versions

MAX_VERSIONS = 50
"""Maximum number of versions of a draft that are stored, so that changes can be undone."""


@dataclass(frozen=True, slots=True)
class DraftFile:
    """Contents of a draft's file."""

    format: str
    draft: ReviewDraft
    is_first: bool = False
    """True for the first version, before which there was no draft."""


class DraftStore:
    """The drafts of one corpus, by the names of their shelves."""

    def __init__(self, place: Path | Visit, corpus: CorpusName) -> None:
        """`place` is the owner's folder, whose file is created with the first draft and may be shared by processes and
        threads, or the visit of another.
        """
        self._versions = VersionStore(place, DRAFTS, corpus, MAX_VERSIONS)

    def drafts(self) -> dict[str, ReviewDraft]:
        """Return the drafts by the names of their shelves, the one changed last at the end."""
        return {name: self._parse(record).draft for name, record in self._versions.records().items()}

    def draft(self, shelf: str) -> ReviewDraft | None:
        """Return the draft of a shelf; `None` if there is none."""
        record = self._versions.records().get(shelf)
        return None if record is None else self._parse(record).draft

    def change(self, shelf: str, change: Callable[[ReviewDraft | None], ReviewDraft]) -> ReviewDraft:
        """Apply `change` to the draft of a shelf, or to `None` if it has none yet, and return the result.

        Nobody else can change the draft at the same time. Nothing is stored if `change` raises, or changes nothing.
        """
        after: list[ReviewDraft] = []

        def change_record(record: str | None) -> str | None:
            before = None if record is None else self._parse(record).draft
            changed_draft = change(before)
            after.append(changed_draft if before is None else changed_draft.sparing_keys_of(before))
            return None if after[0] == before else draft_text(after[0], is_first=before is None)

        self._versions.change(shelf, change_record)
        return after[0]

    def has_earlier(self, shelf: str) -> bool:
        """Return whether an earlier version of a draft is stored, so that `undo` can restore it."""
        return self._versions.n_versions(shelf) > 1

    def undo(self, shelf: str) -> ReviewDraft | None:
        """Undo the last change to a draft; return the draft, or `None` if that change had created it.

        Raises `UsageError` if the previous version is no longer stored.
        """
        last = self._versions.records().get(shelf)
        if last is not None and not self.has_earlier(shelf) and not self._parse(last).is_first:
            raise UsageError(
                f"the change to the draft of {shelf!r} before this version cannot be undone: earlier versions are no "
                "longer stored; to replace the draft, make a new outline (`pathfinder draft outline --new`)"
            )
        record = self._versions.undo(shelf, lambda after, before: (shelf, self._restore(after, before)))
        return None if record is None else self._parse(record).draft

    def check_free(self, shelf: str) -> None:
        """Raise `UsageError` if a draft has this name, perhaps one whose shelf has been deleted."""
        if self._versions.n_versions(shelf):
            raise UsageError(f"there is already a draft for a shelf called {shelf!r}: choose another name")

    def rename(self, shelf: str, new: str) -> None:
        """Rename the draft of a shelf, if there is one, when the shelf is renamed. Raises `UsageError` if another draft
        has the new name.
        """
        self._versions.rename(shelf, new)

    def _restore(self, after: str, before: str) -> str:
        """Return the text of the version before the one being undone, changed so that no section key is reused."""
        earlier = self._parse(before)
        draft = earlier.draft.sparing_keys_of(self._parse(after).draft)
        return draft_text(draft, is_first=earlier.is_first)

    def _parse(self, record: str) -> DraftFile:
        try:
            return _FILE.parse(record, self._versions.database.place)
        except UsageError as error:
            database = self._versions.database
            raise StoreError(f"{database.place} holds a draft that cannot be read: {database.remedy}") from error


# A draft's file: JSON that holds the whole draft, for a backup, for another reader or for editing by hand.

_FORMAT = "pathfinder draft 1"
MAX_CHARACTERS = 4_000_000
"""Maximum length of the file, in characters."""

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


# Drafts as records, and as browsers stored them until 0.2.1: the versions of each by its name, the first one first.

_HISTORIES = TypeAdapter(dict[str, tuple[str, ...]])


def _earlier(text: str) -> Iterator[tuple[str, str]]:
    for name, texts in parse_as(_HISTORIES, text).items():
        yield from ((name, each) for each in texts)


DRAFTS = versions("drafts.sqlite3", "draft_versions", "drafts", _earlier, "draft")
