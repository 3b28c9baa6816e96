"""Stores what a visitor from elsewhere makes, such as shelves, in their browser, and reads it when a page is opened.

Records from two tabs may cross in transit. A clock shows whether either was made with knowledge of the other; if
neither was, the two are combined, so that neither tab loses a change.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import streamlit as st
from pydantic import TypeAdapter
from streamlit.components.v2.types import ComponentRenderer

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.plugins import Registry
from pathfinder.text.latex.display import for_markdown
from pathfinder.text.strict_json import parse_as
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars.own_shelves import VisitShelves, corpus_of_visit
from pathfinder.ui.stars.recent import VisitQuestions

KEY = "browser-storage"
_STAMPS, _TAB = "browser-storage-stamps", "browser-storage-tab"


class BrowserRecords(Protocol):
    """A visitor's records in their session, which the browser stores as one text."""

    def is_begun(self) -> bool:
        """Return whether this session has had such records for the corpus."""

    def text(self) -> str:
        """Return all records as text. Raises `UsageError` if they do not fit into a browser."""

    def take(self, text: str, *, unites: bool) -> None:
        """Take over the records that the browser has stored, in place of these or, if `unites`, in addition to them.
        Raises `UsageError` for text that holds no such records.
        """


Clock = Mapping[str, int]
"""Number of changes made in each tab, keyed by a name that stands for the tab only in clocks."""


@dataclass(frozen=True, slots=True)
class _Stamp:
    """Records as this tab last knew them."""

    clock: Clock
    digest: str
    """Hash of the text of the records; empty if there are none yet."""


RECORDS: Registry[Any] = Registry(
    "pathfinder.browser_records",
    type,
    {"shelves": VisitShelves, "questions": VisitQuestions},
    "kind of record in browsers",
)
"""Classes of `BrowserRecords`, each created with the id of a corpus."""


def synchronise() -> None:
    """Give the session and the browser the same records; do nothing for the person at this machine."""
    if is_visited_here():
        return
    try:
        corpus = corpus_of_visit()
    except PathfinderError:
        return  # the page that is drawn next reports what is wrong with the settings
    if corpus is None:
        return
    for records_of, name in zip(RECORDS.all(), RECORDS.names(), strict=True):
        _synchronise(name, corpus.ids[0], records_of(corpus.ids[0]))


def _synchronise(name: str, corpus: str, records: BrowserRecords) -> None:
    key = f"{KEY}-{name}-{corpus}"
    try:
        text = text_for_browser(records, key)
    except UsageError as error:
        st.error(for_markdown(str(error)))
        return
    _component()(
        key=key,
        data={"key": f"pathfinder-{name}:{corpus}", "text": text},
        on_stored_change=partial(_read, records, key),
        on_fault_change=_report,
    )


def text_for_browser(records: BrowserRecords, key: str) -> str | None:
    """Return all records as text with their clock, which is advanced if they have changed since the last call; `None`
    if this session has had no records. Raises `UsageError` if the records do not fit into a browser.
    """
    if not records.is_begun():
        return None
    text, stamp = records.text(), _stamp(key)
    if stamp.digest != _digest(text):
        stamp = _set_stamp(key, tick(stamp.clock, _tab()), text)
    return with_clock(stamp.clock, text)


def take(records: BrowserRecords, report: Any, key: str) -> bool:
    """Take over the records that a browser reports, unless this tab has later ones; return whether both this tab and
    another have changed their records since either last knew of the other's, in which case the two are combined. Raises
    `UsageError` for a report that contains none.
    """
    if not isinstance(report, dict) or not isinstance(report.get("text"), str):
        raise UsageError(f"the browser reported {str(report)[:80]!r} instead of what it stored: load the page again")
    clock, text = parse_clock(report["text"])
    text_for_browser(records, key)  # counts a change made in this very run
    ours, is_first = _stamp(key).clock, bool(report.get("is_first"))
    if clock and not is_first and knows(ours, clock):
        return False
    is_known = knows(clock, ours)
    records.take(text, unites=is_first or not is_known)
    _set_stamp(key, join(clock, ours), text)
    return not is_known and not is_first


def _read(records: BrowserRecords, key: str) -> None:
    try:
        if take(records, st.session_state[key]["stored"], key):
            # A toast stays while the tabs exchange their records; a warning would disappear at the next run.
            st.toast(
                "Two tabs made changes at the same time. All changes are kept; if both tabs changed the same shelf or "
                "draft, *Undo* leads to the earlier versions.",
                duration="long",
            )
    except UsageError as error:
        st.error(for_markdown(str(error)))


def _stamp(key: str) -> _Stamp:
    stamps: Mapping[str, _Stamp] = st.session_state.get(_STAMPS, {})
    return stamps.get(key, _Stamp({}, ""))


def _set_stamp(key: str, clock: Clock, text: str) -> _Stamp:
    stamp = _Stamp(clock, _digest(text))
    st.session_state[_STAMPS] = {**st.session_state.get(_STAMPS, {}), key: stamp}
    return stamp


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _tab() -> str:
    name: str = st.session_state.setdefault(_TAB, secrets.token_hex(4))
    return name


def _report() -> None:
    st.error(
        "Your browser stores nothing for this page: what you make ends with this visit, so download your shelves and "
        "whatever else you want to keep as files before you leave it."
    )


@st.cache_resource(show_spinner=False)
def _component() -> ComponentRenderer:
    """Register the component (a script only) once for all visitors."""
    script = (Path(__file__).parent / "browser_storage.js").read_text(encoding="utf-8")
    return st.components.v2.component("pathfinder_storage", js=script)


# Vector clocks of a visitor's tabs, which show whether one tab's records were made with knowledge of another's (Fidge
# 1988, Mattern 1989).

_MARK = "clock "
_ADAPTER = TypeAdapter(dict[str, int])


def tick(clock: Clock, tab: str) -> Clock:
    """Return the clock after one more change in `tab`."""
    return {**clock, tab: clock.get(tab, 0) + 1}


def knows(clock: Clock, other: Clock) -> bool:
    """Return whether `clock` counts every change that `other` counts."""
    return all(clock.get(tab, 0) >= n for tab, n in other.items())


def join(clock: Clock, other: Clock) -> Clock:
    """Return the clock of records that contain the changes counted by either clock."""
    return {tab: max(clock.get(tab, 0), other.get(tab, 0)) for tab in sorted({*clock, *other})}


def with_clock(clock: Clock, text: str) -> str:
    """Return records as text with their clock, for `parse_clock`."""
    return f"{_MARK}{json.dumps(clock)}\n{text}"


def parse_clock(text: str) -> tuple[Clock, str]:
    """Return the clock of records and the records as text; the clock is empty if they were stored without one. Raises
    `UsageError` for a clock that cannot be read.
    """
    if not text.startswith(_MARK):
        return {}, text
    clock, _, records = text.removeprefix(_MARK).partition("\n")
    try:
        return parse_as(_ADAPTER, clock), records
    except (ValueError, RecursionError) as error:
        raise UsageError(
            f"what this browser stored for the page cannot be read ({error}): delete this site's data in your browser"
        ) from error
