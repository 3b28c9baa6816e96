"""A visitor's drafts: in the data folder for the person at this machine, in their browser for all others."""

from collections.abc import Callable

import streamlit as st

from pathfinder.addons.drafts.draft import ReviewDraft
from pathfinder.addons.drafts.store import DraftStore
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.stars.own_shelves import is_stored, own

REMOVAL_NOTE = "the draft was removed in another tab: make an outline again"


def own_drafts() -> DraftStore:
    """Return the drafts of this visitor and the open corpus. Raises `UsageError` if no corpus is open."""
    return own(DraftStore)


def change(shelf: str, changes: Callable[[ReviewDraft], ReviewDraft]) -> bool:
    """Change a draft when a widget is used; return whether it could be stored, and say why if not."""

    def change_draft(before: ReviewDraft | None) -> ReviewDraft:
        if before is None:
            raise UsageError(REMOVAL_NOTE)
        return changes(before)

    return is_stored(lambda: own_drafts().change(shelf, change_draft))


def undo(shelf: str) -> None:
    """Undo the last change to a draft when a button is pressed."""
    try:
        own_drafts().undo(shelf)
    except PathfinderError as error:
        st.error(for_markdown(str(error)))
