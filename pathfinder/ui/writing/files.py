"""Saves a draft as LaTeX, Markdown, Word or JSON, and reads a draft from JSON."""

import re

import streamlit as st

from pathfinder.drafts.document import document_of
from pathfinder.drafts.draft import ReviewDraft
from pathfinder.drafts.files import MAX_CHARACTERS, draft_text, parse_draft
from pathfinder.drafts.forms import FORMS, zip_files
from pathfinder.errors import PathfinderError, UsageError
from pathfinder.session import Pathfinder
from pathfinder.session.drafts import papers_of
from pathfinder.shelves.shelf import Shelf
from pathfinder.ui.settings import controls
from pathfinder.ui.writing import own_drafts

_MIMES = {
    "zip": "application/zip",
    "md": "text/markdown",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}


def panel(pf: Pathfinder, shelf: Shelf, draft: ReviewDraft) -> None:
    """Offer the draft in each format for download, and read a draft from a file."""
    document = document_of(draft, {paper.paper_id: paper for paper in papers_of(pf, draft.cited_ids)})
    name = file_name(draft.title)
    if not draft.sentences:
        st.caption("No section has text yet: the files contain only the headings.")
    if n := len(document.remarks):
        sentences = "sentence is" if n == 1 else "sentences are"
        st.caption(f"{n} {sentences} marked to be checked, with comments in the files.")
    with st.container(horizontal=True):
        for key, form in FORMS.items():
            files = form.files(document, name)
            suffix, data = ("zip", zip_files(files, name)) if len(files) > 1 else next(iter(files.items()))
            st.download_button(
                form.label, data, f"{name}.{suffix}", _MIMES[suffix], key=f"draft-{key}", icon=":material/download:"
            )
        st.download_button(
            "The whole draft (JSON)",
            draft_text(draft),
            f"{name}.json",
            "application/json",
            key="draft-json",
            icon=":material/download:",
        )
    upload(pf, shelf, "other")


def upload(pf: Pathfinder, shelf: Shelf, place: str) -> None:
    """Replace the shelf's draft with one from a file, and compute the verdicts of that draft again."""
    with st.expander("Open a draft from a file", icon=":material/upload:"):
        file = st.file_uploader(
            "File downloaded with *The whole draft (JSON)*", type="json", key=f"draft-upload-{place}"
        )
        st.caption("It replaces the draft for this shelf; *Undo* restores the old one.")
        if file is None or not st.button("Open it", key=f"draft-open-{place}", type="primary"):
            return
    try:
        if file.size > MAX_CHARACTERS:
            raise UsageError(f"{file.name} has {file.size:,} bytes, and a draft has at most {MAX_CHARACTERS:,}")
        draft = pf.check_draft(parse_draft(file.getvalue(), file.name), shelf)
        own_drafts.own_drafts().change(shelf.name, lambda _: draft)
    except PathfinderError as error:
        controls.failure(error)
        return
    st.rerun()


def file_name(title: str) -> str:
    """Return a file name made from the words of a title."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "draft"
