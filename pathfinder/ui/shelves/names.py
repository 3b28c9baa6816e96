"""The name of a shelf on the page: renaming it, deleting it, and undoing either."""

import streamlit as st

from pathfinder.errors import PathfinderError
from pathfinder.session.shelves import rename_shelf, undo_shelf
from pathfinder.shelves.shelf import MAX_NAME, Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.stars import own_shelves
from pathfinder.ui.writing import own_drafts, sections

_NEW = "shelf-renamed"


def buttons(shelf: Shelf, *, is_stored: bool) -> None:
    """Draw the buttons that rename the open shelf, delete it, and undo the last change to it."""
    with st.popover("Rename", icon=":material/edit:", disabled=not is_stored):
        st.text_input("New name", key=_NEW, max_chars=MAX_NAME)
        st.button("Rename it", key="shelf-rename", on_click=_rename, args=(shelf.name,), type="primary")
    st.button(
        "Delete",
        key="shelf-delete",
        icon=":material/delete:",
        on_click=_delete,
        args=(shelf.name,),
        disabled=not is_stored,
        help="Deletes this shelf. *Undo* brings it back.",
    )
    st.button(
        "Undo",
        key="shelf-undo",
        icon=":material/undo:",
        on_click=_undo,
        args=(shelf.name,),
        disabled=not own_shelves.own_shelves().can_undo(shelf.name),
        help="Undoes the last change to this shelf; press again for earlier ones, as far back as they are stored.",
    )


def _rename(name: str) -> None:
    new = st.session_state[_NEW].strip()
    try:
        shelf = rename_shelf(own_shelves.own_shelves(), own_drafts.own_drafts(), name, new)
    except PathfinderError as error:
        st.error(for_markdown(str(error)))
        return
    st.session_state[_NEW] = ""
    _open(name, shelf.name)


def _delete(name: str) -> None:
    try:
        own_shelves.own_shelves().delete(name)
    except PathfinderError as error:
        st.error(for_markdown(str(error)))
        return
    own_shelves.choose(name)  # so that Undo is at hand


def _undo(name: str) -> None:
    try:
        shelf = undo_shelf(own_shelves.own_shelves(), own_drafts.own_drafts(), name)
    except PathfinderError as error:
        st.error(for_markdown(str(error)))
        return
    if shelf is not None and shelf.name != name:
        _open(name, shelf.name)


def _open(name: str, new: str) -> None:
    """Open the shelf under its new name."""
    own_shelves.choose(new)
    sections.follow_shelf(name, new)
