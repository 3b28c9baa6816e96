"""A visitor's drafts: in the data folder for the person at this machine, in their browser for all others."""

from collections.abc import Callable, Mapping

import streamlit as st
from pydantic import TypeAdapter

from pathfinder.addons.drafts.draft import ReviewDraft
from pathfinder.addons.drafts.store import DraftStore
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.settings import read_settings
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.strict_json import parse_as
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars.own_shelves import corpus_of_visit
from pathfinder.user_data import Restore, data_folder

MAX_VERSIONS = 10
"""Maximum number of versions of a draft that a visitor's session and browser store, for undo."""
MAX_CHARACTERS = 2_000_000
"""Maximum number of characters in all drafts in a browser, which stores about 5 million per site, shelves included."""
REMOVAL_NOTE = "the draft was removed in another tab: make an outline again"
_VERSIONS = "visit-drafts"
_Records = dict[str, tuple[str, ...]]
_ADAPTER: TypeAdapter[_Records] = TypeAdapter(_Records)


class VisitVersions:
    """Drafts in the session, which the browser stores (`ui/stars/browser_storage.py`)."""

    def __init__(self, corpus: str) -> None:
        """`corpus` is the id of the corpus."""
        self.corpus = corpus

    def records(self) -> dict[str, str]:
        """Return the last version of each record by its name."""
        return {name: versions[-1] for name, versions in sorted(self._all().items())}

    def n_versions(self, name: str) -> int:
        """Return the number of versions of a record."""
        return len(self._all().get(name, ()))

    def change(self, name: str, change: Callable[[str | None], str | None]) -> None:
        """Store what `change` makes of the latest version; nothing if it returns `None`.

        The session, which takes up memory on the server, holds no more than the browser: earlier versions are forgotten
        if there is no room. Raises `UsageError` if not even the latest versions fit.
        """
        versions = self._all().get(name, ())
        after = change(versions[-1] if versions else None)
        if after is not None:
            records, _ = _fitting({**self._all(), name: (*versions, after)})
            self._replace(records)

    def rename(self, name: str, new: str) -> None:
        """Move a record, if there is one, to the name `new`. Raises `UsageError` if that name is taken."""
        others = dict(self._all())
        if (versions := others.pop(name, None)) is None:
            return
        if new in others:
            raise UsageError(f"there is already a draft for {new!r}: choose another name for the shelf")
        self._replace({**others, new: versions})

    def undo(self, name: str, restore: Restore) -> str | None:
        """Delete the last version of a record, and return the one before it, as `restore` returns it."""
        others = dict(self._all())
        versions = others.pop(name, ())
        if len(versions) < 2:
            self._replace(others)
            return None
        *rest, before, undone = versions
        name, text = restore(undone, before)
        self._replace({**others, name: (*rest, text)})
        return text

    def is_begun(self) -> bool:
        """Return whether this session has had drafts for the corpus."""
        return self.corpus in st.session_state.get(_VERSIONS, {})

    def text(self) -> str:
        """Return all drafts as text for the browser. Raises `UsageError` if not even the latest versions fit."""
        return _fitting(self._all())[1]

    def take(self, text: str, *, unites: bool) -> None:
        """Take over the drafts that the browser has stored, in place of these or, if `unites`, in addition to them: if
        a draft was changed both here and in the browser, all its versions are kept. Raises `UsageError` for anything
        that is not a set of drafts.
        """
        try:
            versions_by_name = {name: versions for name, versions in parse_as(_ADAPTER, text).items() if versions}
        except (ValueError, RecursionError) as error:
            raise UsageError(
                f"the drafts in this browser cannot be read ({error}): delete this site's data in your browser"
            ) from error
        self._replace(_unite(versions_by_name, self._all()) if unites else versions_by_name)

    def _all(self) -> _Records:
        versions: Mapping[str, _Records] = st.session_state.get(_VERSIONS, {})
        return versions.get(self.corpus, {})

    def _replace(self, records: _Records) -> None:
        st.session_state[_VERSIONS] = {**st.session_state.get(_VERSIONS, {}), self.corpus: records}


def _unite(theirs: _Records, ours: _Records) -> _Records:
    """Return the drafts of both tabs. If each has versions of a draft that the other lacks, these follow the versions
    that both have, in an order that is the same in both tabs.
    """
    drafts = {**theirs, **ours}
    for name in theirs.keys() & ours.keys():
        shared_versions = tuple(version for version in theirs[name] if version in ours[name])
        first, last = sorted(
            tuple(version for version in versions if version not in shared_versions)
            for versions in (theirs[name], ours[name])
        )
        drafts[name] = (*shared_versions, *first, *last)
    return drafts


def _fitting(records: _Records) -> tuple[_Records, str]:
    """Return as many versions of each draft as fit into a browser, and their text."""
    for n_versions in (MAX_VERSIONS, 3, 1):
        recent = {name: versions[-n_versions:] for name, versions in records.items()}
        text = _ADAPTER.dump_json(recent).decode()
        if len(text) <= MAX_CHARACTERS:
            return recent, text
    raise UsageError(
        f"your drafts take up {len(text):,} characters, but a browser stores only {MAX_CHARACTERS:,} for this "
        "page: download them as files, and remove some sections"
    )


def own_drafts() -> DraftStore:
    """Return the drafts of this visitor and the open corpus. Raises `UsageError` if no corpus is open."""
    corpus = corpus_of_visit()
    if corpus is None:
        raise UsageError("no library is open: open one first")
    if is_visited_here():
        return DraftStore.in_folder(data_folder(read_settings()), corpus)
    return DraftStore(VisitVersions(corpus.ids[0]), "this browser's storage")


def change(shelf: str, changes: Callable[[ReviewDraft], ReviewDraft]) -> bool:
    """Change a draft when a widget is used; return whether it could be stored, and say why if not."""

    def change_draft(before: ReviewDraft | None) -> ReviewDraft:
        if before is None:
            raise UsageError(REMOVAL_NOTE)
        return changes(before)

    try:
        own_drafts().change(shelf, change_draft)
    except PathfinderError as error:
        st.error(for_markdown(f"This was not stored: {error}"))
        return False
    return True


def undo(shelf: str) -> None:
    """Undo the last change to a draft when a button is pressed."""
    try:
        own_drafts().undo(shelf)
    except PathfinderError as error:
        st.error(for_markdown(str(error)))
