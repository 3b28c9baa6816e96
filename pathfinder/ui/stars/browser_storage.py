"""Keeps what a visitor from elsewhere makes, such as shelves, in their browser, and reads it when a page is opened."""

import secrets
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st

from pathfinder.errors import PathfinderError, UsageError
from pathfinder.plugins import Registry
from pathfinder.shelves.shelf import SHELVES
from pathfinder.text.latex.display import for_markdown
from pathfinder.ui.shared.frame import component
from pathfinder.ui.shared.own_machine import is_visited_here
from pathfinder.ui.stars.own_shelves import VisitRecords, corpus_of_visit
from pathfinder.ui.stars.recent import QUESTIONS
from pathfinder.user_data import Kind, Records, VersionStore
from pathfinder.user_data.records import parse_records

KEY = "browser-storage"
_TAB, _SENT, _CROSSED = "browser-storage-tab", "browser-storage-sent", "browser-storage-crossed"

KINDS: Registry[Kind] = Registry(
    "pathfinder.browser_records", Kind, {"shelves": SHELVES, "questions": QUESTIONS}, "kind of record in browsers"
)
"""What visitors make."""


@dataclass(frozen=True, slots=True)
class _Crossing:
    """Two versions of one thing, such as a shelf, that two tabs made without knowledge of each other."""

    visit: VisitRecords
    kind: Kind
    name: str
    first: int
    last: int


def synchronise(part: str = "") -> None:
    """Give the session and the browser the same records; do nothing for the person at this machine.

    At the end of a run, with the name of this `part` of it, only what the run itself has changed is sent.
    """
    if is_visited_here():
        return
    try:
        corpus = corpus_of_visit()
    except PathfinderError:
        return  # the page that is drawn next reports what is wrong with the settings
    if corpus is None:
        return
    visit, tab = VisitRecords(corpus.ids[0]), st.session_state.setdefault(_TAB, secrets.token_hex(4))
    sent: dict[tuple[VisitRecords, str], Records] = st.session_state.setdefault(_SENT, {})
    all_records = {name: visit.records(kind) for name, kind in zip(KINDS, KINDS.all(), strict=True)}
    changed = {
        name: {"key": f"pathfinder-{name}:{visit.corpus}", "text": records.text if records.by_id else None}
        for name, records in all_records.items()
        if not part or records != sent.get((visit, name))
    }
    sent.update({(visit, name): all_records[name] for name in changed})
    if changed:
        key = f"{KEY}-{visit.corpus}{part}"
        component(Path(__file__).with_name("browser_storage.js"))(
            key=key,
            data={"tab": tab, "records": changed},
            on_stored_change=partial(_read, visit, key),
            on_fault_change=_report,
        )


def take(visit: VisitRecords, kind: Kind, stored: object) -> None:
    """Unite the records that a browser stores with those of this tab. Raises `UsageError` for a report that holds none.

    Of a thing that both have changed, such as a shelf, the later version stands: `offer_union` says so.
    """
    if not isinstance(stored, str):
        raise UsageError(f"the browser reported {str(stored)[:80]!r} instead of what it stored: load the page again")
    ours, theirs = visit.records(kind), parse_records(stored, kind, visit.corpus)
    visit.keep(kind, ours.united(theirs, time.time_ns() // 1_000))
    if kind.noun:
        crossed = [_Crossing(visit, kind, *each) for each in ours.crossings(theirs)]
        st.session_state[_CROSSED] = (*st.session_state.get(_CROSSED, ()), *crossed)


def offer_union() -> None:
    """Name what two tabs have changed at once, while it is as this has left it, and offer to put both together."""
    try:
        corpus = corpus_of_visit() if st.session_state.get(_CROSSED) else None
    except PathfinderError:
        return
    for place, each in enumerate(st.session_state.get(_CROSSED, ())):
        if corpus is None or each.visit.corpus != corpus.ids[0]:
            continue
        records = each.visit.records(each.kind)
        both = records.version(each.last), records.version(each.first)
        if records.last_versions().get(each.name) != each.last or both[1] is None:
            continue
        with st.container(key=f"{KEY}-crossed-{place}", horizontal=True, vertical_alignment="center"):
            st.warning(
                for_markdown(
                    f"Two tabs have changed the {each.kind.noun} “{each.name}” at the same time. The later change is "
                    "shown; Undo leads to the other."
                )
            )
            if each.kind.united is not None and all(both):
                st.button("Put both together", key=f"{KEY}-unite-{place}", on_click=_unite, args=(each, both))
            others = tuple(other for other in st.session_state[_CROSSED] if other != each)
            leave = st.session_state.__setitem__
            st.button("Leave it so", key=f"{KEY}-leave-{place}", on_click=leave, args=(_CROSSED, others))


def _unite(crossing: _Crossing, both: tuple[str, str]) -> None:
    corpus, united = corpus_of_visit(), crossing.kind.united
    if corpus is None or united is None:
        return
    try:
        VersionStore(crossing.visit, crossing.kind, corpus).change(crossing.name, lambda _: united(*both))
    except PathfinderError as error:
        st.error(for_markdown(f"This was not stored: {error}"))


def _read(visit: VisitRecords, key: str) -> None:
    reports = st.session_state[key]["stored"]
    for name, kind in zip(KINDS, KINDS.all(), strict=True):
        if name in reports:
            try:
                take(visit, kind, reports[name])
            except UsageError as error:
                st.error(for_markdown(str(error)))


def _report() -> None:
    st.error(
        "Your browser stores nothing for this page: what you make ends with this visit, so download your shelves and "
        "whatever else you want to keep as files before you leave it."
    )
