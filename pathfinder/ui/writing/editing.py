"""The form in which a reader edits the text of a section."""

from collections.abc import Mapping

import streamlit as st

from pathfinder.drafts.draft import ReviewSection
from pathfinder.drafts.editing import MAX_TEXT, editable
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.session import Pathfinder
from pathfinder.shelves.shelf import Shelf
from pathfinder.text.latex.display import for_markdown
from pathfinder.types import Paper
from pathfinder.ui.writing import own_drafts
from pathfinder.ui.writing.outline import label

_EDITING, _NUMBERS = "draft-editing", "draft-numbers"


def button(shelf: Shelf, section: ReviewSection) -> None:
    """Draw the button that opens the form."""
    st.button(
        "Edit" if section.text else "Write it yourself",
        key=f"draft-edit-{section.key}",
        icon=":material/edit:",
        type="tertiary",
        on_click=_open,
        args=(shelf.name, section.key),
    )


def panel(
    pf: Pathfinder, shelf: Shelf, section: ReviewSection, numbers: Mapping[str, int], papers: Mapping[str, Paper]
) -> bool:
    """Draw the form if it is open for this section; return whether it is."""
    if st.session_state.get(_EDITING) != (shelf.name, section.key):  # drafts of other shelves have the same keys
        return False
    opened_with: Mapping[str, int] = st.session_state.setdefault(_NUMBERS, dict(numbers))
    with st.form(f"draft-form-{section.key}"):
        text = st.text_area(
            "Text, with the numbers of the papers in brackets after each sentence",
            editable(section.text, numbers) if section.text else "",
            key=f"draft-area-{section.key}",
            height=320,
            max_chars=MAX_TEXT,
        )
        st.caption(
            "An empty line begins a new paragraph. A sentence that you change is marked as yours and checked again; "
            "all others stay as they are."
        )
        with st.expander("Numbers of the papers"):
            cited_papers = ((n, papers[paper_id]) for paper_id, n in numbers.items() if paper_id in papers)
            st.markdown("\n".join(f"- \\[{n}\\] {for_markdown(label(paper))}" for n, paper in cited_papers))
        with st.container(horizontal=True):
            is_saved = st.form_submit_button("Save", type="primary")
            is_cancelled = st.form_submit_button("Cancel")
    is_renumbered = any(numbers.get(paper_id) != n for paper_id, n in opened_with.items())
    if is_saved and is_renumbered:  # [3] would cite a different paper from the one that the reader meant
        st.error(
            "This was not stored: the shelf has changed since you opened the text, and with it the numbers of its "
            "papers. Copy your text, press *Cancel*, and edit it again."
        )
    elif is_cancelled or (is_saved and _save(pf, shelf, section.key, text)):
        st.session_state[_EDITING] = None
        st.rerun()
    return True


def _open(shelf: str, key: str) -> None:
    st.session_state[_EDITING] = (shelf, key)
    st.session_state.pop(_NUMBERS, None)


def _save(pf: Pathfinder, shelf: Shelf, key: str, text: str) -> bool:
    """Check and store the text; return whether that worked, and say why if it did not.

    The text is checked before the store is opened, so that others can write to the store while a model compares
    sentences.
    """
    try:
        draft = own_drafts.own_drafts().draft(shelf.name)
        if draft is None:
            raise UsageError(own_drafts.REMOVAL_NOTE)
        edited_text = pf.edit_section(draft, shelf, key, text).section(key).text
    except PathfinderError as error:
        st.error(for_markdown(f"This was not stored: {error}"))
        return False
    return edited_text is not None and own_drafts.change(shelf.name, lambda before: before.with_text(key, edited_text))
