"""Stores the shelves of a visitor from elsewhere in their browser, and reads them when a page is opened."""

from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.shelves.histories import parse_histories
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars.own_shelves import VisitShelves, corpus_of_visit

KEY = "shelf-storage"
HIDDEN = f"<style>.st-key-{KEY} {{ display: none; }}</style>"


def synchronise() -> None:
    """Bring the session and the browser to the same shelves; do nothing for the person at this machine."""
    if is_visited_here():
        return
    try:
        corpus = corpus_of_visit()
    except PathfinderError:
        return  # the page that is drawn next reports what is wrong with the settings
    if corpus is None:
        return
    shelves = VisitShelves(corpus.ids[0])
    key = f"{KEY}-{shelves.corpus}"
    try:
        text = shelves.histories().text() if shelves.is_begun() else None
    except UsageError as error:
        st.error(for_markdown(str(error)))
        return
    st.html(HIDDEN)
    with st.container(key=KEY):
        _component()(
            key=key,
            data={"key": f"pathfinder-shelves:{shelves.corpus}", "text": text},
            on_stored_change=partial(_read, shelves, key),
            on_fault_change=_report,
        )


def take(shelves: VisitShelves, report: Any) -> None:
    """Take over what the browser has stored: another tab's shelves replace ours, and those of earlier visits are
    combined with those made in this one. Raises `UsageError` for anything that is not a set of shelves.
    """
    if not isinstance(report, dict) or not isinstance(report.get("text"), str):
        raise UsageError(f"a browser can only report shelves, got {str(report)[:80]!r}: load the page again")
    stored = parse_histories(report["text"])
    shelves.keep(stored.unite(shelves.histories()) if report.get("is_first") else stored)


def _read(shelves: VisitShelves, key: str) -> None:
    try:
        take(shelves, st.session_state[key]["stored"])
    except UsageError as error:
        st.error(for_markdown(str(error)))


def _report() -> None:
    st.error("Your browser stores nothing for this page: download your shelves as files before you leave it.")


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Register the component (a script only) once for all visitors."""
    script = (Path(__file__).parent / "browser_storage.js").read_text(encoding="utf-8")
    return st.components.v2.component("pathfinder_shelves", js=script)
