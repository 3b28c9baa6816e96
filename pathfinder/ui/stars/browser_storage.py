"""Stores what a visitor from elsewhere makes, such as shelves, in their browser, and reads it when a page is opened."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars.own_shelves import corpus_of_visit

KEY = "browser-storage"
HIDDEN = f"<style>.st-key-{KEY} {{ display: none; }}</style>"


class BrowserRecords(Protocol):
    """A visitor's records in their session, which the browser stores as one text."""

    def is_begun(self) -> bool:
        """Return whether this session has had such records for the corpus."""

    def text(self) -> str:
        """Return all records as text. Raises `UsageError` if they do not fit into a browser."""

    def take(self, text: str, *, is_first: bool) -> None:
        """Take over the records that the browser has stored; `is_first` if they are from an earlier visit rather than
        from another tab. Raises `UsageError` for any other text.
        """


def synchronise(kinds: Mapping[str, Callable[[str], BrowserRecords]]) -> None:
    """Give the session and the browser the same records; do nothing for the person at this machine.

    `kinds` maps the names of the records, such as "shelves", to functions of the id of their corpus.
    """
    if is_visited_here():
        return
    try:
        corpus = corpus_of_visit()
    except PathfinderError:
        return  # the page that is drawn next reports what is wrong with the settings
    if corpus is None:
        return
    st.html(HIDDEN)
    with st.container(key=KEY):
        for name, records_of in kinds.items():
            _synchronise(name, corpus.ids[0], records_of(corpus.ids[0]))


def _synchronise(name: str, corpus: str, records: BrowserRecords) -> None:
    try:
        text = records.text() if records.is_begun() else None
    except UsageError as error:
        st.error(for_markdown(str(error)))
        return
    key = f"{KEY}-{name}-{corpus}"
    _component()(
        key=key,
        data={"key": f"pathfinder-{name}:{corpus}", "text": text},
        on_stored_change=partial(_read, records, key),
        on_fault_change=_report,
    )


def take(records: BrowserRecords, report: Any) -> None:
    """Take over the records that a browser reports. Raises `UsageError` for anything else."""
    if not isinstance(report, dict) or not isinstance(report.get("text"), str):
        raise UsageError(f"a browser can only report what it stored, got {str(report)[:80]!r}: load the page again")
    records.take(report["text"], is_first=bool(report.get("is_first")))


def _read(records: BrowserRecords, key: str) -> None:
    try:
        take(records, st.session_state[key]["stored"])
    except UsageError as error:
        st.error(for_markdown(str(error)))


def _report() -> None:
    st.error(
        "Your browser stores nothing for this page: download your shelves and drafts as files before you leave it; "
        "your standing questions end with this visit."
    )


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Register the component (a script only) once for all visitors."""
    script = (Path(__file__).parent / "browser_storage.js").read_text(encoding="utf-8")
    return st.components.v2.component("pathfinder_storage", js=script)
